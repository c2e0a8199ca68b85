// Serves the application of a folder in this process.

import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { loadConfig, type PluginsConfig, StartError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import { adviseOnList, hasAdvice } from './advice-package.ts'
import { folderOf } from './open.ts'
import { loadServer, requireServer, type ServerPackage } from './server-package.ts'

/** The settings with which a process serves an application. */
export interface ServeSettings {
  /** `plinth start` or `plinth dev`, for messages. */
  readonly command: string
  readonly dir: string
  /** The log for people instead of JSON lines, unless LOG_LEVEL is set or LOG_FORMAT is `json`. */
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
export async function serve(
  serving: ServeSettings,
): Promise<{ readonly app: FastifyInstance; readonly address: string }> {
  enableCompileCache()
  const server = await loadServer(serving.command)
  // Loads `.env` too, which may have LOG_FORMAT and LOG_LEVEL.
  await loadConfig(serving.dir, 'server')
  // First, because a word that LOG_FORMAT does not have is refused by every command.
  const isForPeople = isPretty() && serving.isPlain === true
  const level = process.env.LOG_LEVEL || undefined
  // Its lines are in place of those that Fastify logs at the level `info`.
  const fastify = level === undefined ? {} : { disableRequestLogging: true }
  const options = isForPeople ? { logger: server.plainLog(level), fastify } : {}
  const plugins = serving.isCounted ? await withAdvice(serving.dir) : undefined
  const all = isForPeople ? await withLines(plugins, serving.dir, server) : plugins
  const app = await server.createServer({
    dir: serving.dir,
    ...options,
    ...(all === undefined ? {} : { plugins: all }),
  })
  serving.onReady?.(app, server)
  const address = await server.listen(app)
  // Written at once, because a process that is killed would not write it.
  flushCompileCache()
  return { app, address }
}

/** Returns whether LOG_FORMAT leaves the log of a command for people one for people. Throws StartError for another word. */
function isPretty(): boolean {
  const { LOG_FORMAT: format = '', LOG_LEVEL: level = '' } = process.env
  if (format === '') return level === ''
  if (format === 'json' || format === 'pretty') return format === 'pretty'
  throw new StartError(
    'PLINTH_CONFIG_INVALID',
    `The environment variable LOG_FORMAT must be "json" or "pretty", not ${JSON.stringify(format)}`,
  )
}

/** The plugins, with the one that prints a line for each request. */
async function withLines(
  plugins: PluginsConfig | undefined,
  dir: string,
  { requestLines }: ServerPackage,
): Promise<PluginsConfig> {
  const all = plugins ?? ((await loadConfig(dir, 'plugins')) as PluginsConfig)
  return { ...all, 'request-lines': { plugin: requestLines({ advise: adviseOnList }) } }
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
