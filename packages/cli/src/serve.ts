// Serves the application of a folder in this process.

import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { loadConfig, type PluginsConfig, StartError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import { hasAdvice } from './advice-package.ts'
import { folderOf } from './open.ts'
import { loadServer, requireServer, type ServerPackage } from './server-package.ts'

/** The settings with which a process serves an application. */
export interface Serving {
  /** `plinth start` or `plinth dev`, for messages. */
  readonly command: string
  readonly dir: string
  /** The log for people instead of JSON lines, unless LOG_LEVEL is set. */
  readonly isPlain?: boolean
  /** True if lists are counted, for `plinth advise`, whatever config/plugins says. */
  readonly isCounted?: boolean
  /** Called before the server listens. */
  readonly onReady?: (app: FastifyInstance, server: ServerPackage) => void
}

/**
 * Creates the server of an application, and listens. Throws what createServer and listen throw. Node keeps compiled code
 * for the next start, which saves a third of its time.
 */
export async function serve(serving: Serving): Promise<{ readonly app: FastifyInstance; readonly address: string }> {
  enableCompileCache()
  const server = await loadServer(serving.command)
  const logger = serving.isPlain && !process.env.LOG_LEVEL ? server.plainLog() : undefined
  const plugins = serving.isCounted ? await withAdvice(serving.dir) : undefined
  const app = await server.createServer({ dir: serving.dir, logger, ...(plugins === undefined ? {} : { plugins }) })
  serving.onReady?.(app, server)
  const address = await server.listen(app)
  // Written at once, because a process that is killed would not write it.
  flushCompileCache()
  return { app, address }
}

/** config/plugins, with the plugin that counts lists, if it is installed and the application does not name it. */
async function withAdvice(dir: string): Promise<PluginsConfig> {
  const plugins = (await loadConfig(dir, 'plugins')) as PluginsConfig
  if ('advice' in plugins || !hasAdvice()) return plugins
  const { default: plugin } = await import('@plinth/advice')
  return { ...plugins, advice: { plugin } }
}

/** Prints why a start failed, and ends the process with exit code 1. */
export async function endWith(error: unknown): Promise<never> {
  // Only Node itself prints the place of a syntax error, if nothing catches it.
  if (error instanceof SyntaxError && !(error instanceof StartError)) {
    setImmediate(() => {
      throw error
    })
    return new Promise(() => {})
  }
  return (await loadServer('plinth')).exitWith(error)
}

/**
 * The folder of the application that a command serves. Reports a server file in it, which no command of this package runs.
 * Throws Failure if there is no such folder, or if the server is not installed.
 */
export function folderToServe(command: string, dir: string | undefined): string {
  const folder = folderOf(dir)
  requireServer(command)
  const remark = remarkOnServerFile(folder)
  if (remark !== null) console.error(`plinth: ${remark}`)
  return folder
}

function remarkOnServerFile(dir: string): string | null {
  const file = ['ts', 'js', 'mjs'].map(extension => `src/server.${extension}`).find(one => existsSync(join(dir, one)))
  return file === undefined
    ? null
    : `${file} is not run: Plinth serves the application itself. Its own start is: node ${file}`
}
