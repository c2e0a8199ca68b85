// Declares the options of kernel.query's methods, and refuses all others. An unread option would not restrict anything,
// so the answer would contain more than was requested. Only names are checked here.

import { UsageError, ValidationError } from '../errors.ts'
import { knownWords } from '../registration/registrar.ts'
import { belowPopulate, ofPagination } from './clause-names.ts'
import {
  type ParameterOptions,
  type PopulateOption,
  type PopulateOptions,
  type SelectionOptions,
  Under,
} from './populate-options.ts'

/** Options of `findMany`, `findPage` and `count`. */
export interface FindOptions extends SelectionOptions {
  /** The page: `page` and `pageSize`, or `start` and `limit`. */
  readonly pagination?: PageOptions
  /** Text to search for in all readable attributes. */
  readonly _q?: string | number
}

/** A page: `page` and `pageSize`, or `start` and `limit`. */
export interface PageOptions {
  readonly page?: number | string
  readonly pageSize?: number | string
  readonly start?: number | string
  readonly limit?: number | string
  readonly withCount?: boolean | string
}

/** Options of `findOne` and `delete`, and of the entry that a write answers. The id is a separate argument. */
export interface FindOneOptions extends ParameterOptions {
  readonly fields?: SelectionOptions['fields']
  readonly populate?: PopulateOption
}

/** Options of `create` and `update`. */
export interface WriteOptions extends FindOneOptions {
  /** The values of the entry. */
  readonly data: unknown
}

/** A method of kernel.query. */
export type QueryMethod = 'findMany' | 'findPage' | 'count' | 'findOne' | 'create' | 'update' | 'delete'

const many = ['filters', 'sort', 'fields', 'populate', 'pagination', '_q']
const one = ['fields', 'populate']
const write = ['data', ...one]
const options: Readonly<Record<QueryMethod, readonly string[]>> = {
  findMany: many,
  findPage: many,
  count: many,
  findOne: one,
  create: write,
  update: write,
  delete: one,
}
const ofPages: ReadonlySet<string> = new Set(ofPagination)

/** Option names of v4's database layer and entity service, with their names here. */
const otherNames: Readonly<Record<string, string>> = {
  where: 'filters',
  select: 'fields',
  orderBy: 'sort',
  limit: 'pagination: { limit }',
  offset: 'pagination: { start }',
  start: 'pagination: { start }',
  page: 'pagination: { page }',
  pageSize: 'pagination: { pageSize }',
}

/**
 * Refuses the options that a method does not have. A kernel has one check, created after all plugins have added their
 * parameters.
 */
export class OptionCheck {
  readonly #namesByMethod: Readonly<Record<string, ReadonlySet<string>>>
  readonly #below: ReadonlySet<string>

  /** `parameters` are the names of plugins' parameters. */
  constructor(parameters: Iterable<string>) {
    const added = [...parameters]
    this.#namesByMethod = Object.fromEntries(
      Object.entries(options).map(([name, own]) => [name, new Set([...own, ...added])]),
    )
    // The parser refuses `page` and `pageSize` with v4's message.
    this.#below = new Set([...belowPopulate, ...added])
  }

  /**
   * Throws UsageError for an option that the method does not have, at the root or below `populate`. If `isClients`, the
   * options are what a client sent to a route of an application: an unknown one is the client's mistake, a
   * ValidationError.
   */
  check(uid: string, method: QueryMethod, passedOptions: object, isClients = false): void {
    const at = { uid, method, isClients, path: '' }
    if (passedOptions === null || typeof passedOptions !== 'object')
      refuse(at, `options must be an object, found ${typeof passedOptions}`)
    const names = this.#namesByMethod[method]!
    for (const key in passedOptions) if (!names.has(key)) refuseOption(at, key, names)
    const { populate, pagination } = passedOptions as FindOptions
    if (typeof pagination === 'object' && pagination !== null) {
      const place = { ...at, path: 'pagination' }
      for (const key in pagination) if (!ofPages.has(key)) refuseOption(place, key, ofPages)
    }
    if (typeof populate === 'object' && populate !== null) this.#checkPopulate(at, 'populate', populate)
  }

  #checkPopulate(at: Place, path: string, populate: object): void {
    // Names in a list have no options, but its items may be objects.
    const isList = Array.isArray(populate)
    for (const [name, value] of Object.entries(populate)) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
      if (isList) this.#checkPopulate(at, path, value)
      else this.#checkBelow({ ...at, path: `${path}.${name}` }, value instanceof Under ? value.options : value)
    }
  }

  #checkBelow(at: Place, passedOptions: object): void {
    // Numbers as keys come from a list as qs parses it.
    for (const key in passedOptions) if (!this.#below.has(key) && !/^\d+$/.test(key)) refuseOption(at, key, this.#below)
    const { populate, on } = passedOptions as PopulateOptions
    if (typeof populate === 'object' && populate !== null) this.#checkPopulate(at, `${at.path}.populate`, populate)
    if (typeof on === 'object' && on !== null) this.#checkPopulate(at, `${at.path}.on`, on)
  }
}

/** The place of an option. */
interface Place {
  readonly uid: string
  readonly method: QueryMethod
  readonly isClients: boolean
  /** Empty at the root. */
  readonly path: string
  /** The option that is refused. */
  readonly word?: string
}

function refuseOption(place: Place, key: string, names: ReadonlySet<string>): never {
  const isRoot = place.path === ''
  const at = { ...place, word: key }
  if (isRoot && many.includes(key)) refuse(at, `the option ${key} has no effect: ${withoutEffect[at.method]}`)
  const other = Object.hasOwn(otherNames, key) ? otherNames[key]! : null
  const isThere = other !== null && names.has(other.split(':')[0]!)
  const hint = isThere ? `, did you mean "${other}"?` : knownWords(key, [...names])
  const isCut = hint.endsWith('?')
  const values = isRoot && names.has('data') ? `${isCut ? ' The' : '; the'} values of the entry belong below data` : ''
  refuse(at, `the option ${isRoot ? key : `${at.path}.${key}`} is not known${hint}${values}`)
}

const withoutEffect: Readonly<Record<string, string>> = {
  findOne: 'the entry is selected by its id',
  update: 'the entry is selected by its id',
  delete: 'the entry is selected by its id',
  create: 'a new entry is created',
}

function refuse({ uid, method, isClients, path, word }: Place, fault: string): never {
  if (isClients) {
    const at = path === '' || word === undefined ? word : `${path}.${word}`
    const error = new ValidationError(`Invalid parameters: ${fault}`, undefined, at)
    error.cited = word ?? null
    throw error
  }
  throw new UsageError('PLINTH_OPTION_UNKNOWN', `kernel.query('${uid}').${method}: ${fault}`)
}
