// Collects the values and the shape of a query while it is parsed.

import { ValidationError } from '../errors.ts'
import { isPlainRecord } from '../record.ts'
import type { Operator } from './operators.ts'
import type { ReadableParameter } from './parameter-syntax.ts'
import { aboutSent, refusedName } from './place.ts'
import type { Slot } from './query.ts'
import type { Keys, RefusedParts } from './refused-parts.ts'
import type { UnknownNames } from './unknown-names.ts'

/** The parts of the kernel that the parser needs: operators and parameters, but not the model. */
export interface Grammar {
  readonly operators: ReadonlyMap<string, Operator>
  readonly parameters: ReadonlyMap<string, ReadableParameter>
  /** v4 drops unknown operators and so widens the result; off by default (security.md row 34). */
  readonly ignoreUnknownOperators?: boolean
  /** True if somebody listens to remarks on names that mean nothing. */
  readonly isRemarked?: boolean
}

/** Limits of one query (security.md rows 29, 40, 41). */
export const limits = { depth: 24, relations: 10, branches: 200, sorts: 50, text: 4096 } as const

/** Builds shape and values; the parsers of the clauses write into it. */
export class ShapeBuilder {
  readonly grammar: Grammar
  readonly values: unknown[] = []
  shape = ''
  #branches = 0
  #depth = 0
  readonly #refused: RefusedParts | null
  /** Checks names that mean nothing; null if nobody does. */
  readonly unknown: UnknownNames | null

  /** With `refused`, parts that are refused are collected there, and left out. */
  constructor(grammar: Grammar, refused: RefusedParts | null = null, unknown: UnknownNames | null = null) {
    this.grammar = grammar
    this.#refused = refused
    this.unknown = unknown
  }

  /** Parses a part. Returns null if it is refused: then nothing of it is in the shape. */
  part<T>(keys: Keys, path: string, work: () => T): T | null {
    if (this.#refused === null) return work()
    const [shape, count, branches, depth] = [this.shape, this.values.length, this.#branches, this.#depth]
    const undo = () => {
      this.shape = shape
      this.values.length = count
      this.#branches = branches
      this.#depth = depth
    }
    return this.#refused.attempt({ keys, path, undo }, work)
  }

  /** Parses what is below names that are not a part by themselves. */
  within<T>(keys: Keys, work: () => T): T {
    return this.#refused === null ? work() : this.#refused.within(keys, work)
  }

  /** Adds a token of syntax. */
  mark(token: string): void {
    this.shape += token
  }

  /**
   * Adds a name that the client chose at `at`, with its length, so that two names cannot be read as three. Throws
   * ValidationError for a NUL.
   */
  name(name: string, at: string): void {
    if (name.includes('\0')) {
      const path = name.replaceAll('\0', '\\0')
      throw aboutSent(refusedName(name, path, `Invalid parameter ${path}: it contains a NUL character`), at)
    }
    this.shape += `${name.length}:${name} `
  }

  /** Counts alternatives and conditions of lists. Throws ValidationError if a query has too many. */
  branch(count: number, path: string): void {
    this.#branches += count
    if (this.#branches <= limits.branches) return
    throw new ValidationError(
      `Invalid parameter ${path}: the query has more than ${limits.branches} alternatives in lists`,
      { path },
    )
  }

  /** Runs `work` below an attribute. Throws ValidationError if relations are nested too deeply. */
  descend<T>(path: string, work: () => T): T {
    // The last attribute is not a relation.
    if (++this.#depth > limits.relations + 1) {
      throw new ValidationError(`Invalid parameter ${path}: it follows more than ${limits.relations} relations`, {
        path,
      })
    }
    const result = work()
    this.#depth--
    return result
  }

  /** Replaces a value by a slot. Throws ValidationError for text that no database should receive. */
  bindValue(value: unknown, path: string): Slot {
    checkText(value, path)
    this.shape += '?'
    return this.values.push(value) - 1
  }
}

function checkText(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.length > limits.text) {
      throw new ValidationError(`Invalid value for ${path}: it is longer than ${limits.text} characters`, { path })
    }
    if (value.includes('\0'))
      throw new ValidationError(`Invalid value for ${path}: it contains a NUL character`, { path })
  } else if (Array.isArray(value)) for (const one of value) checkText(one, path)
}

/** Restores a list: qs converts lists of more than 100 items to objects with numeric keys (security.md row 27). */
export function asList(value: unknown): unknown {
  if (!isPlainRecord(value)) return value
  const keys = Object.keys(value)
  if (keys.length === 0 || !keys.every(key => /^\d+$/.test(key))) return value
  return keys.sort((a, b) => Number(a) - Number(b)).map(key => value[key])
}
