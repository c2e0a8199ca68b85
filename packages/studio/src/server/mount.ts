// Adds the routes of the panel to the server: the page at every path below its own, its files, and the settings of the types
// that a caller may know of.

import { randomBytes } from 'node:crypto'
// The imports tell the compiler the types of the services.
import type {} from '@plinth/content-type-builder'
import type {} from '@plinth/draft-publish'
import type { Kernel, PluginHost } from '@plinth/kernel'
import { apiPrefix, contextOf } from '@plinth/server/transport'
import type { FastifyReply } from 'fastify'
import { Assets, type PanelManifest, readManifest } from './assets.ts'
import type { Config } from './config.ts'
import { describeLogins, describeSettings } from './described.ts'
import { offeredLogins, warnOfLogins } from './logins.ts'
import { type PageParts, pageHeaders, writePage } from './page.ts'
import type { PluginModules, ServedModule } from './plugin-modules.ts'
import { checkSettings, layOver, limitSettings, originsOfMedia, originsOfPreviews } from './settings.ts'
import { readStoredLayouts } from './stored-layouts.ts'

/** A year: the name of a file contains a hash of its content. */
const assetHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'accept-encoding',
}

/** The objects that the routes use. */
export interface StudioParts {
  readonly app: PluginHost
  readonly kernel: Kernel
  readonly config: Config
  readonly pluginModules: PluginModules
}

/** Adds the routes. Throws StartError if settings name a type or an attribute that does not exist. */
export async function mountStudio({ app, kernel, config, pluginModules }: StudioParts): Promise<void> {
  checkSettings(kernel, config)
  warnOfLogins(kernel, config, `${app.prefix}${config.path}`)
  await mountSettings(app, kernel, config)
  const manifest = await readManifest()
  if (manifest === null) return mountNotice(app, config)
  const modules = await pluginModules.read()
  mountAssets(app, config, manifest)
  mountModules(app, config, modules)
  mountPage(app, config, {
    manifest,
    path: `${app.prefix}${config.path}`,
    root: app.prefix,
    api: `${app.prefix}${apiPrefix(kernel)}`,
    title: config.title,
    beginsAsDraft: kernel.services.find('draft-publish', 'newEntries')?.() === 'draft',
    modules,
    mediaOrigins: originsOfMedia(kernel, config),
    previewOrigins: originsOfPreviews(config),
  })
}

function mountPage(app: PluginHost, config: Config, parts: PageParts): void {
  const answer = async (_request: unknown, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64')
    return reply.headers(pageHeaders(parts, nonce)).send(writePage(parts, nonce))
  }
  app.get(config.path, { config: { operation: false, page: 'Studio' } }, answer)
  app.get(`${config.path}/*`, { config: { operation: false } }, answer)
}

function mountAssets(app: PluginHost, config: Config, manifest: PanelManifest): void {
  const assets = new Assets(manifest)
  app.get(`${config.path}/assets/:name`, { config: { operation: false } }, async (request, reply) => {
    const asset = await assets.find((request.params as { readonly name: string }).name)
    if (asset === null) return reply.callNotFound()
    const isCompressed = asset.compressed !== null && /\bgzip\b/.test(String(request.headers['accept-encoding']))
    if (isCompressed) reply.header('content-encoding', 'gzip')
    return reply
      .headers(assetHeaders)
      .header('content-type', asset.type)
      .send(isCompressed ? asset.compressed : asset.content)
  })
}

function mountModules(app: PluginHost, config: Config, modules: readonly ServedModule[]): void {
  const files = new Map(
    modules.flatMap(({ module, styles }) => [module, styles ?? []].flat()).map(file => [file.name, file]),
  )
  app.get(`${config.path}/plugins/:name`, { config: { operation: false } }, async (request, reply) => {
    const file = files.get((request.params as { readonly name: string }).name)
    // Pages of plugins have longer paths.
    if (file === undefined) return reply.callNotFound()
    return reply.headers(assetHeaders).header('content-type', file.type).send(file.content)
  })
}

async function mountSettings(app: PluginHost, kernel: Kernel, config: Config): Promise<void> {
  // Neither the model nor what v4 stored changes as long as the server runs.
  const settings = layOver(config.types, config.layoutsOfV4 ? await readStoredLayouts(kernel) : {})
  const visibleTo = kernel.plugin('content-type-builder').service('visible')
  app.get(`${apiPrefix(kernel)}/studio/settings`, { config: { operation: describeSettings } }, async request => ({
    data: limitSettings(kernel, settings, await visibleTo(await contextOf(request))),
  }))
  app.get(`${apiPrefix(kernel)}/studio/logins`, { config: { operation: describeLogins } }, async request => {
    const { access } = await contextOf(request)
    return { data: offeredLogins(kernel, config, `${app.prefix}${config.path}`, access) }
  })
}

/** In a clone whose panel was not built, says how it is. */
function mountNotice(app: PluginHost, config: Config): void {
  const text = 'The panel is not built: run `pnpm --filter @plinth/studio panel` and start the server again.\n'
  for (const path of [config.path, `${config.path}/*`])
    app.get(path, { config: { operation: false } }, async (_request, reply) =>
      reply.code(503).header('content-type', 'text/plain; charset=utf-8').send(text),
    )
}
