// Finds the actions that are shut, from the files of the project and from the settings, and what the settings open again. Knows no
// kernel.

import type { Config } from './config.ts'
import { reasonsOf } from './project/guarded.ts'
import type { Guard } from './project/model.ts'

/** An action that answers 403. */
export interface ShutAction {
  readonly action: string
  /** True if GraphQL alone is shut. */
  readonly inGraphqlOnly: boolean
  /** The guard that it has in v4: file and sentence. */
  readonly reasons: readonly string[]
}

/** The actions that stay shut, and all names that `unguarded` may have. */
export interface Shut {
  readonly actions: readonly ShutAction[]
  readonly names: readonly string[]
}

export function shutBy(guards: readonly Guard[], config: Config): Shut {
  const read = guards.map(one => ({ ...one, why: reasonsOf([one])[0]! }))
  const all: readonly GuardCause[] = [
    ...read,
    ...causesIn(config.shut, 'all'),
    ...causesIn(config.shutInGraphql, 'graphql'),
  ]
  const opened = new Set(config.unguarded)
  const left = all.filter(({ action, by }) => !opened.has(action) && (by === undefined || !opened.has(by)))
  const middlewares = all.flatMap(({ by }) => by ?? [])
  return { actions: byAction(left), names: [...new Set([...all.map(({ action }) => action), ...middlewares])] }
}

/** A guard whose reason has the file, as settings give it. */
type GuardCause = Pick<Guard, 'action' | 'shuts' | 'by' | 'why'>

const causesIn = (reasons: Config['shut'], shuts: Guard['shuts']): readonly GuardCause[] =>
  Object.entries(reasons ?? {}).map(([action, why]) => ({ action, why, shuts }))

function byAction(guards: readonly GuardCause[]): readonly ShutAction[] {
  const reasonsByAction = new Map<string, GuardCause[]>()
  for (const one of guards) reasonsByAction.set(one.action, [...(reasonsByAction.get(one.action) ?? []), one])
  return [...reasonsByAction].map(([action, own]) => ({
    action,
    inGraphqlOnly: own.every(one => one.shuts === 'graphql'),
    reasons: [...new Set(own.map(({ why }) => why))],
  }))
}
