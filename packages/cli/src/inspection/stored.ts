// Reads from the database of a v4 project what it stores for parts that Plinth does not have: rights to actions that do
// not exist, and rows of plugins.

import type { Registry } from '@plinth/kernel'
import type { LocalPlugin } from '@plinth/v4/plugins'
import { readStoredRows, type StoredRows } from './stored-rows.ts'

/** The rows that are stored for parts that Plinth does not have. */
export interface UnusedRows {
  /** Rights of roles to actions that the application does not have: the custom actions in use. */
  readonly rights: readonly { readonly action: string; readonly rows: number }[]
  /** Tables of types of plugins, with the number of their rows; null if the table is not there. */
  readonly ofPlugins: readonly { readonly uid: string; readonly table: string; readonly rows: number | null }[]
  /** The number of webhooks that v4 called and that no plugin calls. */
  readonly webhooks: number
  /** Tables that Plinth does not use, with the number of their rows. */
  readonly unused: Readonly<Record<string, number>>
}

/** The database that is searched, and the model and plugins with which it is compared. */
export interface StoredSource {
  readonly dir: string
  /** config/database */
  readonly settings: unknown
  readonly contentTypes: Registry
  /** The plugins that Plinth has. */
  readonly plugins: readonly string[]
  readonly localPlugins: readonly LocalPlugin[]
  /** Tables that Plinth does not use. */
  readonly others: readonly string[]
}

/** The table of v4 with the rights of roles, and its column. */
const rightsOfV4 = { table: 'up_permissions', column: 'action' } as const

/** The table of v4 with its webhooks. */
const webhooksOfV4 = 'strapi_webhooks'

/** Returns what is stored; nothing if the database does not open. */
export async function findStored(source: StoredSource): Promise<UnusedRows> {
  try {
    return await readStoredRows(source.settings, source.dir, rows => lookAt(source, rows))
  } catch {
    return { rights: [], ofPlugins: [], webhooks: 0, unused: {} }
  }
}

async function lookAt(
  { contentTypes, plugins, localPlugins, others }: StoredSource,
  rows: StoredRows,
): Promise<UnusedRows> {
  const actions = await rows.countBy(rightsOfV4.table, rightsOfV4.column)
  const isThere = actionsOf(contentTypes, plugins)
  const ofPlugins: UnusedRows['ofPlugins'][number][] = []
  for (const { uid, table } of localPlugins.flatMap(one => one.types))
    ofPlugins.push({ uid, table, rows: await rows.count(table) })
  const unused: Record<string, number> = {}
  for (const table of others) {
    const count = await rows.count(table)
    if (count !== null) unused[table] = count
  }
  return {
    rights: actions.flatMap(([action, count]) =>
      typeof action === 'string' && !isThere(action) ? [{ action, rows: count }] : [],
    ),
    ofPlugins,
    // The plugin reports those that it finds itself.
    webhooks: plugins.includes('webhooks') ? 0 : ((await rows.count(webhooksOfV4)) ?? 0),
    unused,
  }
}

const operations = {
  collectionType: ['find', 'findOne', 'create', 'update', 'delete'],
  singleType: ['find', 'update', 'delete'],
}

/** Returns whether the application has an action. The actions of plugins that Plinth has are taken to be there. */
function actionsOf(contentTypes: Registry, plugins: readonly string[]): (action: string) => boolean {
  const own = new Set(
    contentTypes
      .values()
      .flatMap(({ uid, kind }) => (kind === 'component' ? [] : operations[kind].map(name => `${uid}.${name}`))),
  )
  return action => own.has(action) || plugins.some(name => action.startsWith(`plugin::${name}.`))
}
