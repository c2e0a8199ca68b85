// The plugins below `src/plugins` of a v4 project: their content types with the tables, and their routes.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Node, parseProgram, walk } from '../syntax/tree.ts'
import { bareOf, type Expression, exportedValue, memberOf } from '../syntax.ts'

/** A content type of a plugin. */
export interface TypeOfPlugin {
  readonly uid: string
  readonly table: string
  readonly isSingle: boolean
  readonly file: string
}

/** A route of a plugin. */
export interface RouteOfPlugin {
  readonly method: string
  /** As it is written. */
  readonly path: string
  /** The prefix of its path: `/<plugin>`, if its router does not say otherwise. */
  readonly prefix: string
  /** Of the API, or of the administration panel, which is v4's default; null if that could not be read. */
  readonly type: 'content-api' | 'admin' | null
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

function pluginIn(dir: string, folder: string, folderName: string): LocalPlugin {
  const name = nameIn(join(dir, folder)) ?? folderName
  const files = filesIn(dir, folder)
  return {
    name,
    folder,
    types: files.flatMap(file => typesIn(dir, file, name)),
    routes: settled(
      files.filter(file => !file.endsWith('.json')).flatMap(file => routesIn(dir, file, name)),
      folder,
    ),
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
    const member = of && memberOf(of, name)
    return member?.type === 'StringLiteral' ? member.value : undefined
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
function routesIn(dir: string, file: string, plugin: string): RouteOfPlugin[] {
  if (!/\/(?:routes?|server)\b|strapi-server/.test(file)) return []
  const program = readable(() => parseProgram(readFileSync(join(dir, file), 'utf8'), file))
  const routes: RouteOfPlugin[] = []
  walk(program ?? [], (node, above) => {
    const [method, path] = [textIn(node, 'method'), textIn(node, 'path')]
    if (method === null || !path?.startsWith('/')) return
    const around = (name: string) => above.map(one => textIn(one, name)).findLast(text => text !== null) ?? null
    const prefix = textIn(memberOf(node as Expression, 'config') ?? null, 'prefix') ?? around('prefix') ?? `/${plugin}`
    const type = typeOf(around('type') ?? above.map(keyOf).findLast(key => typeOf(key) !== null) ?? null)
    routes.push({ method: method.toUpperCase(), path, prefix, type, handler: textIn(node, 'handler'), file })
  })
  return routes
}

const textIn = (node: Node | null, name: string): string | null => {
  const member = node === null ? null : memberOf(node as Expression, name)
  return member?.type === 'StringLiteral' ? member.value : null
}

/** The name of a member, in `{ 'content-api': { routes: [] } }`. */
const keyOf = (node: Node): string | null => {
  const { key } = node as Node & { readonly key?: { readonly name?: string; readonly value?: unknown } }
  return key === undefined ? null : (key.name ?? String(key.value))
}

const typeOf = (text: string | null): RouteOfPlugin['type'] =>
  text === 'admin' || text === 'content-api' ? text : null

/**
 * The routes with their types. A list that stands in the file of all routes is one of the panel, as in v4; one of
 * another file has the type of its folder, or the only type that the plugin has.
 */
function settled(routes: readonly RouteOfPlugin[], folder: string): readonly RouteOfPlugin[] {
  const types = new Set(routes.map(one => one.type).filter(one => one !== null))
  const isWhole = (file: string) =>
    /^\/(?:server\/)?(?:src\/)?(?:routes|routes\/index|index)\.\w+$/.test(file.slice(folder.length))
  const settledType = ({ type, file }: RouteOfPlugin) => {
    if (type !== null) return type
    if (/\/content-api[/.]/.test(file)) return 'content-api'
    if (isWhole(file)) return 'admin'
    return types.size === 1 ? [...types][0]! : null
  }
  return routes.map(one => ({ ...one, type: settledType(one) }))
}

function readable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
