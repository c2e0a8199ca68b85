// Creates the translation of an entry, for every transport that offers it (B-7.20 to B-7.24, B-9.47).

import {
  ApplicationError,
  type ContentType,
  type Context,
  type Kernel,
  NotFoundError,
  type Params,
  withRights,
} from '@plinth/kernel'
import type { Locales } from './locales.ts'

/** The tools with which translations are made. */
export interface TranslationTools {
  readonly kernel: Kernel
  readonly locales: Locales
}

/** The translation that a caller with the right to create translations asks for. */
export interface TranslationRequest {
  readonly type: ContentType
  /** The id of the entry that is translated, as it was sent; single types have none. */
  readonly id: string | undefined
  /** The attributes of the translation and its `locale`, as they were sent. */
  readonly body: unknown
  readonly context: Context
  /** The parameters of the answer. Asked for when the entry and the locale are known to be right. */
  readonly params: () => Params
}

type Created = ReturnType<Kernel['writer']['create']>

/**
 * Creates a translation. Throws NotFoundError if the caller cannot translate the entry, and ApplicationError for the
 * locale (B-7.23).
 */
export async function translate(tools: TranslationTools, request: TranslationRequest): Created {
  const { kernel } = tools
  const { type, context } = request
  const source = await findSource(kernel, request)
  if (source === null) throw new NotFoundError('Entity not found')
  const { entries } = kernel.writer
  // As if there were none: the status must not tell an entry that a rule hides from one that does not exist.
  const link = { uid: type.uid, name: 'localizations', id: source, context: withLocalizing(kernel, type, context) }
  if (!(await entries.mayChange(type.uid, source, context)) || !(await kernel.writer.mayLink(link)))
    throw new NotFoundError('Entity not found')
  return create(tools, request, source)
}

/** The id of the entry that is translated; null if there is none. */
async function findSource(kernel: Kernel, { type, id = '', context }: TranslationRequest): Promise<number | null> {
  if (type.kind === 'singleType') return firstId(kernel, type)
  const source = /^\d{1,15}$/.test(id) ? Number(id) : null
  if (source === null || (await kernel.writer.entries.read(type.uid, source, context)) === null) return null
  return source
}

/** The id of the entry of a single type from which translations are made; null if there is none. */
async function firstId(kernel: Kernel, type: ContentType): Promise<number | null> {
  const hasDrafts = kernel.parameters.values().some(({ name }) => name === 'publicationState')
  const everywhere = { locale: 'all', ...(hasDrafts && { publicationState: 'preview' }) }
  const [first] = await kernel.query(type.uid).findMany({ ...everywhere, fields: ['id'] })
  return first?.id ?? null
}

/**
 * The context with what creating a translation takes: its right does not require the right to create entries (B-7.31), nor
 * that to read them, without which other plugins would take `localizations` out of the data.
 */
function withLocalizing({ actions }: Kernel, type: ContentType, context: Context): Context {
  const needed = ['find', 'create', 'update'] as const
  return withRights(
    context,
    needed.flatMap(one => actions.needs(actions.of(type.uid, one))),
  )
}

async function create({ kernel, locales }: TranslationTools, request: TranslationRequest, source: number): Created {
  const { type, body, context } = request
  const sent = (body ?? {}) as Record<string, unknown>
  const { locale, publishedAt } = sent
  if (locale === undefined || locale === null || locale === '') throw new ApplicationError('locale is missing')
  if (!locales.has(locale)) throw new ApplicationError('locale is invalid')
  const data: Record<string, unknown> = { ...sent, localizations: [source] }
  // Without `publishedAt`, a translation is a draft, but must be complete. With a null, it may be incomplete (B-7.22).
  if (type.attributes.has('publishedAt')) data.publishedAt = publishedAt ?? null
  const own = withLocalizing(kernel, type, context)
  const state = { ...context.state, i18nNew: publishedAt === undefined, i18nCaller: context.access }
  return kernel.writer.create({ uid: type.uid, data, params: request.params(), context: { ...own, state } })
}
