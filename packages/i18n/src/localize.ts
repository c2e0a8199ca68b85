// What keeps translations together on every write: their locale, the links between them, and the attributes they share
// (B-7.21 to B-7.30).

import {
  ApplicationError,
  type Attribute,
  type ContentType,
  type Entry,
  InvalidSchemaError,
  type Kernel,
  NotFoundError,
  nearest,
  StaleReadError,
  systemAccess,
  type TypeDraft,
  type Write,
} from '@plinth/kernel'
import { isLocalized, type Locales } from './locales.ts'

/** `unique: 'perLocale'` becomes an index: the kernel checks it, and the database has the last word. */
export function indexPerLocale(draft: TypeDraft): void {
  for (const [name, { unique }] of draft.attributes) {
    if (typeof unique !== 'string' || nearest(unique, ['perLocale']) === null) continue
    if (unique !== 'perLocale' || !isLocalized(draft)) {
      const fault = `must be true, or "perLocale" where the type has pluginOptions.i18n.localized; found "${unique}"`
      throw new InvalidSchemaError(draft.source, `attributes.${name}.unique`, fault)
    }
    draft.attribute(name, { unique: false })
    draft.index([name, 'locale'], { unique: true })
  }
}

/** Attributes whose values all translations of an entry share. */
function sharedNames(type: ContentType): string[] {
  return [...type.attributes.values()].filter(isShared).map(one => one.name)
}

/** Relations and uids belong to one translation, others only where they say so (B-7.1); so do secrets, which nobody reads. */
function isShared(one: Attribute): boolean {
  if (one.kind === 'relation' || one.kind === 'dormant' || one.type === 'uid' || one.readonly) return false
  if (one.name === 'locale' || one.name === 'publishedAt' || (one.kind === 'scalar' && one.scalar.secret)) return false
  const options = one.definition.pluginOptions as { i18n?: { localized?: boolean } } | undefined
  return options?.i18n?.localized !== true
}

/** Before a write: checks and completes what was sent. */
export async function prepareWrite(kernel: Kernel, locales: Locales, write: Write): Promise<void> {
  const { data, context } = write
  // The siblings' own updates, made below.
  if (context.state.i18n === true) return
  if (write.action === 'update') {
    // An entry keeps its locale and its translations (B-7.26).
    delete data.locale
    delete data.localizations
    if (sharedNames(write.type).some(name => Object.hasOwn(data, name))) lockFamily(kernel, write, [write.id!])
    return
  }
  if (context.state.i18nNew === true) write.require = 'all'
  data.locale ??= locales.default
  if (!locales.has(data.locale)) throw new ApplicationError("This locale doesn't exist")
  const sources = sourceIds(data.localizations)
  const family = await familyOf(kernel, write, sources)
  // What does not exist is left to the kernel, which says how many.
  if (sources.length === 0 || !sources.every(id => family.has(id))) return
  refuseTwin(family, data.locale)
  data.localizations = sources
  const sent = new Set(Object.keys(data))
  const copied = await copyShared(kernel, write, sources)
  for (const [name, value] of Object.entries(copied)) if (data[name] === undefined) data[name] = value
  // What one source gave, its translations have: they keep their rows.
  const names = sources.length === 1 ? sent : null
  write.state.i18n = { names, sources, copied: JSON.stringify(copied) } satisfies NewTranslation
  lockFamily(kernel, write, sources)
  // A single type has one entry a locale: the first by its own route, the others as translations of it (B-4.91).
  write.alone = false
}

/** What a `preWrite` hook found out about a new translation for its `onWrite`. */
interface NewTranslation {
  /** The attributes that were sent; null where all are carried to the other translations. */
  readonly names: ReadonlySet<string> | null
  readonly sources: readonly number[]
  /** What the sources gave, as JSON. */
  readonly copied: string
}

/** The shared attributes of the sources, the first one's where several have a value. */
async function copyShared(kernel: Kernel, { type, context }: Write, sources: readonly number[]) {
  const copied: Record<string, unknown> = {}
  for (const id of sources) {
    const copy = await kernel.writer.entries.copy(type.uid, id, sharedNames(type), context)
    for (const [name, value] of Object.entries(copy ?? {})) if (copied[name] === undefined) copied[name] = value
  }
  return copied
}

/** Has all translations locked before any of them is changed, in one order for all who change them. */
function lockFamily(kernel: Kernel, write: Write, ids: readonly number[]): void {
  write.lock(async () => [...(await familyOf(kernel, write, ids)).keys(), ...ids])
}

/** The entries that a new translation names, in any form of a relation. */
function sourceIds(value: unknown): number[] {
  const { set, connect } = (value ?? {}) as { set?: unknown; connect?: unknown }
  const named = [set ?? connect ?? value ?? []].flat()
  return named.map(one => {
    const id = (one as { id?: unknown } | null)?.id ?? one
    // Conversions of objects may throw, and true is no id.
    return typeof id === 'number' || typeof id === 'string' ? Number(id) : Number.NaN
  })
}

const withTranslations = Object.freeze({ fields: ['locale'], populate: { localizations: { fields: ['locale'] } } })

/** The locales of entries and of all their translations, by id. */
async function familyOf(kernel: Kernel, write: Write, ids: readonly number[]): Promise<Map<number, unknown>> {
  const family = new Map<number, unknown>()
  for (const id of ids.filter(Number.isSafeInteger)) {
    const entry = await kernel.writer.entries.read(write.type.uid, id, write.context, withTranslations)
    if (entry === null) continue
    for (const one of [entry, ...(entry.localizations as Entry[])]) family.set(one.id, one.locale)
  }
  return family
}

/** One translation a locale. */
function refuseTwin(family: ReadonlyMap<number, unknown>, locale: unknown): void {
  if ([...family.values()].includes(locale)) throw new ApplicationError('locale is already used')
}

/** Inside the transaction: links a new translation with all others, and carries shared values to them. */
export async function finishWrite(kernel: Kernel, write: Write): Promise<void> {
  const { type, data, context } = write
  if (context.state.i18n === true) return
  const id = write.id!
  const isNew = write.action === 'create'
  const translation = write.state.i18n as NewTranslation | undefined
  // The sources are locked by now: what they gave must be what they have.
  if (translation !== undefined) {
    const copied = await copyShared(kernel, write, translation.sources)
    if (JSON.stringify(copied) !== translation.copied) throw new StaleReadError()
  }
  const sent = translation?.names ?? null
  const names = sharedNames(type).filter(name => Object.hasOwn(data, name) && (sent?.has(name) ?? true))
  const known = isNew ? sourceIds(data.localizations) : names.length === 0 ? [] : [id]
  const family = await familyOf(kernel, write, known)
  family.delete(id)
  if (family.size === 0) return
  if (isNew) {
    // Others may have become translations since this one was prepared.
    refuseTwin(family, data.locale)
    await kernel.writer.link(write, id, 'localizations', [...family.keys()])
    for (const sibling of family.keys()) await kernel.writer.link(write, sibling, 'localizations', [id])
  }
  if (names.length === 0) return
  const shared = await kernel.writer.entries.copy(type.uid, id, names, context)
  const own = { ...context, access: systemAccess, state: { ...context.state, i18n: true } }
  for (const sibling of family.keys())
    await updateSibling(() => kernel.writer.update(type.uid, sibling, shared, {}, own))
}

/** A translation that was deleted meanwhile needs no change. */
async function updateSibling(update: () => Promise<unknown>): Promise<void> {
  try {
    await update()
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
}
