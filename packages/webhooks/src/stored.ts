// The webhooks that were taken over from v4: a table of their own, because v4's is dropped with v4's other ones some day.
// v4's table is read and never changed.

import { isRecord, type Kernel, type OwnTables, PluginConfigError } from '@plinth/kernel'
import { type Config, type EventName, entryEvents, mediaEvents } from './config.ts'
import { type As, type Hook, hookOf } from './hooks.ts'

const table = 'webhooks_stored'

/** The table in which v4 has its webhooks. */
export const tableOfV4 = 'strapi_webhooks'

export const storedTables: OwnTables = {
  [table](columns) {
    columns.string('name', 64).primary()
    columns.text('url').notNullable()
    columns.text('headers').notNullable()
    columns.text('events').notNullable()
    columns.text('caller')
    columns.integer('is_enabled').notNullable()
  },
}

/** A webhook of v4. */
export interface HookOfV4 {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly events: readonly EventName[]
  readonly isEnabled: boolean
}

/** The columns of v4's table, in the order in which `hookOfV4` takes their values. */
export const columnsOfV4 = ['name', 'url', 'headers', 'events', 'enabled'] as const

const eventNames: readonly string[] = [...entryEvents, ...mediaEvents]

/** Returns a webhook from the values of v4's columns, which drivers read as text, numbers or objects. */
export function hookOfV4([name, url, headers, events, enabled]: readonly unknown[]): HookOfV4 {
  const texts = Object.entries(parsed(headers)).filter((one): one is [string, string] => typeof one[1] === 'string')
  const listed = Object.values(parsed(events)).filter((one): one is EventName => eventNames.includes(String(one)))
  return {
    name: String(name),
    url: String(url),
    headers: Object.fromEntries(texts),
    events: listed,
    isEnabled: enabled === true || Number(enabled) === 1,
  }
}

function parsed(value: unknown): object {
  try {
    const read: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return Array.isArray(read) || isRecord(read) ? read : {}
  } catch {
    return {}
  }
}

/** A name as the settings could have it: `Deploy hook!` becomes `deploy-hook`. */
export function namedAs(name: string, takenNames: readonly string[]): string {
  const base =
    name
      .toLowerCase()
      .replaceAll(/[^\w]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 56) || 'hook'
  for (let i = 1; ; i++) {
    const candidate = i === 1 ? base : `${base}-${i}`
    if (!takenNames.includes(candidate)) return candidate
  }
}

/** Reads v4's webhooks; none if there is no such table. */
export async function readHooksOfV4({ knex }: Kernel): Promise<readonly HookOfV4[]> {
  if (!(await knex.schema.hasTable(tableOfV4))) return []
  const rows: readonly Record<string, unknown>[] = await knex(tableOfV4)
    .orderBy('id')
    .select(...columnsOfV4)
  return rows.map(row => hookOfV4(columnsOfV4.map(name => row[name])))
}

/** The webhooks that were taken over. */
export async function readStored({ knex }: Kernel): Promise<readonly Hook[]> {
  const rows: readonly Record<string, unknown>[] = await knex(table).orderBy('name')
  return rows.map(row => {
    const { headers, events } = hookOfV4([row.name, row.url, row.headers, row.events, row.is_enabled])
    const as = row.caller === null ? null : (JSON.parse(String(row.caller)) as As)
    const config = { url: String(row.url), headers, events: [...events], enabled: Number(row.is_enabled) === 1 }
    return hookOf(String(row.name), { ...config, ...(as !== null && { as }) }, 'v4')
  })
}

/** Takes webhooks over. */
export async function store(kernel: Kernel, hooks: readonly HookOfV4[], as: As): Promise<void> {
  const rows = hooks.map(({ name, url, headers, events, isEnabled }) => ({
    name,
    url,
    headers: JSON.stringify(headers),
    events: JSON.stringify(events),
    caller: as === null ? null : JSON.stringify(as),
    is_enabled: isEnabled ? 1 : 0,
  }))
  await kernel.transaction(async tx => void (await tx.knex(table).insert(rows)))
}

/** Forgets one that was taken over. Returns whether there was one. */
export async function forget(kernel: Kernel, name: string): Promise<boolean> {
  return (await kernel.transaction(async tx => await tx.knex(table).where({ name }).delete())) > 0
}

/** Returns the webhooks of the settings, and those that were taken over. Throws PluginConfigError for names in both. */
export async function allHooks(kernel: Kernel, { stored }: Config, configured: readonly Hook[]): Promise<Hook[]> {
  if (!stored) return [...configured]
  const storedHooks = await readStored(kernel)
  const twice = storedHooks.filter(one => configured.some(({ name }) => name === one.name)).map(({ name }) => name)
  if (twice.length > 0)
    throw new PluginConfigError(
      twice.map(name => `webhooks.config.hooks.${name} was taken over from v4, too; \`plinth webhooks drop ${name}\``),
    )
  return [...configured, ...storedHooks]
}
