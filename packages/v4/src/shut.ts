// Which actions are shut, from the files of the project and from the settings, and what the settings open again. Knows no
// kernel.

import type { Config } from './config.ts'
import type { Guard } from './project/model.ts'

/** An action that answers 403. */
export interface ShutAction {
  readonly action: string
  /** Whether GraphQL alone is shut. */
  readonly inGraphqlOnly: boolean
  /** What stands before it in v4: file and sentence. */
  readonly reasons: readonly string[]
}

/** The actions that stay shut, and all names that `unguarded` may have. */
export interface Shut {
  readonly actions: readonly ShutAction[]
  readonly names: readonly string[]
}

export function shutBy(guards: readonly Guard[], config: Config): Shut {
  const all = [...guards, ...givenBy(config.shut, 'all'), ...givenBy(config.shutInGraphql, 'graphql')]
  const opened = new Set(config.unguarded)
  const left = all.filter(({ action, by }) => !opened.has(action) && (by === undefined || !opened.has(by)))
  const middlewares = all.flatMap(({ by }) => by ?? [])
  return { actions: byAction(left), names: [...new Set([...all.map(({ action }) => action), ...middlewares])] }
}

/** A guard as settings give it: the reason has the file already. */
type Given = Pick<Guard, 'action' | 'shuts' | 'by' | 'why'> & Partial<Guard>

const givenBy = (reasons: Config['shut'], shuts: Guard['shuts']): readonly Given[] =>
  Object.entries(reasons ?? {}).map(([action, why]) => ({ action, why, shuts }))

function byAction(guards: readonly Given[]): readonly ShutAction[] {
  const found = new Map<string, Given[]>()
  for (const one of guards) found.set(one.action, [...(found.get(one.action) ?? []), one])
  return [...found].map(([action, own]) => ({
    action,
    inGraphqlOnly: own.every(one => one.shuts === 'graphql'),
    reasons: [...new Set(own.map(reasonOf))],
  }))
}

/** `src/api/note/routes/note.js:5: the policy is-owner is not run` */
export function reasonOf({ file, line, why }: Pick<Given, 'file' | 'line' | 'why'>): string {
  if (file === undefined) return why
  return `${file}${line === undefined || line === 0 ? '' : `:${line}`}: ${why}`
}
