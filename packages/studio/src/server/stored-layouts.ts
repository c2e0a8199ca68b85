// Reads how v4's panel presented types: the settings, labels and layouts that it stored for each type and component. They
// are defaults of the panel, below what config/plugins says. It does not know who asks for them.

import { type ContentType, isRecord, type Kernel } from '@plinth/kernel'
import { pageSizes, type TypeSettings } from './config.ts'
import type { SettingsByUid } from './settings.ts'

/** v4's table of settings. A key is the prefix and the uid. */
const table = 'strapi_core_store_settings'
const keyPattern = /^plugin_content_manager_configuration_(?:content_types|components)::(.+)$/

/**
 * Reads the layouts of the types that exist; {} without the table of v4. Rows that cannot be read, and those of types of the
 * application that do not exist any more, are left out and named in one line of the log.
 */
export async function readStoredLayouts({ knex, contentTypes, log }: Kernel): Promise<SettingsByUid> {
  if (!(await knex.schema.hasTable(table))) return {}
  const rows: readonly { readonly key: string; readonly value: unknown }[] = await knex(table)
    .where('key', 'like', 'plugin_content_manager_configuration_%')
    .orderBy('id')
    .select('key', 'value')
  const types = new Map(contentTypes.values().map(type => [type.uid, type]))
  const layouts = new Map<string, TypeSettings>()
  const faults: string[] = []
  for (const { key, value } of rows) {
    const uid = keyPattern.exec(key)?.[1]
    // v4 reads the first of two rows with one key.
    if (uid === undefined || layouts.has(uid)) continue
    const type = types.get(uid)
    const layout = type === undefined ? null : parseLayout(value, type)
    if (layout !== null) layouts.set(uid, layout)
    else if (type !== undefined) faults.push(`${uid} (cannot be read)`)
    else if (!isOfPlugin(uid)) faults.push(`${uid} (does not exist)`)
  }
  if (faults.length > 0) log.warn(`studio: layouts that v4's panel stored are left out: ${faults.join(', ')}`)
  return Object.fromEntries(layouts)
}

/** v4 has types of plugins that Plinth does not have. */
const isOfPlugin = (uid: string) => /^(?:admin|plugin)::/.test(uid)

type Values = Readonly<Record<string, unknown>>

/** The settings in a stored value; null if it is not one of v4. Attributes that do not exist are left out. */
function parseLayout(value: unknown, type: ContentType): TypeSettings | null {
  const stored = parseObject(value)
  const [settings, metadatas, layouts] = ['settings', 'metadatas', 'layouts'].map(name => recordOf(stored?.[name]))
  if (!settings || !metadatas || !layouts) return null
  const attributes = new Map(Object.entries(metadatas).filter(([name]) => type.attributes.has(name)))
  const edits = new Map([...attributes].map(([name, one]) => [name, recordOf(recordOf(one)?.edit) ?? {}]))
  const lists = new Map([...attributes].map(([name, one]) => [name, recordOf(recordOf(one)?.list) ?? {}]))
  const layout = rowsOf(layouts, type)
  return {
    ...mainFieldOf(settings, type),
    ...sortOf(settings, type),
    ...pageSizeOf(settings),
    ...columnsOf(layouts, type),
    ...(layout.length > 0 && { layout, hiddenAttributes: leftOut(layout, edits, type) }),
    labels: textsOf(edits, (edit, name) => labelOf(edit, name) ?? labelOf(lists.get(name) ?? {}, name)),
    descriptions: textsOf(edits, edit => textOf(edit.description)),
    readonlyAttributes: [...edits].flatMap(([name, edit]) => (edit.editable === false ? [name] : [])),
  }
}

function parseObject(value: unknown): Values | null {
  try {
    return recordOf(JSON.parse(String(value)))
  } catch {
    return null
  }
}

const recordOf = (value: unknown): Values | null => (isRecord(value) ? value : null)

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)

/** By default v4 stores the name of the attribute as its label: the panel makes a better one. */
function labelOf({ label }: Values, name: string): string | null {
  return label === name ? null : textOf(label)
}

/** By default v4 stores the id where a type has no text: the panel may find one. */
function mainFieldOf({ mainField }: Values, type: ContentType): Pick<TypeSettings, 'mainField'> {
  return isListed(type, mainField) ? { mainField } : {}
}

function sortOf({ defaultSortBy, defaultSortOrder }: Values, type: ContentType): Pick<TypeSettings, 'sort'> {
  if (defaultSortBy !== 'id' && !isListed(type, defaultSortBy)) return {}
  return { sort: `${defaultSortBy}:${String(defaultSortOrder).toLowerCase() === 'desc' ? 'desc' : 'asc'}` }
}

function pageSizeOf(settings: Values): Pick<TypeSettings, 'pageSize'> {
  const pageSize = pageSizes.find(size => size === settings.pageSize)
  return pageSize === undefined ? {} : { pageSize }
}

/** v4 shows the state and the locale beside the stored columns. */
function columnsOf(layouts: Values, { attributes }: ContentType): Pick<TypeSettings, 'columns'> {
  const stored = listOf(layouts.list).filter(name => name === 'id' || attributes.has(name as string)) as string[]
  const added = ['publishedAt', 'locale'].filter(name => attributes.has(name))
  return stored.length === 0 ? {} : { columns: [...new Set([...stored, ...added])] }
}

/** The rows of the form. Earlier versions of v4 keep relations in a list of their own. */
function rowsOf({ edit, editRelations }: Values, { attributes }: ContentType): string[][] {
  const cells = listOf(edit).map(row => listOf(row).map(cell => recordOf(cell)?.name))
  const names = new Set(cells.flat())
  const relations = listOf(editRelations).filter(name => !names.has(name))
  return [...cells, ...relations.map(name => [name])]
    .map(row => row.filter((name): name is string => typeof name === 'string' && attributes.has(name)))
    .filter(row => row.length > 0)
}

/** Returns the attributes that v4's panel knew and did not show in the form. Required attributes are shown nevertheless. */
function leftOut(
  layout: readonly string[][],
  edits: ReadonlyMap<string, Values>,
  { attributes }: ContentType,
): string[] {
  const shownNames = new Set(layout.flat())
  return [...edits.keys()].filter(name => {
    const { required, readonly } = attributes.get(name)!
    return !shownNames.has(name) && !required && !readonly
  })
}

/** Lists can name and sort entries by the values of such an attribute. */
function isListed({ attributes }: ContentType, name: unknown): name is string {
  const attribute = typeof name === 'string' ? attributes.get(name) : undefined
  return attribute?.kind === 'scalar' && !attribute.private
}

function textsOf(
  edits: ReadonlyMap<string, Values>,
  find: (edit: Values, name: string) => string | null,
): Record<string, string> {
  return Object.fromEntries(
    [...edits].flatMap(([name, edit]) => {
      const text = find(edit, name)
      return text === null ? [] : [[name, text]]
    }),
  )
}
