// Calls the resolvers of own fields of entries before an answer is written: once for each entry that shows the field, with
// what execution would pass. If a value is an error, or the rest of the answer must be executed, execution receives these
// values instead of calling the resolvers again.

import type { CalledField } from '../operation/output.ts'
import { isPromise, ownText, readable, settle, UnwritableValue } from './own-values.ts'
import type { CallPlace, Path, ResolverCalls } from './resolver-calls.ts'

/** The value of one field of one entry. */
interface OwnValue {
  readonly path: Path
  readonly called: CalledField
  /** The value that execution receives. */
  value: unknown
  /** Without promises, when all have been waited for. */
  settled: unknown
}

/** The own fields of one answer. */
export class OwnFields {
  readonly #calls: ResolverCalls
  /** In the order in which they are written. */
  readonly #values: OwnValue[] = []
  readonly #waiting: PromiseLike<void>[] = []
  #byPath: Map<string, OwnValue> | null = null

  constructor(calls: ResolverCalls) {
    this.#calls = calls
  }

  /** Calls the resolver of a field. Fields are called in the order in which they are written. */
  call(place: CallPlace): void {
    const { called, path } = place
    const { type } = called.field
    const value = readable(type, () => this.#calls.call(place))
    const settled = settle(type, value)
    const own: OwnValue = { path, called, value, settled }
    this.#values.push(own)
    if (!isPromise(settled)) return
    const wait = settled.then(one => {
      own.settled = one
    })
    this.#waiting.push(wait)
  }

  /** Waits for all values, and returns their texts; null if one of them is an error, which execution reports. */
  async texts(): Promise<readonly string[] | null> {
    if (this.#waiting.length > 0) await Promise.all(this.#waiting)
    const texts: string[] = []
    let hasError = false
    for (const own of this.#values) {
      try {
        texts.push(ownText(own.called.field.type, own.settled))
      } catch (error) {
        if (error instanceof UnwritableValue) own.value = located(error, own.called)
        hasError = true
      }
    }
    return hasError ? null : texts
  }

  /** Returns the value of the field at a path, for its resolver in execution; undefined if it was not called. */
  find(path: Path): { readonly value: unknown } | undefined {
    this.#byPath ??= new Map(this.#values.map(one => [textOf(one.path), one]))
    return this.#byPath.get(textOf(path))
  }
}

function located({ message, cause }: UnwritableValue, { parent, field }: CalledField): UnwritableValue {
  return new UnwritableValue(`${parent.name}.${field.name}: ${message}`, { cause })
}

function textOf(path: Path): string {
  let text = ''
  for (let at: Path | undefined = path; at !== undefined; at = at.prev) text += `${at.key}.`
  return text
}
