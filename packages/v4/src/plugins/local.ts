// The plugins below `src/plugins` of a v4 project: their content types with the tables, and their routes.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bareOf, type Expression, exportedValue, memberOf } from '../syntax.ts'
import { parseProgram, walk } from '../syntax/tree.ts'

/** A content type of a plugin. */
export interface TypeOfPlugin {
  readonly uid: string
  readonly table: string
  readonly isSingle: boolean
  readonly file: string
}

/** A route of a plugin, as it is written: below `/api` and the name of the plugin, or below `/admin`. */
export interface RouteOfPlugin {
  readonly method: string
  readonly path: string
  readonly handler: string | null
  readonly file: string
}

export interface LocalPlugin {
  readonly name: string
  readonly folder: string
  readonly types: readonly TypeOfPlugin[]
  readonly routes: readonly RouteOfPlugin[]
}

/** The plugins, sorted by their folders. Files that cannot be parsed have no types and routes. */
export function localPlugins(dir: string): readonly LocalPlugin[] {
  const folder = join(dir, 'src/plugins')
  if (!existsSync(folder)) return []
  const folders = readdirSync(folder, { withFileTypes: true }).filter(one => one.isDirectory())
  return folders.map(one => pluginIn(dir, `src/plugins/${one.name}`, one.name)).sort(byFolder)
}

const byFolder = (one: LocalPlugin, other: LocalPlugin) => (one.folder < other.folder ? -1 : 1)

function pluginIn(dir: string, folder: string, named: string): LocalPlugin {
  const name = nameIn(join(dir, folder)) ?? named
  const files = filesIn(dir, folder)
  return {
    name,
    folder,
    types: files.flatMap(file => typesIn(dir, file, name)),
    routes: files.filter(file => !file.endsWith('.json')).flatMap(file => routesIn(dir, file)),
  }
}

/** `strapi.name` of the manifest. */
function nameIn(folder: string): string | null {
  try {
    const { strapi } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { strapi?: { name?: unknown } }
    return typeof strapi?.name === 'string' ? strapi.name : null
  } catch {
    return null
  }
}

/** Code and JSON, without the panel, packages, and built files of which there are sources. */
function filesIn(dir: string, folder: string): readonly string[] {
  const entries = readdirSync(join(dir, folder), { recursive: true, withFileTypes: true })
  const all = entries
    .filter(one => one.isFile() && /(?<!\.d)\.(?:[cm]?[jt]s|json)$/.test(one.name))
    .map(one => relative(dir, join(one.parentPath, one.name)).replaceAll('\\', '/'))
    .filter(path => !/\/(?:node_modules|admin|translations|tests?|__tests__)\//.test(path))
    .filter(path => !/\/(?:package|package-lock|tsconfig[^/]*)\.json$/.test(path))
    .sort()
  const sources = all.filter(path => !/\/(?:dist|build)\//.test(path))
  return sources.length > 0 ? sources : all
}

/** A schema, which is JSON or an exported object with these members. */
function typesIn(dir: string, file: string, plugin: string): TypeOfPlugin[] {
  const value = readable(() => exportedValue(readFileSync(join(dir, file), 'utf8').replace(/^\uFEFF/, '')))
  // Some files export `{ schema }`.
  const inner = value && memberOf(value, 'schema')
  const schema = inner && !memberOf(value, 'attributes') ? bareOf(inner) : value
  const textOf = (name: string, of: typeof schema) => {
    const found = of && memberOf(of, name)
    return found?.type === 'StringLiteral' ? found.value : undefined
  }
  const attributes = schema && memberOf(schema, 'attributes')
  const info = (schema && memberOf(schema, 'info')) ?? null
  const singular = textOf('singularName', info)
  if (!attributes || singular === undefined) return []
  const plural = textOf('pluralName', info) ?? `${singular}s`
  return [
    {
      uid: `plugin::${plugin}.${singular}`,
      table: textOf('collectionName', schema) ?? plural.replaceAll('-', '_'),
      isSingle: textOf('kind', schema) === 'singleType',
      file,
    },
  ]
}

/** Objects of a file that have a method and a path. */
function routesIn(dir: string, file: string): RouteOfPlugin[] {
  if (!/\/(?:routes?|server)\b|strapi-server/.test(file)) return []
  const program = readable(() => parseProgram(readFileSync(join(dir, file), 'utf8'), file))
  const routes: RouteOfPlugin[] = []
  walk(program ?? [], node => {
    const textOf = (name: string) => {
      const found = memberOf(node as Expression, name)
      return found?.type === 'StringLiteral' ? found.value : null
    }
    const [method, path] = [textOf('method'), textOf('path')]
    if (method !== null && path?.startsWith('/'))
      routes.push({ method: method.toUpperCase(), path, handler: textOf('handler'), file })
  })
  return routes
}

function readable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
