// The routes of translations, with their unwrapped bodies and answers (B-7.4, B-7.20 to B-7.24, B-1.9, B-1.10).

import {
  ApplicationError,
  authorize,
  type Context,
  type ContentType,
  ForbiddenError,
  type Kernel,
  NotFoundError,
  toEntries,
} from '@plinth/kernel'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Locales } from './locales.ts'
import { isLocalized } from './localize.ts'

/** Adds the routes below `prefix`. */
export function mountRoutes(app: FastifyInstance, kernel: Kernel, locales: Locales, prefix: string): void {
  const contextOf = async (request: FastifyRequest) => kernel.context(await kernel.auth.authenticate(request), request)

  app.get(`${prefix}/i18n/locales`, async request => {
    const { access } = await contextOf(request)
    if (!access.can('plugin::i18n.locales.listLocales')) throw new ForbiddenError()
    return locales.list(kernel)
  })

  for (const type of kernel.contentTypes.values()) {
    if (!isLocalized(type) || type.internal) continue
    const isSingle = type.kind === 'singleType'
    const path = isSingle ? `${prefix}/${type.singularName}` : `${prefix}/${type.pluralName}/:id`
    app.post(`${path}/localizations`, async request => {
      const context = await contextOf(request)
      authorize(type.uid, 'createLocalization', context.access)
      const { id } = request.params as { id?: string }
      const source = isSingle ? await firstId(kernel, type) : /^\d{1,15}$/.test(id!) ? Number(id) : null
      return createLocalization(kernel, locales, type, source, request.body, context)
    })
  }
}

async function firstId(kernel: Kernel, type: ContentType): Promise<number | null> {
  const text = `SELECT MIN(${kernel.database.dialect.quote('id')}) FROM ${kernel.database.dialect.quote(type.table)}`
  const [row] = await kernel.database.read(session => session.all(text, []))
  return row![0] === null ? null : Number(row![0])
}

async function createLocalization(
  kernel: Kernel,
  locales: Locales,
  type: ContentType,
  id: number | null,
  body: unknown,
  context: Context,
): Promise<Record<string, unknown>> {
  const sent = (body ?? {}) as Record<string, unknown>
  const source = id === null ? null : await kernel.writer.entries.read(type.uid, id, context)
  if (source === null) throw new NotFoundError('Entity not found')
  if (sent.locale === undefined || sent.locale === null || sent.locale === '')
    throw new ApplicationError('locale is missing')
  if (!locales.has(sent.locale)) throw new ApplicationError('locale is invalid')
  const data: Record<string, unknown> = { ...sent, localizations: [id] }
  // A translation begins as a draft, but must be complete unless it says that it is one (B-7.22).
  const state = { ...context.state, i18nNew: sent.publishedAt === undefined }
  if (type.attributes.has('publishedAt')) data.publishedAt = sent.publishedAt ?? null
  const result = await kernel.writer.create(type.uid, data, { populate: ['localizations'] }, { ...context, state })
  return toEntries(result.rows)[0]!
}
