// Creates and starts a kernel: reads the configuration, opens the database, registers plugins, then starts. Knows no
// server but the `mount` that it is given.

import { resolve } from 'node:path'
import { configMode, loadConfig } from '../application/config-files.ts'
import { checkConfigNames, configNames } from '../application/config-names.ts'
import type { Outages } from '../connection/outages.ts'
import { resolveDatabase } from '../databases/config.ts'
import { openDatabase } from '../databases/open.ts'
import { strayDrivers } from '../databases/stray-drivers.ts'
import type { PluginHost, WholeServer } from '../hooks/plugin-host.ts'
import { checkApiKeys } from './api-keys.ts'
import type { Kernel } from './kernel.ts'
import { KernelInstance } from './kernel-instance.ts'
import type { Logger } from './logger.ts'
import { checkLogger, checkOptions, checkSettings } from './option-checks.ts'
import type { KernelOptions } from './options.ts'
import type { PluginDefinition } from './plugin.ts'
import type { PluginsConfig } from './plugin-entry.ts'
import { resolvePlugins } from './plugins.ts'

const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * A logger that leaves out errors of a database that is away, full or the like: these are logged once by the database,
 * and not once for each request.
 */
function withoutOutages(log: Logger, outages: Outages): Logger {
  const error: Logger['error'] = (object, ...message) => {
    if (!outages.isLogged(object)) log.error(object, ...message)
  }
  return Object.create(log, { error: { value: error, writable: true, configurable: true } }) as Logger
}

/** The server on which a kernel is mounted. */
export interface Mount {
  /** The scope of Plinth's routes. */
  readonly app: PluginHost
  /** Null if the server also has other routes. */
  readonly server: WholeServer | null
  /** Settings that the server has read already, by file name. */
  readonly config?: Readonly<Record<string, Record<string, unknown>>>
  /** Called with the kernel before plugins register. */
  readonly decorate: (kernel: Kernel) => void
  /** Calls `register` with the instance on which the plugin registers its routes. */
  readonly runPlugin: (definition: PluginDefinition, register: (app: PluginHost) => Promise<void>) => Promise<void>
}

/**
 * Creates and starts a kernel; `mount` is the server, if there is one. Throws StartError, such as InvalidSchemaError,
 * PluginConfigError, PluginNotFoundError and DatabaseConnectionError.
 */
export async function createKernel(options: KernelOptions = {}, mount?: Mount): Promise<Kernel> {
  checkOptions('createKernel', options)
  const dir = resolve(options.dir ?? '.')
  const ownLog = options.logger ?? silent
  checkLogger(ownLog)
  const config: Record<string, Record<string, unknown>> = { ...options.config }
  checkSettings(config)
  if (options.dir !== undefined) {
    for (const name of configNames) config[name] ??= mount?.config?.[name] ?? (await loadConfig(dir, name))
    await checkConfigNames(dir, configMode(), message => ownLog.warn(message))
  }
  checkApiKeys(config.api ?? {}, message => ownLog.warn(message))
  const plugins = await resolvePlugins(options.plugins ?? (config.plugins as PluginsConfig | undefined) ?? {}, dir)
  const report = (error: unknown, what: string) => log.error(error, what)
  const resolved = await resolveDatabase(options.database ?? config.database, dir)
  const database = await openDatabase(resolved, report, ownLog)
  const log = withoutOutages(ownLog, database.outages)
  if (database.remark !== null) log.info(database.remark)
  const stray = options.dir === undefined ? null : await strayDrivers(resolved.definition, dir)
  if (stray !== null) log.info(stray)
  const kernel = new KernelInstance(dir, log, config, database, mount?.server)
  kernel.contentTypes.configuredIndexes = resolved.indexes
  try {
    mount?.decorate(kernel)
    options.configure?.(kernel)
    for (const { plugin, config: settings } of plugins) {
      const register = (app: PluginHost | null) => kernel.registerPlugin(plugin.plinth, settings, app)
      await (mount === undefined ? register(null) : mount.runPlugin(plugin.plinth, register))
    }
    // After the plugins, because model files may use their attribute types.
    const located = options.dir === undefined ? options : { ...options, dir }
    await kernel.load(located)
    await kernel.start(mount?.app ?? null, located)
    return kernel
  } catch (error) {
    await database.close()
    throw error
  }
}
