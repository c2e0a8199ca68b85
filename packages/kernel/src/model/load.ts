// Reads the model from an application's folder: src/api/*/content-types/*/schema.json, src/components/*/*.json and the
// lifecycles beside them. Knows the folder layout (section 10.1 of the spec), nothing of what the files mean.

import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InvalidSchemaError } from '../errors.ts'

/** A file that describes a type. */
export interface ModelFile {
  readonly uid: string
  readonly file: string
  readonly schema: unknown
  /** The module beside the schema, when there is one. */
  readonly lifecycles: Readonly<Record<string, unknown>> | null
}

/**
 * The model files below `dir`, in the order of their names so that every start sees the same model. `runs: false` loads no
 * lifecycles, whose modules are code of the application.
 */
export async function loadModel(
  dir: string,
  { runs = true } = {},
): Promise<{ contentTypes: ModelFile[]; components: ModelFile[] }> {
  const contentTypes: ModelFile[] = []
  for (const api of await folders(join(dir, 'src/api'))) {
    const root = join(dir, 'src/api', api, 'content-types')
    for (const name of await folders(root)) {
      const found = await readModule(join(root, name), 'schema', dir)
      if (found === null) continue
      const lifecycles = runs ? await readModule(join(root, name), 'lifecycles', dir) : null
      const singular = (found.schema as { info?: { singularName?: string } } | null)?.info?.singularName ?? name
      contentTypes.push({ uid: `api::${api}.${singular}`, ...found, lifecycles: (lifecycles?.schema as never) ?? null })
    }
  }
  const components: ModelFile[] = []
  for (const category of await folders(join(dir, 'src/components'))) {
    const root = join(dir, 'src/components', category)
    const names = (await readdir(root)).filter(name => name.endsWith('.json')).sort()
    for (const name of names) {
      const found = await readModule(root, name.slice(0, -5), dir)
      components.push({ uid: `${category}.${name.slice(0, -5)}`, ...found!, lifecycles: null })
    }
  }
  return { contentTypes, components }
}

async function folders(path: string): Promise<string[]> {
  if (!existsSync(path)) return []
  const entries = await readdir(path, { withFileTypes: true })
  return entries
    .filter(entry => entry.isDirectory())
    .map(entry => entry.name)
    .sort()
}

/** The JSON file or module `<root>/<name>.{json,ts,js,mjs}`; null when there is none. */
async function readModule(root: string, name: string, dir: string): Promise<{ file: string; schema: unknown } | null> {
  for (const extension of ['json', 'ts', 'js', 'mjs']) {
    const path = join(root, `${name}.${extension}`)
    if (!existsSync(path)) continue
    const file = relative(dir, path)
    if (extension === 'json') return { file, schema: parseJson(file, await readFile(path, 'utf8')) }
    const loaded = (await import(pathToFileURL(path).href)) as { default?: unknown }
    return { file, schema: loaded.default ?? loaded }
  }
  return null
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InvalidSchemaError(file, '', `is not JSON: ${(error as Error).message}`)
  }
}
