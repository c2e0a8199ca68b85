// Expands lists among the values of a statement for MySQL and MariaDB, which have no arrays: each becomes several
// placeholders. Their number is padded to a power of two, so that lists of all lengths need few statements.

import { type Bound, TextCache } from '@plinth/kernel/database'

/**
 * The longest list that becomes placeholders: a statement can bind 65,535 values. Longer lists are written into the
 * text.
 */
const maxListLength = 4096

/** Expanded texts, by lengths of lists and text; limited by number and by characters. */
const texts = new TextCache<string>({
  max: 5000,
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (text, key) => text.length + key.length,
})

interface Spread {
  readonly sql: string
  readonly bound: readonly unknown[]
  /** No other call produces this text. */
  readonly isOnce: boolean
}

/** Replaces lists by their elements; `write` turns the elements of long lists into literals. */
export function spread(text: string, values: readonly Bound[], write: (value: unknown) => string): Spread {
  return hasList(values)
    ? spreadLists(text, values, write)
    : { sql: text, bound: withoutNumbers(values), isOnce: false }
}

function hasList(values: readonly Bound[]): boolean {
  for (let i = 0; i < values.length; i++) if (Array.isArray(values[i])) return true
  return false
}

/** A number would be bound as a float, which LIMIT does not accept. */
const withoutNumber = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value)

function withoutNumbers(values: readonly Bound[]): readonly unknown[] {
  const bound: unknown[] = []
  for (let i = 0; i < values.length; i++) bound.push(withoutNumber(values[i]))
  return bound
}

function spreadLists(text: string, values: readonly Bound[], write: (value: unknown) => string): Spread {
  const bound: unknown[] = []
  const lists = new Map<number, number | readonly string[]>()
  let isOnce = false
  for (const [i, value] of values.entries()) {
    if (!Array.isArray(value)) bound.push(withoutNumber(value))
    else if (value.length > maxListLength) {
      isOnce = true
      lists.set(i, value.map(write))
    } else {
      const size = 2 ** Math.ceil(Math.log2(Math.max(1, value.length)))
      lists.set(i, size)
      for (let k = 0; k < size; k++) bound.push(value[Math.min(k, value.length - 1)] ?? null)
    }
  }
  if (isOnce) return { sql: place(text, lists), bound, isOnce }
  const key = `${[...lists].join()} ${text}`
  let sql = texts.get(key)
  if (sql === undefined) {
    sql = place(text, lists)
    texts.set(key, sql)
  }
  return { sql, bound, isOnce }
}

/**
 * Finds placeholders, also with the conversion of each (narrow.ts), and literals and names, whose question marks are
 * none.
 */
const placeForm = /'(?:[^'\\]|''|\\.)*'|`[^`]*`|CONVERT\(\? USING \w+\) COLLATE \w+|\?/g
const isPlace = (token: string) => token === '?' || token.startsWith('CONVERT(')

/** Returns the text with a placeholder for each element of a list, or with the elements themselves. */
function place(text: string, lists: ReadonlyMap<number, number | readonly string[]>): string {
  let i = 0
  return text.replace(placeForm, token => {
    const list = isPlace(token) ? lists.get(i++) : undefined
    if (list === undefined) return token
    return (typeof list === 'number' ? Array<string>(list).fill('?') : list)
      .map(one => (token === '?' ? one : token.replace('?', () => one)))
      .join(', ')
  })
}

/**
 * Returns the text with its values as literals, for a server that can prepare no more statements. The value after LIMIT
 * or OFFSET is a number that was bound as text.
 */
export function withLiterals(text: string, values: readonly unknown[], write: (value: unknown) => string): string {
  let i = 0
  return text.replace(placeForm, (token, at: number) => {
    if (!isPlace(token)) return token
    const value = values[i++]
    const isCount =
      typeof value === 'string' && /^\d+$/.test(value) && /\b(?:LIMIT|OFFSET)\s+$/i.test(text.slice(at - 8, at))
    const literal = isCount ? value : write(typeof value === 'bigint' ? String(value) : value)
    return token === '?' ? literal : token.replace('?', () => literal)
  })
}
