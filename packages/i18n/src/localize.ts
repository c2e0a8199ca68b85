// What keeps translations together on every write: their locale, the links between them, and the attributes they share
// (B-7.21 to B-7.30).

import {
  ApplicationError,
  type Attribute,
  type ContentType,
  type Entry,
  type Kernel,
  type ScalarAttribute,
  ValidationError,
  type Write,
} from '@plinth/kernel'
import type { Locales } from './locales.ts'

/** Is the type translated? */
export function isLocalized(type: ContentType): boolean {
  return type.pluginOptions.i18n?.localized === true
}

/** Relations and uids belong to one translation, others only where they say so (B-7.1). */
function isShared(attribute: Attribute): boolean {
  if (
    attribute.name === 'locale' ||
    attribute.kind === 'relation' ||
    attribute.kind === 'dormant' ||
    attribute.type === 'uid'
  )
    return false
  if (attribute.kind === 'scalar' && (attribute.readonly || attribute.name === 'publishedAt')) return false
  const options = attribute.definition.pluginOptions as { i18n?: { localized?: boolean } } | undefined
  return options?.i18n?.localized !== true
}

/** The attributes whose values all translations of an entry share. */
export function sharedAttributes(type: ContentType): Attribute[] {
  return [...type.attributes.values()].filter(isShared)
}

/** Checks and completes what was sent. */
export async function prepareWrite(kernel: Kernel, locales: Locales, write: Write): Promise<void> {
  const { data } = write
  if (write.action === 'update') {
    // An entry keeps its locale and its translations (B-7.26).
    delete data.locale
    delete data.localizations
  } else {
    data.locale ??= locales.default
    if (!locales.has(data.locale)) throw new ApplicationError("This locale doesn't exist")
    if (data.localizations !== undefined && data.localizations !== null) await joinSiblings(kernel, write)
  }
  await checkPerLocale(kernel, write)
}

/** A new translation is linked with all that its sources are linked with, in a locale of its own, and takes what they share. */
async function joinSiblings(kernel: Kernel, write: Write): Promise<void> {
  const { data, type, context } = write
  const sources = Array.isArray(data.localizations) ? data.localizations : [data.localizations]
  const components = sharedAttributes(type).filter(one => one.kind === 'component' || one.kind === 'zone')
  const populate = Object.fromEntries(components.map(one => [one.name, { populate: '*' }]))
  const params = { populate: { ...populate, localizations: { fields: ['locale'] } } }
  const siblings = new Map<number, unknown>()
  const taken = new Set<string>()
  for (const source of sources) {
    const id = Number((source as { id?: unknown } | null)?.id ?? source)
    const entry = Number.isSafeInteger(id) ? await kernel.writer.entries.read(type.uid, id, context, params) : null
    // Left to the kernel, which says how many do not exist.
    if (entry === null) return
    for (const one of [entry, ...(entry.localizations as Entry[])]) siblings.set(one.id, one.locale)
    for (const one of sharedAttributes(type)) {
      if (data[one.name] !== undefined) continue
      data[one.name] = one.kind === 'scalar' ? entry[one.name] : withoutIds(entry[one.name])
      taken.add(one.name)
    }
  }
  // What one source gave, its translations have: they keep their rows.
  if (sources.length === 1) write.state.i18n = taken
  if ([...siblings.values()].includes(data.locale)) throw new ApplicationError('locale is already used')
  data.localizations = [...siblings.keys()]
  // A single type has one entry a locale: the first by its own route, the others as translations of it (B-4.91).
  if (siblings.size > 0) write.alone = false
}

/** Attributes with `unique: 'perLocale'`: one value once in each locale. An index has the last word. */
export function perLocaleAttributes(type: ContentType): ScalarAttribute[] {
  return [...type.attributes.values()].filter(
    (one): one is ScalarAttribute => one.kind === 'scalar' && one.definition.unique === 'perLocale',
  )
}

async function checkPerLocale(kernel: Kernel, write: Write): Promise<void> {
  for (const attribute of perLocaleAttributes(write.type)) {
    const value = write.data[attribute.name]
    if (value === undefined || value === null || typeof value === 'object') continue
    const locale = write.action === 'create' ? write.data.locale : (await write.before())?.locale
    const { dialect } = kernel.database
    const q = (name: string) => dialect.quote(name)
    const where = `${q(attribute.column)} = ? AND ${q('locale')} = ? AND ${q('id')} <> ?`
    const text = dialect.finish(`SELECT 1 FROM ${q(write.type.table)} WHERE ${where} LIMIT 1`)
    const values = [value as string | number, String(locale), write.id ?? 0]
    if ((await kernel.database.read(session => session.all(text, values))).length === 0) continue
    throw ValidationError.ofFields([
      { path: [attribute.name], message: 'This attribute must be unique', name: 'ValidationError' },
    ])
  }
}

/** Inside the transaction: links a new translation with all others, and carries shared values to them. */
export async function finishWrite(kernel: Kernel, write: Write): Promise<void> {
  // The siblings' own updates, made below, end here.
  if (write.context.state.i18n === true) return
  const siblings = await siblingsOf(kernel, write)
  if (siblings.length === 0) return
  if (write.action === 'create') await linkAll(kernel, write, siblings)
  await shareScalars(kernel, write, siblings)
  await shareComponents(kernel, write, siblings)
}

interface LinkTable {
  readonly table: string
  readonly from: string
  readonly to: string
  readonly order: string
}

function linkTable(type: ContentType): LinkTable {
  const attribute = type.attributes.get('localizations')
  if (attribute?.kind !== 'relation' || attribute.join.via !== 'links')
    throw new Error(`${type.uid} has no localizations`)
  const { table, from, to, order } = attribute.join
  return { table, from, to, order: order! }
}

async function siblingsOf(kernel: Kernel, write: Write): Promise<number[]> {
  const { table, from, to, order } = linkTable(write.type)
  const { dialect } = kernel.database
  const q = (name: string) => dialect.quote(name)
  const text = `SELECT ${q(to)} FROM ${q(table)} WHERE ${q(from)} = ? ORDER BY ${q(order)}`
  const rows = await write.tx!.all(dialect.finish(text), [write.id!])
  return rows.map(([id]) => Number(id))
}

/** v4 reads each translation as linked to each other one. */
async function linkAll(kernel: Kernel, write: Write, siblings: readonly number[]): Promise<void> {
  const { table, from, to, order } = linkTable(write.type)
  const { dialect } = kernel.database
  const q = (name: string) => dialect.quote(name)
  const next = `COALESCE(MAX(x.${q(order)}), 0) + 1`
  const into = `INSERT INTO ${q(table)} (${q(from)}, ${q(to)}, ${q(order)})`
  const text = dialect.finish(`${into} SELECT ?, ?, ${next} FROM ${q(table)} x WHERE x.${q(from)} = ?`)
  for (const sibling of siblings) await write.tx!.run(text, [sibling, write.id!, sibling])
}

async function shareScalars(kernel: Kernel, write: Write, siblings: readonly number[]): Promise<void> {
  const shared = sharedAttributes(write.type).filter(
    (one): one is ScalarAttribute =>
      one.kind === 'scalar' && (write.action === 'create' || Object.hasOwn(write.data, one.name)),
  )
  if (shared.length === 0) return
  const { dialect } = kernel.database
  const q = (name: string) => dialect.quote(name)
  const columns = shared.map(one => q(one.column))
  const table = q(write.type.table)
  const [row] = await write.tx!.all(dialect.finish(`SELECT ${columns.join(', ')} FROM ${table} WHERE ${q('id')} = ?`), [
    write.id!,
  ])
  const set = columns.map(column => `${column} = ?`).join(', ')
  const text = dialect.finish(`UPDATE ${table} SET ${set} WHERE ${dialect.within(q('id'))}`)
  await write.tx!.run(text, [...(row as never[]), dialect.list(siblings)])
}

/** Shared components are copied by value: every translation has rows of its own (B-7.28). */
async function shareComponents(kernel: Kernel, write: Write, siblings: readonly number[]): Promise<void> {
  const taken = write.state.i18n as ReadonlySet<string> | undefined
  const shared = sharedAttributes(write.type).filter(
    one =>
      (one.kind === 'component' || one.kind === 'zone') && Object.hasOwn(write.data, one.name) && !taken?.has(one.name),
  )
  if (shared.length === 0) return
  const populate = Object.fromEntries(shared.map(one => [one.name, { populate: '*' }]))
  const entry = await kernel.writer.entries.read(write.type.uid, write.id!, write.context, { populate })
  const data = Object.fromEntries(shared.map(one => [one.name, withoutIds(entry![one.name])]))
  const context = { ...write.context, state: { ...write.context.state, i18n: true } }
  for (const sibling of siblings) await kernel.writer.update(write.type.uid, sibling, data, {}, context)
}

/** A component's value as new: its own ids go, those of linked entries stay. */
export function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (value === null || typeof value !== 'object') return value
  const { id: _id, ...rest } = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(rest).map(([key, one]) => [key, isEntry(one) ? linked(one) : withoutIds(one)]),
  )
}

/** Entries carry timestamps, components do not. */
function isEntry(value: unknown): boolean {
  const one = Array.isArray(value) ? value[0] : value
  return one !== null && typeof one === 'object' && 'id' in one && 'createdAt' in one
}

function linked(value: unknown): unknown {
  return Array.isArray(value) ? value.map(one => (one as { id: number }).id) : (value as { id: number }).id
}
