// Checks whether an application would accept a new type: its whole model is made with the type, as a start makes it,
// but without a database and without running code of the application.

import {
  freezeModel,
  loadConfig,
  loadModel,
  type ModelFile,
  type PluginEntry,
  type PluginsConfig,
  resolvePlugins,
} from '@plinth/kernel'

/** A type that is about to be written. */
export interface NewType {
  readonly uid: string
  readonly schema: object
  readonly isComponent: boolean
}

/** The application into which a type is written. */
export interface Application {
  readonly types: readonly ModelFile[]
  /** The settings of its plugins, by their names. */
  readonly plugins: ReadonlyMap<string, unknown>
}

/** Reads the content types and the plugins of an application. No code of it runs. */
export async function readApplication(dir: string): Promise<Application> {
  const plugins = (await loadConfig(dir, 'plugins')) as PluginsConfig
  const enabled = await resolvePlugins(plugins, dir)
  const { contentTypes } = await loadModel(dir, { runs: false, warn: () => {} })
  return { types: contentTypes, plugins: new Map(enabled.map(one => [one.plugin.plinth.name, one.config])) }
}

/**
 * Throws what a start of the application with this type would throw about its model. `changed` are the schemas of types that
 * change with it.
 */
export async function checkWith(
  dir: string,
  { uid, schema, isComponent }: NewType,
  changed: ReadonlyMap<string, object> = new Map(),
): Promise<void> {
  const enabled = await resolvePlugins((await loadConfig(dir, 'plugins')) as PluginsConfig, dir)
  const files = await loadModel(dir, { runs: false, warn: () => {} })
  await freezeModel({
    configure(kernel) {
      for (const one of files.extensions) kernel.contentTypes.extend(one.uid, one.schema as object, { file: one.file })
    },
    plugins: Object.fromEntries(enabled.map(one => [one.plugin.plinth.name, one as PluginEntry])),
    contentTypes: [
      ...files.contentTypes.map(one => ({ ...(changed.get(one.uid) ?? (one.schema as object)), uid: one.uid })),
      ...(isComponent ? [] : [{ ...schema, uid }]),
    ],
    components: {
      ...Object.fromEntries(files.components.map(one => [one.uid, one.schema])),
      ...(isComponent && { [uid]: schema }),
    },
  })
}
