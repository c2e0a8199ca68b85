// Keeps the translations of an entry together on every write: their locales, the links between them, and the attributes that
// they share (B-7.21 to B-7.30).

import {
  type Access,
  ApplicationError,
  type Attribute,
  type ContentType,
  type Context,
  DataForbiddenError,
  type Entry,
  InvalidSchemaError,
  type Kernel,
  NotFoundError,
  nearest,
  StaleRowError,
  systemAccess,
  type TypeDraft,
  type Write,
} from '@plinth/kernel'
import { isLocalized, type Locales } from './locales.ts'

/** Turns `unique: 'perLocale'` into a unique index. The kernel checks values before it writes, and the database enforces them. */
export function indexPerLocale(draft: TypeDraft): void {
  for (const [name, { unique }] of draft.attributes) {
    if (typeof unique !== 'string' || nearest(unique, ['perLocale']) === null) continue
    if (unique !== 'perLocale' || !isLocalized(draft)) {
      const fault = `must be true, or "perLocale" if the type has pluginOptions.i18n.localized; found "${unique}"`
      throw new InvalidSchemaError(draft.source, `attributes.${name}.unique`, fault)
    }
    draft.attribute(name, { unique: false })
    draft.index([name, 'locale'], { unique: true })
  }
}

/** The names of the attributes whose values are the same in all translations of an entry. */
function sharedNames(type: ContentType): string[] {
  return [...type.attributes.values()].filter(isShared).map(one => one.name)
}

/**
 * Returns whether all translations share the attribute. Relations and uids belong to one translation, and so do
 * secrets, which cannot be read and copied. Other attributes, and those of plugins' types that are stored as relations,
 * such as media, belong to one translation only if their definition says so (B-7.1).
 */
function isShared(one: Attribute): boolean {
  if (one.type === 'relation' || one.kind === 'dormant' || one.type === 'uid' || one.readonly) return false
  if (one.name === 'locale' || one.name === 'publishedAt' || (one.kind === 'scalar' && one.scalar.secret)) return false
  const options = one.definition.pluginOptions as { i18n?: { localized?: boolean } } | undefined
  return options?.i18n?.localized !== true
}

/** The `preWrite` hook: checks and completes the data that was sent. */
export async function prepareWrite(kernel: Kernel, locales: Locales, write: Write): Promise<void> {
  const { data, context } = write
  // An update of another translation by `finishWrite`.
  if (context.state.i18n === true) return
  if (write.action === 'update') {
    // An update cannot change the locale and the translations of an entry (B-7.26).
    delete data.locale
    delete data.localizations
    if (sharedNames(write.type).some(name => Object.hasOwn(data, name))) lockFamily(kernel, write, [write.id!])
    return
  }
  if (context.state.i18nNew === true) write.completeness = 'full'
  data.locale ??= firstLocale(locales, write)
  if (!locales.has(data.locale)) throw new ApplicationError("This locale doesn't exist")
  const sources = sourceIds(data.localizations)
  const hidden = await hiddenOf(kernel, write, sources)
  if (hidden.length > 0) return write.hide(write.type.uid, hidden)
  const family = await familyOf(kernel, write, sources)
  // The kernel refuses ids that do not exist, and says how many they are.
  if (sources.length === 0 || !sources.every(id => family.has(id))) return
  refuseTwin(family, data.locale)
  data.localizations = sources
  const sent = new Set(Object.keys(data))
  const copied = await copyShared(kernel, write, sources)
  for (const [name, value] of Object.entries(copied)) if (data[name] === undefined) data[name] = value
  // The translations of a single source already have the values that it gave: only sent attributes are carried to them.
  const names = sources.length === 1 ? sent : null
  write.state.i18n = { names, sources, copied: JSON.stringify(copied) } satisfies NewTranslation
  lockFamily(kernel, write, sources)
  // A single type has one entry per locale: the first by its own route, the others as translations of it (B-4.91).
  write.singleton = false
}

/** The data that the `preWrite` hook passes to the `onWrite` hook about a new translation. */
interface NewTranslation {
  /** The attributes that were sent; null if all shared attributes are carried to the other translations. */
  readonly names: ReadonlySet<string> | null
  readonly sources: readonly number[]
  /** The shared values of the sources, as JSON. */
  readonly copied: string
}

/** The shared attributes of the sources. If several sources have a value, that of the first one applies. */
async function copyShared(kernel: Kernel, { type, context }: Write, sources: readonly number[]) {
  const copied: Record<string, unknown> = {}
  for (const id of sources) {
    const copy = await kernel.writer.entries.copy(type.uid, id, sharedNames(type), context)
    for (const [name, value] of Object.entries(copy ?? {})) if (copied[name] === undefined) copied[name] = value
  }
  return copied
}

/**
 * The locale of a new entry whose data names none: the default. The entry of a single type is created by an update, which
 * looks for it in the locale of its query, so it has that locale; a creation of another type ignores the query (B-7.25).
 */
function firstLocale(locales: Locales, { type, params }: Write): unknown {
  if (type.kind !== 'singleType' || params.locale === undefined || params.locale === 'all') return locales.default
  const requestedLocales = [params.locale].flat()
  return requestedLocales.includes(locales.default) ? locales.default : requestedLocales[0]
}

/** Locks all translations before any of them is changed, in an order that is the same for all writes. */
function lockFamily(kernel: Kernel, write: Write, ids: readonly number[]): void {
  write.lock(async () => [...(await familyOf(kernel, write, ids)).keys(), ...ids])
}

/** The ids of the entries that a new translation names, in any form that a relation accepts. */
function sourceIds(value: unknown): number[] {
  const { set, connect } = (value ?? {}) as { set?: unknown; connect?: unknown }
  const references = [set ?? connect ?? value ?? []].flat()
  return references.map(one => {
    const id = (one as { id?: unknown } | null)?.id ?? one
    // The conversion of an object may throw, and `true` would become 1.
    return typeof id === 'number' || typeof id === 'string' ? Number(id) : Number.NaN
  })
}

const withTranslations = Object.freeze({ fields: ['locale'], populate: { localizations: { fields: ['locale'] } } })

/** The locales of the entries and of all their translations, by id. */
async function familyOf(kernel: Kernel, write: Write, ids: readonly number[]): Promise<Map<number, unknown>> {
  const family = new Map<number, unknown>()
  for (const id of ids.filter(Number.isSafeInteger)) {
    const entry = await kernel.writer.entries.read(write.type.uid, id, write.context, withTranslations)
    if (entry === null) continue
    for (const one of [entry, ...(entry.localizations as Entry[])]) family.set(one.id, one.locale)
  }
  return family
}

/** The entries that rules hide from the caller, or forbid to change. */
async function hiddenOf(kernel: Kernel, { type, context }: Write, ids: readonly number[]): Promise<number[]> {
  const hidden: number[] = []
  for (const id of ids.filter(Number.isSafeInteger))
    if (!(await kernel.writer.entries.mayChange(type.uid, id, context))) hidden.push(id)
  return hidden
}

/** Throws if the family has a translation in this locale already. */
function refuseTwin(family: ReadonlyMap<number, unknown>, locale: unknown): void {
  if ([...family.values()].includes(locale)) throw new ApplicationError('locale is already used')
}

/** The `onWrite` hook: links a new translation to all others, and carries shared values to them. */
export async function finishWrite(kernel: Kernel, write: Write): Promise<void> {
  const { type, data, context } = write
  if (context.state.i18n === true) return
  const id = write.id!
  const isNew = write.action === 'create'
  const translation = write.state.i18n as NewTranslation | undefined
  // The sources are locked now: the values that were copied from them must still be theirs.
  if (translation !== undefined) {
    if ((await hiddenOf(kernel, write, translation.sources)).length > 0) throw new StaleRowError()
    const copied = await copyShared(kernel, write, translation.sources)
    if (JSON.stringify(copied) !== translation.copied) throw new StaleRowError()
  }
  const sent = translation?.names ?? null
  const names = sharedNames(type).filter(name => Object.hasOwn(data, name) && (sent?.has(name) ?? true))
  const memberIds = isNew ? sourceIds(data.localizations) : names.length === 0 ? [] : [id]
  const family = await familyOf(kernel, write, memberIds)
  family.delete(id)
  if (family.size === 0) return
  if (isNew) {
    // Another translation may have been added since this one was prepared.
    refuseTwin(family, data.locale)
    await kernel.writer.link(write, id, 'localizations', [...family.keys()])
    for (const sibling of family.keys()) await kernel.writer.link(write, sibling, 'localizations', [id])
  }
  if (names.length === 0) return
  const { entries } = kernel.writer
  const caller = callerOf(context)
  await requireLocales(family, async one => mayName(kernel, write, names) && entries.mayChange(type.uid, one, caller))
  const shared = await entries.copy(type.uid, id, names, context)
  const own = { ...context, access: systemAccess, state: { ...context.state, i18n: true } }
  for (const sibling of family.keys())
    await updateSibling(() =>
      kernel.writer.update({ uid: type.uid, id: sibling, data: shared, params: {}, context: own }),
    )
  await requireLocales(family, one => entries.mayStore(type.uid, one, caller))
}

/** The caller of a write, without the rights that creating a translation adds. */
function callerOf(context: Context): Context {
  const access = context.state.i18nCaller as Access | undefined
  return access === undefined ? context : { ...context, access }
}

/**
 * Returns whether the caller may write attributes of entries that exist. The right to create translations includes that
 * to bring shared values (B-7.31), but is bound by the rules for updates.
 */
function mayName({ actions, writer }: Kernel, { type, context }: Write, names: readonly string[]): boolean {
  const needed = actions.needs(actions.of(type.uid, 'update'))
  if (!needed.every(one => context.access.can(one))) return false
  const forbidden = writer.entries.forbiddenAttributes(type.uid, 'update', callerOf(context))
  return !names.some(name => forbidden.has(name))
}

/** Throws DataForbiddenError with the locales of the translations for which `may` is false; the write is rolled back. */
async function requireLocales(
  family: ReadonlyMap<number, unknown>,
  may: (id: number) => Promise<boolean>,
): Promise<void> {
  const locales: string[] = []
  for (const [id, locale] of family) if (!(await may(id))) locales.push(String(locale))
  if (locales.length === 0) return
  locales.sort()
  throw new DataForbiddenError(`shared attributes would change translations in ${locales.join(', ')}`, { locales })
}

/** Updates a translation. If it has been deleted in the meantime, nothing needs to be done. */
async function updateSibling(update: () => Promise<unknown>): Promise<void> {
  try {
    await update()
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
}
