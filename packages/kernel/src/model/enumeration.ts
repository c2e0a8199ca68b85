// Checks the values of an enumeration (B-10.12): each must yield a name of Latin letters, digits and "_". v4 first
// transliterates other alphabets; here it only matters that the result has letters, not which ones.

import type { AttributeDefinition } from './content-type.ts'
import type { Fail } from './fault-list.ts'

/** Scripts that v4 transliterates to Latin letters. Letters of other scripts are dropped from a name. */
const letter = String.raw`\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Arabic}`
const unnamed = new RegExp(`[^0-9${letter}]+`, 'gu')
const nameStart = new RegExp(`^[${letter}]`, 'u')

/** Letters that v4 replaces by two, so that they differ from the same letter without its diacritic. */
const twofold: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
  ẞ: 'Ss',
}

/** Checks that the values yield distinct names, each with a letter before its first digit. */
export function checkEnumeration(definition: AttributeDefinition, fail: Fail): void {
  const values: unknown = definition.enum
  if (values === undefined) {
    const lists = Object.keys(definition).filter(key => Array.isArray(definition[key]))
    const hint = lists.length === 1 ? `; the values belong in enum, not in ${lists[0]}` : ''
    fail('enum', `is missing${hint}`)
    return
  }
  if (!Array.isArray(values) || values.length === 0) {
    fail('enum', 'must be a list of at least one value')
    return
  }
  const names = new Map<string, string>()
  for (const value of values) {
    if (typeof value !== 'string') {
      fail('enum', `every value must be a string, found ${JSON.stringify(value)}`)
      continue
    }
    const name = cleanName(value)
    if (!nameStart.test(name)) fail('enum', whyNameless(value))
    else if (names.has(name)) fail('enum', `"${value}" and "${names.get(name)}" yield the same name "${name}"`)
    names.set(name, value)
  }
}

function whyNameless(value: string): string {
  if (/^[^\p{L}]*[0-9]/u.test(value)) return `"${value}" has no letter before its first digit`
  return /\p{L}/u.test(value)
    ? `"${value}" must begin with a letter that can be transliterated to Latin`
    : `"${value}" contains no letter`
}

function cleanName(value: string): string {
  return value
    .normalize('NFC')
    .replace(/[äöüÄÖÜßẞ]/g, one => twofold[one]!)
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('&', ' and ')
    .replace(unnamed, '_')
    .replace(/^_+|_+$/g, '')
}
