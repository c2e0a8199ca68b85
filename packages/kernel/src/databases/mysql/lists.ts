// Lists among the values of a statement for MySQL and MariaDB, which have no arrays: each becomes as many places, padded to a
// power of two, so that lists of all lengths make few statements.

import { LRUCache } from 'lru-cache'
import type { Bound } from '../../sql/dialect.ts'

/** The maxListLength list that becomes places: a statement has room for 65,535. Longer ones are written into the text. */
const maxListLength = 4096

/** Texts with places for their lists, by length of lists and text: bounded by number and by letters. */
const texts = new LRUCache<string, string>({
  max: 5000,
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (made, key) => made.length + key.length,
})

interface Spread {
  readonly sql: string
  readonly bound: readonly unknown[]
  /** No other question has this text. */
  readonly isOnce: boolean
}

/** Puts the elements of lists in the place of the lists; `write` makes literals of those of long ones. */
export function spread(text: string, values: readonly Bound[], write: (value: unknown) => string): Spread {
  if (!values.some(one => Array.isArray(one) || typeof one === 'number'))
    return { sql: text, bound: values, isOnce: false }
  const bound: unknown[] = []
  const lists = new Map<number, number | string>()
  let isOnce = false
  for (const [i, value] of values.entries()) {
    // A number would go as a float, and LIMIT takes none.
    if (!Array.isArray(value)) bound.push(typeof value === 'number' ? String(value) : value)
    else if (value.length > maxListLength) {
      isOnce = true
      lists.set(i, value.map(write).join(', '))
    } else {
      const size = 2 ** Math.ceil(Math.log2(Math.max(1, value.length)))
      lists.set(i, size)
      for (let k = 0; k < size; k++) bound.push(value[Math.min(k, value.length - 1)] ?? null)
    }
  }
  if (lists.size === 0) return { sql: text, bound, isOnce }
  if (isOnce) return { sql: place(text, lists), bound, isOnce }
  const key = `${[...lists].join()} ${text}`
  const known = texts.get(key)
  if (known !== undefined) return { sql: known, bound, isOnce }
  const sql = place(text, lists)
  texts.set(key, sql)
  return { sql, bound, isOnce }
}

/** Literals and names keep their question marks. */
const placeForm = /'(?:[^'\\]|''|\\.)*'|`[^`]*`|\?/g

/** The text with as many places as each list has elements, or with the elements themselves. */
function place(text: string, lists: ReadonlyMap<number, number | string>): string {
  let i = 0
  return text.replace(placeForm, part => {
    const list = part === '?' ? lists.get(i++) : undefined
    if (list === undefined) return part
    return typeof list === 'string' ? list : Array(list).fill('?').join(', ')
  })
}

/**
 * The text with its values as literals, for a server that prepares no more statements. What follows LIMIT and OFFSET is a number
 * that was bound as text.
 */
export function withLiterals(text: string, values: readonly unknown[], write: (value: unknown) => string): string {
  let i = 0
  return text.replace(placeForm, (part, at: number) => {
    if (part !== '?') return part
    const value = values[i++]
    const isCount =
      typeof value === 'string' && /^\d+$/.test(value) && /\b(?:LIMIT|OFFSET)\s+$/i.test(text.slice(at - 8, at))
    return isCount ? value : write(typeof value === 'bigint' ? String(value) : value)
  })
}
