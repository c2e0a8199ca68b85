// The model of an application without its database, for tools that only look at a project.

import { resolve } from 'node:path'
import { indexesIn } from '../databases/config.ts'
import type { Registry } from '../model/registry.ts'
import type { FindColumn } from '../model/settle-fields.ts'
import { KernelInstance } from './kernel-instance.ts'
import { checkOptions } from './option-checks.ts'
import type { KernelOptions } from './options.ts'
import { resolvePlugins } from './plugins.ts'

/** The options of createKernel that are about the model. */
export interface ModelOptions extends Pick<KernelOptions, 'components' | 'configure' | 'contentTypes' | 'plugins'> {
  /** The columns of a database, for custom fields; `readColumns` of `@plinth/kernel/migrate` reads them. */
  readonly findColumn?: FindColumn
  /** config/database, whose indexes belong to the model. */
  readonly database?: unknown
}

const modelOptions = ['components', 'configure', 'contentTypes', 'database', 'findColumn', 'plugins']

/**
 * Registers the plugins and freezes the model, as a start does, but without a database: no package of a database is
 * loaded, and a plugin whose `register` uses the database fails. Throws StartError, as createKernel does.
 */
export async function freezeModel(options: ModelOptions): Promise<Registry> {
  checkOptions('freezeModel', options, modelOptions)
  const dir = resolve('.')
  const plugins = await resolvePlugins(options.plugins ?? {}, dir)
  const kernel = new KernelInstance(dir, { info: () => {}, warn: () => {}, error: () => {} }, {}, null)
  kernel.contentTypes.configuredIndexes = indexesIn(options.database)
  options.configure?.(kernel)
  for (const { plugin, config } of plugins) await kernel.registerPlugin(plugin.plinth, config, null)
  await kernel.load(options)
  await kernel.freeze(null, options.findColumn)
  return kernel.contentTypes
}
