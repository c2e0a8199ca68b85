// Parses all forms of the `populate` clause into one tree (B-2.60 to B-2.87).

import { PaginationError, ValidationError } from '../errors.ts'
import { isPlainRecord } from '../record.ts'
import { parseFlag } from './operators.ts'
import { Under } from './populate-options.ts'
import type { Populate, Selection } from './query.ts'
import { parseSelection } from './selection.ts'
import { asList, limits, type ShapeBuilder } from './shape.ts'

/** The populate tree. Names are not checked: the planner drops unknown ones (B-2.12). */
export function parsePopulate(
  writer: ShapeBuilder,
  value: unknown,
  path: string,
  depth: number,
): Selection['populate'] {
  const populates = extensible(value === '' ? undefined : value, path)
  if (!populates.all && populates.named.size === 0) return { all: false, named: [] }
  if (depth > 10) throw new ValidationError(`Invalid parameter ${path}: it is nested too deeply`, { path })
  writer.mark('|populate')
  if (populates.all) writer.mark('*')
  const namedPopulates: Populate[] = []
  for (const [key, { name, options }] of populates.named) {
    const at = `${path}.${key}`
    const populate = writer.part(['populate', key], at, () => {
      // Names begin with their length, so the mark cannot be a part of one.
      if (key !== name) {
        writer.mark('~')
        writer.name(key, at)
      }
      writer.name(name, at)
      writer.mark('(')
      const parsed = { key, name, ...parseOne(writer, options, at, depth) }
      writer.mark(')')
      return parsed
    })
    if (populate !== null) namedPopulates.push(populate)
  }
  return { all: populates.all, named: namedPopulates }
}

function collect(populates: CollectedPopulates, value: unknown, path: string): void {
  if (typeof value === 'string') {
    for (const name of value.split(',')) addPath(populates, name.trim(), path)
  } else if (value === true) {
    populates.all = true
  } else if (Array.isArray(value)) {
    for (const one of value) {
      if (one === null || one === undefined) continue
      if (typeof one !== 'string' && !isPlainRecord(one)) throw unreadable(path)
      collect(populates, one, path)
    }
  } else if (isPlainRecord(value)) {
    for (const name of Object.keys(value)) addNamed(populates, name, asList(value[name]), `${path}.${name}`)
  } else if (value !== false && typeof value !== 'number') throw unreadable(path)
}

function unreadable(path: string): ValidationError {
  return new ValidationError(`Invalid parameter ${path}: expected names of attributes or options`, { path })
}

/** A record without a prototype, so that no name sent by a client has a meaning on it (security.md row 25). */
const bare = () => Object.create(null) as Record<string, unknown>

/** `seo.image`: the parent is populated too (B-2.63). */
function addPath(populates: CollectedPopulates, dotted: string, path: string): void {
  if (dotted === '') return
  if (dotted === '*') {
    populates.all = true
    return
  }
  const names = dotted.split('.')
  if (names.length > limits.depth)
    throw new ValidationError(`Invalid parameter ${path}: it is nested too deeply`, { path })
  let options = optionsOf(populates.named, names[0]!, path)
  for (const [i, name] of names.slice(1).entries()) {
    const inner = extensible(options.populate)
    options.populate = inner
    if (name === '*') {
      inner.all = true
      return
    }
    options = optionsOf(inner.named, name, path)
    // v4 puts what a path adds below a name before what earlier paths have added there, and reads that list backwards below
    // it again: `a.x,a.y` gives y and x, `a.x.p,a.x.q` gives p and q (suite populate-components).
    if (i % 2 === 0) moveToFront(inner.named, name)
  }
}

function moveToFront(byName: CollectedPopulates['named'], key: string): void {
  if (byName.size < 2) return
  const others = [...byName].filter(([other]) => other !== key)
  const own = byName.get(key)!
  byName.clear()
  byName.set(key, own)
  for (const [other, one] of others) byName.set(other, one)
}

/** A collected populate: an attribute with its options, before they are parsed. */
interface CollectedPopulate {
  readonly name: string
  readonly options: Record<string, unknown>
  /** True if `under` gave it its key, which nothing else may have then. */
  readonly isUnder: boolean
}

/** Collected populates by key. Used instead of the params, which belong to the caller and are not modified. */
class CollectedPopulates {
  all = false
  readonly named = new Map<string, CollectedPopulate>()
}

/** Converts a populate value to collected populates with the same content, so that names can be added to them. */
function extensible(value: unknown, path = 'populate'): CollectedPopulates {
  if (value instanceof CollectedPopulates) return value
  const inner = new CollectedPopulates()
  if (value !== undefined && value !== null) collect(inner, asList(value), path)
  return inner
}

function addNamed(populates: CollectedPopulates, name: string, value: unknown, path: string): void {
  if (value instanceof Under) {
    addUnder(populates, name, value, path)
    return
  }
  // If an array is mixed with an object, qs uses the array's indexes as names, and they name nothing (B-2.12).
  if (name === '*') {
    populates.all ||= parseFlag(value)
    return
  }
  if (isPlainRecord(value)) {
    Object.assign(optionsOf(populates.named, name, path), value)
    return
  }
  if (Array.isArray(value)) throw unreadable(path)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    if (parseFlag(value)) optionsOf(populates.named, name, path)
  }
}

/** The keys of `under`: names as in most languages, so that no path of an error is ambiguous. */
const keyForm = /^[A-Za-z_]\w*$/

function addUnder(populates: CollectedPopulates, key: string, { name, options }: Under, path: string): void {
  if (!keyForm.test(key) || key === '__proto__')
    throw new ValidationError(`Invalid parameter ${path}: a key must consist of letters, digits and "_"`, { path })
  if (populates.named.has(key)) throw usedTwice(path)
  populates.named.set(key, { name, options: Object.assign(bare(), options), isUnder: true })
}

function usedTwice(path: string): ValidationError {
  return new ValidationError(`Invalid parameter ${path}: the key is used twice`, { path })
}

function optionsOf(byName: CollectedPopulates['named'], name: string, path: string): Record<string, unknown> {
  const populate = byName.get(name) ?? { name, options: bare(), isUnder: false }
  if (populate.isUnder) throw usedTwice(path)
  byName.set(name, populate)
  return populate.options
}

function parseOne(
  writer: ShapeBuilder,
  options: Record<string, unknown>,
  path: string,
  depth: number,
): Omit<Populate, 'key' | 'name'> {
  writer.unknown?.checkBelow(path, options)
  const selection = parseSelection(writer, options, path, depth + 1)
  const count = parseFlag(options.count)
  const reversed = options.ordering === 'desc'
  if (count) writer.mark('#')
  if (reversed) writer.mark('<')
  return {
    selection,
    on: parseOn(writer, options.on, `${path}.on`, depth),
    count,
    page: parsePage(writer, options, path),
    reversed,
  }
}

function parseOn(writer: ShapeBuilder, value: unknown, path: string, depth: number): Populate['on'] {
  if (value === undefined || value === null) return null
  if (!isPlainRecord(value))
    throw new ValidationError(`Invalid parameter ${path}: expected uids of content types`, { path })
  writer.mark('@')
  const types: { uid: string; selection: Selection }[] = []
  for (const uid of Object.keys(value)) {
    const options = asList(value[uid])
    if (options instanceof Under) throw unreadable(`${path}.${uid}`)
    if (!isPlainRecord(options) && !parseFlag(options)) continue
    writer.name(uid, `${path}.${uid}`)
    writer.mark('(')
    const selection = writer.within(['on', uid], () =>
      parseSelection(writer, isPlainRecord(options) ? options : {}, `${path}.${uid}`, depth + 1),
    )
    types.push({ uid, selection })
    writer.mark(')')
  }
  return types
}

/** `start` and `limit` of a populate; they apply to the list of each parent (B-2.81, B-2.82). */
function parsePage(writer: ShapeBuilder, options: Record<string, unknown>, path: string): Populate['page'] {
  const { start, limit, page, pageSize } = options
  if (start === undefined && limit === undefined) return null
  if (page !== undefined || pageSize !== undefined) {
    throw new PaginationError(
      'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
      path,
    )
  }
  writer.mark('^')
  const most = whole(limit ?? -1, `${path}.limit`)
  // Only -1 means all (B-2.38): any other negative number would be a limit that widens the answer.
  if (most < -1) {
    const at = `${path}.limit`
    throw new ValidationError(`Invalid value for ${at}: expected 0 or a greater whole number, or -1 for all`, {
      path: at,
    })
  }
  return {
    start: writer.bindValue(Math.max(0, whole(start ?? 0, `${path}.start`)), `${path}.start`),
    limit: writer.bindValue(most, `${path}.limit`),
  }
}

function whole(value: unknown, path: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    throw new ValidationError(`Invalid value for ${path}: expected a whole number`, { path })
  }
  return number
}
