// The part of `plinth doctor` about the guards of a v4 project: the built-in actions that its code guards or replaces,
// so that Plinth keeps them shut, and those of them that the settings open. Runs no code of the project.

import type { PluginsConfig } from '@plinth/kernel'
import type { GuardedAction } from '@plinth/v4/project'

/** A guarded action, as `plinth doctor --json` prints it. */
export interface ReportedGuard {
  readonly action: string
  /** Null if REST of v4 does not serve it. */
  readonly method: string | null
  readonly path: string | null
  /** The code that stands before it or in its place, each with its file. */
  readonly reasons: readonly string[]
  /** True if GraphQL alone is shut. */
  readonly inGraphqlOnly: boolean
  /** True if the settings open it. */
  readonly isOpened: boolean
  /** Relations of other types through which a populate still shows the entries. */
  readonly shownBy: readonly string[]
}

/** The settings of the plugin that the report needs. */
interface Settings {
  readonly unguarded: readonly string[]
  readonly shut: Readonly<Record<string, string>>
  readonly shutInGraphql: Readonly<Record<string, string>>
}

/** The guarded actions of the project in `dir`, and of the settings in its config/plugins. */
export async function guardedIn(dir: string, plugins: PluginsConfig): Promise<ReportedGuard[]> {
  // Not at the top: the parser takes a while to load, and most commands do not need it.
  const { guardedActions, readV4Project } = await import('@plinth/v4/project')
  const { unguarded, shut, shutInGraphql } = settingsOf(plugins)
  const read = guardedActions(readV4Project(dir)).map(one => ofCode(one, unguarded))
  const configured = (reasons: Readonly<Record<string, string>>, inGraphqlOnly: boolean) =>
    Object.entries(reasons)
      .filter(([action]) => !read.some(one => one.action === action))
      .map(([action, reason]) => ({
        ...{ action, method: null, path: null, reasons: [reason], inGraphqlOnly },
        ...{ isOpened: unguarded.includes(action), shownBy: [] },
      }))
  return [...read, ...configured(shut, false), ...configured(shutInGraphql, true)]
}

function settingsOf({ v4: entry }: PluginsConfig): Settings {
  const config = (typeof entry === 'object' ? entry.config : undefined) as Partial<Settings> | undefined
  return { unguarded: config?.unguarded ?? [], shut: config?.shut ?? {}, shutInGraphql: config?.shutInGraphql ?? {} }
}

function ofCode({ action, route, inGraphqlOnly, guards, shownBy }: GuardedAction, unguarded: readonly string[]) {
  const isOpen = (name: string | undefined) => name !== undefined && unguarded.includes(name)
  return {
    action,
    method: route?.method ?? null,
    path: route === null ? null : `/api${route.path}`,
    reasons: [...new Set(guards.map(({ file, line, why }) => `${file}${line === 0 ? '' : `:${line}`}: ${why}`))],
    inGraphqlOnly,
    isOpened: isOpen(action) || guards.every(({ by }) => isOpen(by)),
    shownBy,
  }
}

/** The lines of the report: a reason that all actions have stands once before them. */
export function guardLines(guards: readonly ReportedGuard[]): string[] {
  const [first] = guards
  const common =
    guards.length < 2 ? [] : first!.reasons.filter(one => guards.every(({ reasons }) => reasons.includes(one)))
  const lines = guards.map(one =>
    guardLine({ ...one, reasons: one.reasons.filter(reason => !common.includes(reason)) }),
  )
  return [...common.map(one => `all of these: ${one}`), ...lines]
}

function guardLine({ action, method, path, reasons, inGraphqlOnly, isOpened, shownBy }: ReportedGuard): string {
  const place = inGraphqlOnly ? 'GraphQL  ' : method === null ? '' : `${method} ${path}  `
  const opened = isOpened ? ' (opened by unguarded)' : ''
  const populateNote = shownBy.length === 0 ? '' : `; a populate of ${shownBy.join(', ')} still shows its entries`
  return `${place}${action}${opened}${reasons.length === 0 ? '' : `: ${reasons.join('; ')}`}${populateNote}`
}
