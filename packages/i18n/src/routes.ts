// The routes for locales and translations. Their bodies and answers have no outer `data` (B-7.4, B-7.20 to B-7.24, B-1.9,
// B-1.10).

import {
  ApplicationError,
  type Context,
  type ContentType,
  type Entry,
  type Kernel,
  NotFoundError,
  type PluginHost,
  toEntries,
  withRights,
} from '@plinth/kernel'
import { contextOf } from '@plinth/server/transport'
import { hasTranslationRoute, listAction, translateAction } from './actions.ts'
import type { Locales } from './locales.ts'

/** Adds the routes below `prefix` to the server. */
export function mountRoutes(app: PluginHost, kernel: Kernel, locales: Locales, prefix: string): void {
  app.get(`${prefix}/i18n/locales`, { config: { action: listAction } }, async request => {
    kernel.authorize(listAction, await contextOf(request))
    return locales.list(kernel)
  })

  for (const type of kernel.contentTypes.values()) {
    if (!hasTranslationRoute(type)) continue
    const action = translateAction(type)
    const isSingle = type.kind === 'singleType'
    const path = isSingle ? `${prefix}/${type.singularName}` : `${prefix}/${type.pluralName}/:id`
    app.post(`${path}/localizations`, { config: { action } }, async request => {
      const context = await contextOf(request)
      kernel.authorize(action, context)
      const { id = '' } = request.params as { id?: string }
      const source = isSingle ? await firstId(kernel, type) : /^\d{1,15}$/.test(id) ? Number(id) : null
      const { entries } = kernel.writer
      if (source === null || (await entries.read(type.uid, source, context)) === null)
        throw new NotFoundError('Entity not found')
      // As if there were none: the status must not tell an entry that a rule hides from one that does not exist.
      const link = { uid: type.uid, name: 'localizations', id: source, context: withLocalizing(kernel, type, context) }
      if (!(await entries.mayChange(type.uid, source, context)) || !(await kernel.writer.mayLink(link)))
        throw new NotFoundError('Entity not found')
      return createLocalization(kernel, locales, type, source, request.body, context)
    })
  }
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

const plain = Object.freeze({})
const withSiblings = Object.freeze({ populate: ['localizations'] })

async function createLocalization(
  kernel: Kernel,
  locales: Locales,
  type: ContentType,
  source: number,
  body: unknown,
  context: Context,
): Promise<Entry> {
  const sent = (body ?? {}) as Record<string, unknown>
  const { locale, publishedAt } = sent
  if (locale === undefined || locale === null || locale === '') throw new ApplicationError('locale is missing')
  if (!locales.has(locale)) throw new ApplicationError('locale is invalid')
  const data: Record<string, unknown> = { ...sent, localizations: [source] }
  // Without `publishedAt`, a translation is a draft, but must be complete. With a null, it may be incomplete (B-7.22).
  if (type.attributes.has('publishedAt')) data.publishedAt = publishedAt ?? null
  // Whoever may not read entries is not answered the other translations.
  const { actions } = kernel
  const mayFind = actions.needs(actions.of(type.uid, 'find')).every(scope => context.access.can(scope))
  const own = withLocalizing(kernel, type, context)
  const state = { ...context.state, i18nNew: publishedAt === undefined }
  const params = mayFind ? withSiblings : plain
  const request = { uid: type.uid, data, params, context: { ...own, state } }
  const { entries, rows } = await kernel.writer.create(request)
  return (entries ?? toEntries(rows))[0]!
}
