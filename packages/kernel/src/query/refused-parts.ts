// Collects the parts of a query that the caller may not ask for, while the query is parsed, planned and its values are
// checked. A part is a populated branch, or an attribute that `fields` names. Knows neither the model nor rules, and is not
// used where a refusal ends the whole query.

import { PlinthError } from '../errors.ts'

/** A part of a query that was refused. */
export interface RefusedPart {
  /** An attribute that the caller may not read, or a branch that cannot be populated as it was asked for. */
  readonly kind: 'field' | 'branch'
  /** Its place in the parameters: `populate.author`, `populate.author.fields.email`, `populate.body.on.<uid>.fields.text`. */
  readonly path: string
  readonly error: PlinthError
}

/** The names on the way to a part: `populate`, `on` and `fields`, each followed by what is named there. */
export type Keys = readonly string[]

/** A refused part with its keys. */
export interface CollectedPart extends RefusedPart {
  readonly keys: Keys
}

/** A part that is worked on. */
interface Attempt {
  /** Its keys below the part that contains it. */
  readonly keys: Keys
  /** Its place, as errors name it in `at`. */
  readonly path: string
  /** Takes back what `work` has counted or written before it threw. */
  readonly undo: () => void
}

/** The refused parts of one query. */
export class RefusedParts {
  readonly #byPath = new Map<string, CollectedPart>()
  #keys: Keys = []

  get isEmpty(): boolean {
    return this.#byPath.size === 0
  }

  /** The parts, in the order in which they were refused. */
  get parts(): readonly CollectedPart[] {
    return [...this.#byPath.values()]
  }

  /** Works on a part. Returns null if an error about the part was thrown; all other errors are thrown on. */
  attempt<T>({ keys, path, undo }: Attempt, work: () => T): T | null {
    return this.within(keys, () => {
      try {
        return work()
      } catch (error) {
        if (!isAbout(error, path)) throw error
        this.add(this.#keys, error)
        undo()
        return null
      }
    })
  }

  /** Works below names that are not a part by themselves, such as the type of a dynamic zone's component. */
  within<T>(keys: Keys, work: () => T): T {
    const above = this.#keys
    this.#keys = [...above, ...keys]
    try {
      return work()
    } finally {
      this.#keys = above
    }
  }

  /** Refuses the innermost branch on the way to a place that an error is about. Throws errors that are about none of them. */
  refuseOn(keys: Keys, error: unknown): void {
    for (let length = keys.length; length > 0; length -= 2) {
      const own = keys.slice(0, length)
      if (own.at(-2) !== 'populate' || !(isAbout(error, pathOf(own)) || isAbout(error, plainPathOf(own)))) continue
      this.add(own, error)
      return
    }
    throw error
  }

  /** Adds a part; the first error of a part stays. */
  add(keys: Keys, error: PlinthError): void {
    const path = pathOf(keys)
    const kind = keys.at(-2) === 'fields' ? 'field' : 'branch'
    if (!this.#byPath.has(path)) this.#byPath.set(path, { kind, path, keys, error })
  }
}

const pathOf = (keys: Keys) => keys.join('.')

/** The path as plans name it, without the types of unions. */
const plainPathOf = (keys: Keys) => pathOf(keys.filter((_, i) => keys[i - (i % 2)] !== 'on'))

/** Returns whether an error is about what is at a path or below it. */
function isAbout(error: unknown, path: string): error is PlinthError {
  if (!(error instanceof PlinthError) || error.at === null) return false
  return error.at === path || error.at.startsWith(`${path}.`)
}
