// Parses the `sort` clause (B-2.20 to B-2.28).

import { ValidationError } from '../errors.ts'
import { isPlainRecord } from '../record.ts'
import type { Sort } from './query.ts'
import { asList, limits, type ShapeBuilder } from './shape.ts'

/** The sort keys in order. Throws ValidationError. */
export function parseSort(writer: ShapeBuilder, value: unknown, path: string): readonly Sort[] {
  if (value === undefined || value === null || value === '') return []
  const keys: Sort[] = []
  collect(keys, asList(value), [], path)
  if (keys.length > 0) writer.mark('|sort')
  // Databases limit the number of terms; SQLite to 2,000.
  if (keys.length > limits.sorts)
    throw new ValidationError(`Invalid parameter ${path}: it has more than ${limits.sorts} sort keys`, { path })
  for (const key of keys) {
    if (key.path.length > limits.relations + 1) {
      throw new ValidationError(`Invalid parameter ${path}: it follows more than ${limits.relations} relations`, {
        path,
      })
    }
    for (const name of key.path) writer.name(name, path)
    writer.mark(key.descending ? '-' : '+')
  }
  return keys
}

function collect(keys: Sort[], value: unknown, names: readonly string[], path: string): void {
  if (names.length > limits.depth)
    throw new ValidationError(`Invalid parameter ${path}: it is nested too deeply`, { path })
  if (typeof value === 'string') {
    if (names.length === 0) collectText(keys, value, path)
    else keys.push({ path: names, descending: isDescending(value, path, names) })
  } else if (Array.isArray(value)) {
    for (const one of value) collect(keys, one, names, path)
  } else if (isPlainRecord(value)) {
    for (const name of Object.keys(value)) collect(keys, asList(value[name]), [...names, name], `${path}.${name}`)
  } else {
    throw new ValidationError(`Invalid parameter ${path}: expected names of attributes and directions`, { path })
  }
}

/** `title`, `title:desc`, `rank:desc,title`. */
function collectText(keys: Sort[], text: string, path: string): void {
  for (const key of text.split(',')) {
    const trimmed = key.trimStart()
    if (trimmed === '') continue
    const colon = trimmed.indexOf(':')
    const name = colon === -1 ? trimmed : trimmed.slice(0, colon)
    const names = name.split('.')
    keys.push({ path: names, descending: colon !== -1 && isDescending(trimmed.slice(colon + 1), path, names) })
  }
}

function isDescending(order: string, path: string, names: readonly string[]): boolean {
  const word = order.trim().toLowerCase()
  if (word === 'desc') return true
  if (word === 'asc' || word === '') return false
  const message = `Invalid order ${JSON.stringify(order)} for ${names.join('.')}. order can only be one of asc|desc|ASC|DESC`
  throw new ValidationError(message, { path })
}
