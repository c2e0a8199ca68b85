// Registers the model of an application: the files of its folder, and the types that options hold. Loads its own
// module, which runs later.

import { loadEntryModule } from '../application/entry-module.ts'
import { loadModel } from '../application/model-files.ts'
import type { Lifecycles } from '../hooks/lifecycles.ts'
import type { Registry } from '../model/registry.ts'
import type { AppModule } from './app.ts'
import type { Logger } from './logger.ts'
import type { KernelOptions } from './options.ts'

/** The registries that receive the model, and the log. */
export interface ModelTarget {
  readonly contentTypes: Registry
  readonly lifecycles: Lifecycles
  readonly log: Logger
}

/** Registers the model, and returns the application's own module: null without a folder or without such a file. */
export async function loadApplication(options: KernelOptions, target: ModelTarget): Promise<AppModule | null> {
  const { contentTypes } = target
  const module = options.dir === undefined ? null : await loadFolder(options.dir, target)
  for (const [uid, schema] of Object.entries(options.components ?? {})) contentTypes.addComponent(schema, uid)
  for (const schema of options.contentTypes ?? []) contentTypes.add(schema)
  return module
}

async function loadFolder(dir: string, { contentTypes, lifecycles, log }: ModelTarget): Promise<AppModule | null> {
  const files = await loadModel(dir, { warn: message => log.warn(message) })
  for (const one of files.extensions) contentTypes.extend(one.uid, one.schema, { file: one.file })
  for (const one of files.components) contentTypes.addComponent(one.schema, one.uid, one.file)
  for (const { uid, schema, file, lifecycles: functions } of files.contentTypes) {
    contentTypes.add(schema, { uid, file })
    const name = file.replace(/schema\.\w+$/, 'lifecycles')
    if (functions !== null) lifecycles.add(uid, { name, plugin: 'app' }, functions)
  }
  return loadEntryModule(dir)
}
