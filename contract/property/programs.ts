/**
 * The type of programs of concurrent writes: data that follow from a seed and a number, and that can be printed. Runs
 * nothing.
 */

/**
 * A placeholder for the id of an entry that the program created; `type` is set if the relation may refer to any type.
 */
export interface Ref {
  readonly $ref: string
}

/** Values as they are sent, with placeholders instead of ids. */
export type Data = Readonly<Record<string, unknown>>

/** `kernel` calls kernel.query, `rest` sends a request. */
export type Transport = 'kernel' | 'rest'

/** One write. `entry` and `as` are names of entries, `type` is a uid. */
export type Step =
  | {
      readonly do: 'create'
      readonly type: string
      readonly as: string
      readonly data: Data
      readonly transport: Transport
    }
  | {
      readonly do: 'update'
      readonly type: string
      readonly entry: string
      readonly data: Data
      readonly transport: Transport
    }
  /**
   * Reads the components of a field and sends them back in reverse order, without the first one, and with new texts.
   */
  | {
      readonly do: 'rework'
      readonly type: string
      readonly entry: string
      readonly field: string
      readonly word: string
    }
  | { readonly do: 'delete'; readonly type: string; readonly entry: string; readonly transport: Transport }
  /** POST …/localizations. `entry` is null for a single type. */
  | {
      readonly do: 'translate'
      readonly type: string
      readonly entry: string | null
      readonly as: string
      readonly data: Data
    }
  /** PUT and DELETE of a single type. */
  | { readonly do: 'put'; readonly type: string; readonly data: Data }
  | { readonly do: 'drop'; readonly type: string }
  /** Steps one after the other in one transaction. If it `fails`, it throws an error at its end. */
  | { readonly do: 'transaction'; readonly steps: readonly Step[]; readonly fails: boolean }

/** An entry that exists before the writes begin. Translations have the `family` of their first entry. */
export interface InitialEntry {
  readonly name: string
  readonly type: string
  readonly data: Data
  readonly family: string
}

/** Steps one after the other, by one client of one process. */
export interface Actor {
  readonly process: number
  readonly steps: readonly Step[]
}

export interface Program {
  readonly number: number
  readonly theme: string
  readonly initial: readonly InitialEntry[]
  /** The clients, which run concurrently. */
  readonly actors: readonly Actor[]
  /** The single types that it writes; only one program at a time may write each of them. */
  readonly singles: readonly string[]
}

/** All steps, with transactions replaced by the steps that they contain. */
export function flatten(steps: readonly Step[]): Exclude<Step, { do: 'transaction' }>[] {
  return steps.flatMap(step => (step.do === 'transaction' ? flatten(step.steps) : [step]))
}

/** Replaces placeholders by ids. Null if one of the ids is unknown. */
export function resolve(value: unknown, ids: Readonly<Record<string, number>>): unknown {
  let isKnown = true
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk)
    if (one === null || typeof one !== 'object') return one
    if ('$ref' in one) {
      const id = ids[one.$ref as string]
      if (id === undefined) isKnown = false
      return id
    }
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, walk(inner)]))
  }
  const resolved = walk(value)
  return isKnown ? resolved : null
}

/** A program as text: its initial entries, then one line per client. */
export function print({ number, theme, initial, actors }: Program): string {
  const say = ({ do: verb, ...rest }: Step): string =>
    rest && 'steps' in rest
      ? `transaction${rest.fails ? ' that throws' : ''} { ${rest.steps.map(say).join('; ')} }`
      : `${verb} ${JSON.stringify(rest)}`
  return [
    `program ${number} (${theme})`,
    ...initial.map(one => `  there is ${one.name}: ${one.type} ${JSON.stringify(one.data)}`),
    ...actors.map((one, i) => `  actor ${i + 1}, process ${one.process + 1}: ${one.steps.map(say).join('; then ')}`),
  ].join('\n')
}
