// Checks names in the parameters of a query that mean nothing, which v4 ignores (B-2.4): they are ignored, and may be
// remarked on or refused. Knows no model: names of attributes are checked where a query is planned.

import { ValidationError } from '../errors.ts'
import { suggestion } from '../nearest.ts'
import { belowPopulate, ofPagination } from './clause-names.ts'
import type { ReadableParameter } from './parameter-syntax.ts'

/** Clauses at the root of a query, beside parameters of plugins. */
const rootWords = ['filters', 'sort', 'fields', 'populate', 'pagination', '_q']

/** Checks the names of one query. */
export class UnknownNames {
  readonly #refuses: boolean
  readonly #parameters: ReadonlyMap<string, ReadableParameter>
  readonly #remarks: string[] = []

  constructor(refuses: boolean, parameters: ReadonlyMap<string, ReadableParameter>) {
    this.#refuses = refuses
    this.#parameters = parameters
  }

  /** The names that were found, for people. */
  get remarks(): readonly string[] {
    return this.#remarks
  }

  /** Checks the clauses of a query, and the keys of its `pagination`. Throws ValidationError if they are refused. */
  checkRoot(params: Readonly<Record<string, unknown>>): void {
    this.#check('', params, [...rootWords, ...this.#parameters.keys()])
    const { pagination } = params
    if (typeof pagination === 'object' && pagination !== null && !Array.isArray(pagination))
      this.#check('pagination', pagination, ofPagination)
  }

  /** Checks the options of a populated attribute. Throws ValidationError if they are refused. */
  checkBelow(path: string, options: Readonly<Record<string, unknown>>): void {
    this.#check(path, options, [...belowPopulate, ...this.#parameters.keys()])
  }

  #check(path: string, options: object, words: readonly string[]): void {
    for (const name of Object.keys(options)) {
      // Numbers as keys come from a list as qs parses it.
      if (words.includes(name) || /^\d+$/.test(name)) continue
      const hint = suggestion(name, words)
      if (this.#refuses) throw unknownName(path, name, hint)
      this.#remarks.push(`${path === '' ? '' : `${path}: `}unknown parameter "${name}"${hint}`)
    }
  }
}

/** The 400 for a name that v4 ignores, with its place and the nearest right name. */
export function unknownName(path: string, name: string, hint: string): ValidationError {
  const error = new ValidationError(`Invalid parameter ${name}${hint}`, {
    path: path === '' ? name : `${path}.${name}`,
  })
  error.cited = name
  return error
}
