// The part of the report about a v4 project, as lines of text.

import type { PluginFacts } from '@plinth/v4/plugins'
import type { V4Report } from './v4.ts'

/** A title with its lines; a section without lines is left out. */
export type Section = readonly [title: string, lines: readonly string[]]

const numbered = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`
const at = ({ file, line }: { readonly file: string; readonly line: number }) => (line === 0 ? file : `${file}:${line}`)
const listNames = (what: string, names: readonly string[]) =>
  names.length === 0 ? '' : `; ${what} ${names.join(', ')}`

/** The maximum number of places of a use that are shown. */
const maxPlaces = 3

const shortened = (places: readonly string[]) =>
  `${places.slice(0, maxPlaces).join(', ')}${places.length > maxPlaces ? ` and ${places.length - maxPlaces} more` : ''}`

/** Returns what a plugin adds to the API, and what Plinth has for it. */
export const additionOf = ({ adds, here }: PluginFacts): string => `adds ${adds}; ${here}`

/** `isInspected`: whether the database could be looked at. */
export function v4Sections(
  { code, plugins, localPlugins, cron, stored, unindexed }: V4Report,
  isInspected: boolean,
): readonly Section[] {
  return [
    [
      'Routes of own code, which are not served',
      code.routes.map(
        one =>
          `${one.method} ${one.path}: ${one.handler}${one.auth === 'usual' ? '' : `; auth ${one.auth}`}${listNames('policies', one.policies)}${listNames('middlewares', one.middlewares)} (${at(one)})`,
      ),
    ],
    ['Methods that code adds', code.added.map(one => `${one.name} (${at(one)})`)],
    [
      'Policies and middlewares, which are not run',
      [...code.policies, ...code.middlewares].map(one => `${one.uid} (${one.file})`),
    ],
    [
      'Lifecycles',
      code.lifecycles.map(
        one => `${one.uid}: ${one.events.join(', ') || 'events that could not be read'} (${one.file})`,
      ),
    ],
    ['Cron tasks, which are not run', cron],
    ['Parts of v4 that code uses', code.uses.map(one => `${one.what}: ${shortened(one.places)}`)],
    [
      'Plugins of package.json',
      plugins.map(one =>
        one.standing === 'works' ? `${one.packageName}: ${one.here}` : `${one.packageName}: ${additionOf(one)}`,
      ),
    ],
    [
      'Plugins in src/plugins, which are not run',
      localPlugins.flatMap(one => linesOfPlugin(one, isInspected ? stored : null)),
    ],
    [
      'Rights of roles to actions that the application does not have',
      stored.rights.map(one => `${one.action}: ${one.rows} ${one.rows === 1 ? 'role' : 'roles'}`),
    ],
    [
      'Webhooks that v4 has stored, which nobody calls',
      stored.webhooks === 0 ? [] : [adviceOnWebhooks(stored.webhooks)],
    ],
    [
      'Attributes that code compares, and that have no index',
      unindexed.map(one => `${one.path}: ${one.by.join(' and ')} (${shortened(one.places)})`),
    ],
    ['Files of code that could not be read', code.faults.map(one => `${at(one)}: ${one.why}`)],
  ]
}

const adviceOnWebhooks = (count: number) =>
  `${numbered(count, 'webhook')}: install @plinth/webhooks, name it in config/plugins, and \`plinth webhooks adopt\` takes ${count === 1 ? 'it' : 'them'} over`

function linesOfPlugin(
  { name, folder, types, routes }: V4Report['localPlugins'][number],
  stored: V4Report['stored'] | null,
): string[] {
  const rowsOf = (uid: string) => stored?.ofPlugins.find(one => one.uid === uid)?.rows ?? null
  return [
    `${folder}: ${name}, with ${numbered(types.length, 'content type')} and ${numbered(routes.length, 'route')}`,
    ...types.map(({ uid, table }) => {
      const rows = rowsOf(uid)
      if (stored === null) return `  ${uid}: the table ${table}`
      return `  ${uid}: the table ${table}, ${rows === null ? 'which is not there' : numbered(rows, 'row')}`
    }),
    ...routes.map(
      one =>
        `  ${one.method} ${one.path}: ${one.handler ?? 'a function'}${one.type === 'admin' ? ', of the administration panel' : ''} (${one.file})`,
    ),
  ]
}

export function estimateSections({ estimate }: V4Report): readonly Section[] {
  return [
    ['Estimate: works', estimate.works],
    ['Estimate: works differently', estimate.differs],
    ['Estimate: guarded shut', estimate.shut],
    ['Estimate: missing', estimate.missing],
  ]
}
