// The plugin upload: the attribute type `media`, files in the tables of v4, and the routes that take and show them (B-11).

import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { definePlugin, type Kernel } from '@plinth/kernel'
import { addressOf, presentUrls } from './absolute-urls.ts'
import { configSchema, type UploadConfig } from './config.ts'
import { checkAllowedTypes, guardTypes } from './entries/allowed.ts'
import { entryFiles } from './entries/taker.ts'
import { Files } from './files.ts'
import { guardFolders } from './folders/guard.ts'
import { inFolder } from './folders/parameter.ts'
import { FolderTree } from './folders/tree.ts'
import { extendGraphql } from './graphql/index.ts'
import { graphqlFiles } from './graphql/received.ts'
import { Intake } from './intake.ts'
import type { Journal } from './journal.ts'
import { ownTables } from './lines.ts'
import { Pictures } from './pictures/pictures.ts'
import { guardRecords } from './records.ts'
import { Rounds } from './rounds.ts'
import { UploadService } from './service.ts'
import { Spool } from './spool.ts'
import { findProvider, localName } from './storage/find.ts'
import { LocalProvider } from './storage/local.ts'
import type { UploadTools } from './tools.ts'
import { FileTransfer } from './transfer.ts'
import { fileActions, fileSchema, fileUid, folderSchema, folderUid, indexFiles, mediaType } from './types.ts'

export type { StoredFile, UploadProvider, UploadProviderModule } from './provider.ts'
export type { OwnFile, UploadOptions, UploadService } from './service.ts'
export type { FileRow, FileTransfer } from './transfer.ts'

declare module '@plinth/kernel' {
  interface Services {
    'upload.upload': UploadService
    'upload.transfer': FileTransfer
    /** Returns the origins of other servers at which files are, as far as the provider and `absoluteUrls` name them. */
    'upload.origins': () => readonly string[]
  }

  interface ErrorCodes {
    /** Code stores a file that has no name, or not one of a path and a content. */
    PLINTH_UPLOAD_FILE: true
    /** A record names a provider of files that the settings of the plugin do not enable. */
    PLINTH_UPLOAD_PROVIDER: true
  }
}

interface Opened {
  readonly tools: UploadTools
  readonly pictures: Pictures
  /** Look at what is left to be done. */
  readonly rounds: Rounds
}

const opened = new WeakMap<Kernel, Opened>()

/**
 * Scripts have no routes, and may have no server installed. The imports are not inside of `export default`, where the
 * compiler would leave `.ts` in what is published.
 */
const loadRoutes = () => Promise.all([import('./routes/index.ts'), import('./routes/serving.ts')])

export default definePlugin({
  name: 'upload',
  after: ['rest', 'graphql'],
  config: configSchema,
  tables: ['upload_'],
  ownTables,
  async register({ kernel, config, app }) {
    kernel.contentTypes.add(fileSchema, { uid: fileUid, routes: 'own', actions: fileActions })
    kernel.contentTypes.add(folderSchema, { uid: folderUid, routes: 'own' })
    kernel.attributeTypes.add('media', mediaType(config.allowFilters))
    kernel.hooks.on('preModel', { for: ({ uid }) => uid === fileUid }, indexFiles)
    kernel.hooks.on('preModel', draft => checkAllowedTypes(draft, message => kernel.log.warn(message)))
    const address = addressOf(config.absoluteUrls, kernel.config.server ?? {})
    if (address !== null)
      kernel.hooks.on('preModel', { for: ({ uid }) => uid === fileUid }, draft => presentUrls(draft, address))
    const folder = folderOf(kernel, config)
    const { tools } = await open(kernel, config, new LocalProvider(folder))
    if (app !== null && !hasSharp())
      kernel.log.warn(
        'upload: pictures have no sizes and no formats, because sharp is not installed: npm install sharp',
      )
    guardRecords(kernel.hooks, () => tools.files)
    guardFolders(kernel, new FolderTree(kernel))
    kernel.parameters.add(inFolder(() => kernel.actions.of(folderUid, 'find')))
    guardTypes(kernel)
    kernel.services.provide('rest', 'files', entryFiles(tools))
    kernel.services.provide('upload', 'upload', new UploadService(tools))
    kernel.services.provide('upload', 'transfer', new FileTransfer(tools.files))
    const { origins = [] } = tools.files.current.provider
    const servedOrigins = address === null ? origins : [...origins, new URL(address).origin]
    kernel.services.provide('upload', 'origins', () => servedOrigins)
    const graphql = kernel.services.find('graphql', 'extension')
    if (graphql !== null) {
      extendGraphql(graphql, tools)
      kernel.services.provide('graphql', 'files', graphqlFiles(tools))
    }
    kernel.hooks.on('onMount', async app => {
      const [[{ mountRoutes }, { mountServing }], { apiPrefix }] = await Promise.all([
        loadRoutes(),
        import('@plinth/server/transport'),
      ])
      await mountRoutes(app, tools, apiPrefix(kernel))
      mountServing(app, folder)
    })
  },
  async bootstrap({ kernel }) {
    const { tools, rounds } = opened.get(kernel)!
    const { journal } = tools.files
    journal.onFailure = () => rounds.hasten()
    await rounds.start()
  },
  async destroy({ kernel }) {
    const running = opened.get(kernel)
    if (running === undefined) return
    running.pictures.close()
    await running.tools.files.journal.close()
    await running.rounds.close()
  },
})

/** The folder of local files: v4 serves `public` of the application, or the folder that config/server names. */
function folderOf({ dir, config }: Kernel, { folder }: UploadConfig): string {
  const dirs = config.server?.dirs as { readonly public?: string } | undefined
  return resolve(dir, folder ?? join(dirs?.public ?? 'public', 'uploads'))
}

async function open(kernel: Kernel, config: UploadConfig, local: LocalProvider): Promise<Opened> {
  const current = await findProvider(config, kernel.dir, local)
  const spool = new Spool(current.provider === local ? local.spool : join(tmpdir(), 'plinth-upload'))
  const { sizeLimit, deniedTypes, allowedTypes = null } = config
  const pictures = new Pictures(
    {
      breakpoints: config.responsiveDimensions ? config.breakpoints : {},
      maxPixels: config.maxPixels,
      timeLimit: config.pictureTimeLimit * 1000,
      maxWaiting: config.maxWaitingPictures,
    },
    hasSharp(),
  )
  const tools = {
    kernel,
    intake: new Intake({ sizeLimit, deniedTypes, allowedTypes }, spool, pictures),
    files: new Files(kernel, current, [{ name: localName, provider: local }]),
    timeLimit: config.timeLimit * 1000,
  }
  const rounds = new Rounds(() => finishWork(kernel, tools.files.journal, spool))
  const result = { tools, pictures, rounds }
  opened.set(kernel, result)
  return result
}

/** Does what is due, and removes what killed processes left. Returns whether all went well. */
async function finishWork({ log }: Kernel, journal: Journal, spool: Spool): Promise<boolean> {
  try {
    await spool.sweep()
    return (await journal.recover()).failed === 0
  } catch (error) {
    log.warn(`Files of earlier uploads could not be looked at; that is tried again: ${error}`)
    return false
  }
}

/** Returns whether sharp is installed. The process that decodes pictures loads it. */
function hasSharp(): boolean {
  try {
    createRequire(import.meta.filename).resolve('sharp')
    return true
  } catch {
    return false
  }
}
