// Reads the model from an application's folder: src/api/*/content-types/*/schema.json, src/components/*/*.json and the
// lifecycles next to them, and extensions of plugins' types. It implements the folder layout (B-10.1 to B-10.8, B-10.51,
// B-10.52), and does not interpret the files.

import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { InvalidSchemaError, StartError } from '../errors.ts'
import { findMisplaced } from './misplaced-files.ts'
import { folders, importModule } from './modules.ts'

/** A file that describes a type. */
export interface ModelFile {
  readonly uid: string
  readonly file: string
  readonly schema: unknown
  /** The module `lifecycles` next to the schema; null if there is none. */
  readonly lifecycles: Readonly<Record<string, unknown>> | null
}

/** Options of loadModel. */
export interface LoadOptions {
  /** False: lifecycles are not loaded, because their modules are code of the application. */
  readonly runs?: boolean
  readonly warn?: (message: string) => void
  /** Receives the fault of a file that cannot be read, which is left out. Without it, the first such file ends the reading. */
  readonly onFault?: (fault: StartError) => void
}

/** The model of an application, as its files describe it. */
export interface ModelFiles {
  readonly contentTypes: readonly ModelFile[]
  readonly components: readonly ModelFile[]
  /** Schemas that are laid over those of plugins, by the uids of these. */
  readonly extensions: readonly Omit<ModelFile, 'lifecycles'>[]
}

/** Reads the model files below `dir`, sorted by name so that every start loads the same model. */
export async function loadModel(
  dir: string,
  { runs = true, warn = message => process.emitWarning(message), onFault }: LoadOptions = {},
): Promise<ModelFiles> {
  const read = (root: string, name: string) => readOrReport(root, name, dir, onFault)
  const contentTypes: ModelFile[] = []
  for (const api of await folders(join(dir, 'src/api'))) {
    const root = join(dir, 'src/api', api, 'content-types')
    for (const name of await folders(root)) {
      const file = await read(join(root, name), 'schema')
      if (file === unreadable) continue
      if (file === null) {
        await warnOfOthers(join(root, name), dir, warn)
        continue
      }
      const lifecycles = runs ? await readModule(join(root, name), 'lifecycles', dir) : null
      const singular = (file.schema as { info?: { singularName?: string } } | null)?.info?.singularName ?? name
      contentTypes.push({ uid: `api::${api}.${singular}`, ...file, lifecycles: (lifecycles?.schema as never) ?? null })
    }
  }
  const components: ModelFile[] = []
  for (const category of await folders(join(dir, 'src/components'))) {
    const root = join(dir, 'src/components', category)
    const names = (await readdir(root)).filter(name => name.endsWith('.json')).sort()
    for (const name of names) {
      const file = await read(root, name.slice(0, -5))
      if (file === unreadable) continue
      components.push({ uid: `${category}.${name.slice(0, -5)}`, ...file!, lifecycles: null })
    }
  }
  for (const message of await findMisplaced(dir)) warn(message)
  return { contentTypes, components, extensions: await loadExtensions(dir, onFault) }
}

/** Reads the files src/extensions/<plugin>/content-types/<name>/schema.json (B-10.52). */
async function loadExtensions(dir: string, onFault: LoadOptions['onFault']): Promise<ModelFiles['extensions']> {
  const extensions: ModelFiles['extensions'][number][] = []
  for (const plugin of await folders(join(dir, 'src/extensions'))) {
    const root = join(dir, 'src/extensions', plugin, 'content-types')
    for (const name of await folders(root)) {
      const file = await readOrReport(join(root, name), 'schema', dir, onFault)
      if (file !== null && file !== unreadable) extensions.push({ uid: `plugin::${plugin}.${name}`, ...file })
    }
  }
  return extensions
}

/** The result for a file that cannot be read. */
const unreadable = Symbol('unreadable')

async function readOrReport(root: string, name: string, dir: string, onFault: LoadOptions['onFault']) {
  try {
    return await readModule(root, name, dir)
  } catch (error) {
    if (onFault === undefined || !(error instanceof StartError)) throw error
    onFault(error)
    return unreadable
  }
}

/** Reads the JSON file or module `<root>/<name>.{json,ts,js,mjs}`; null if there is none. */
async function readModule(root: string, name: string, dir: string): Promise<{ file: string; schema: unknown } | null> {
  for (const extension of ['json', 'ts', 'js', 'mjs']) {
    const path = join(root, `${name}.${extension}`)
    if (!existsSync(path)) continue
    const file = relative(dir, path)
    if (extension === 'json') return { file, schema: parseJson(file, await readFile(path, 'utf8')) }
    const module = await importModule(path, file)
    return { file, schema: module.default ?? module }
  }
  return null
}

/** Warns of a folder whose JSON file has another name: otherwise its type would be missing without a message. */
async function warnOfOthers(folder: string, dir: string, warn: (message: string) => void): Promise<void> {
  const others = (await readdir(folder)).filter(name => name.endsWith('.json')).sort()
  for (const name of others)
    warn(`${relative(dir, join(folder, name))}: is not read; the schema of a content type must be named schema.json`)
}

function parseJson(file: string, text: string): unknown {
  try {
    // Editors on Windows may put a byte order mark before it.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new InvalidSchemaError(file, '', `is not valid JSON: ${(error as Error).message}`)
  }
}
