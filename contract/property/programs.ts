/** What a program of concurrent writes is: data, which follows from a seed and a number and can be printed. Runs nothing. */

/** Stands for the id of an entry that the program has made; `type` where the relation may point at any type. */
export interface Ref {
  readonly $ref: string
}

/** Values as they are sent, with references in place of ids. */
export type Data = Readonly<Record<string, unknown>>

/** `kernel` calls kernel.query, `rest` sends a request. */
export type Door = 'kernel' | 'rest'

/** One write. `entry` and `as` are names of entries, `type` is a uid. */
export type Step =
  | { readonly do: 'create'; readonly type: string; readonly as: string; readonly data: Data; readonly door: Door }
  | { readonly do: 'update'; readonly type: string; readonly entry: string; readonly data: Data; readonly door: Door }
  /** Reads the components of a field and sends them back in reverse order, without the first, with new words. */
  | {
      readonly do: 'rework'
      readonly type: string
      readonly entry: string
      readonly field: string
      readonly word: string
    }
  | { readonly do: 'delete'; readonly type: string; readonly entry: string; readonly door: Door }
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
  /** One after the other in one transaction, which throws at its end where it `fails`. */
  | { readonly do: 'transaction'; readonly steps: readonly Step[]; readonly fails: boolean }

/** An entry that is there before the writes begin. Translations have their first entry's `family`. */
export interface WorldEntry {
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
  readonly world: readonly WorldEntry[]
  /** They run at once. */
  readonly actors: readonly Actor[]
  /** Single types it writes; a database holds one program of each at a time. */
  readonly singles: readonly string[]
}

/** All steps, those inside transactions instead of the transactions. */
export function flatten(steps: readonly Step[]): Exclude<Step, { do: 'transaction' }>[] {
  return steps.flatMap(step => (step.do === 'transaction' ? flatten(step.steps) : [step]))
}

/** Puts ids in place of references; null where one of them is not known. */
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

/** A program as lines: its world, then an actor a line. */
export function print({ number, theme, world, actors }: Program): string {
  const say = ({ do: verb, ...rest }: Step): string =>
    rest && 'steps' in rest
      ? `transaction${rest.fails ? ' that throws' : ''} { ${rest.steps.map(say).join('; ')} }`
      : `${verb} ${JSON.stringify(rest)}`
  return [
    `program ${number} (${theme})`,
    ...world.map(one => `  there is ${one.name}: ${one.type} ${JSON.stringify(one.data)}`),
    ...actors.map((one, i) => `  actor ${i + 1}, process ${one.process + 1}: ${one.steps.map(say).join('; then ')}`),
  ].join('\n')
}
