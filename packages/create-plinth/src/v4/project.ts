// Reads a Strapi v4 project: what it is, and which of its files a Plinth application takes along. Changes nothing in
// it.

import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { installedPlugins, localPlugins } from '@plinth/v4/plugins'
import { readV4Project } from '@plinth/v4/project'
import type { Database, Language, PluginName } from '../choices.ts'
import { Refusal } from '../refusal.ts'
import { codeAdvice, extensionAdvice, localAdvice } from './advice.ts'
import { isEmptyModule, isPlainFactory, needsOf } from './code.ts'
import { fieldsOf } from './custom-fields.ts'
import { type Guards, guardsIn } from './guards.ts'
import { plainText } from './plain-text.ts'

/** A v4 project. */
export interface Project {
  readonly dir: string
  readonly language: Language
  readonly database: Database
  /** The databases for which it has packages. */
  readonly databases: readonly Database[]
  readonly plugins: readonly PluginName[]
  /** The ranges of its dependencies. */
  readonly dependencies: Readonly<Record<string, string>>
  /** The files that are copied as they are, by their paths. */
  readonly copied: readonly string[]
  /** The packages that copied files import. */
  readonly imported: readonly string[]
  /** The base types of custom fields that its code registers, by their names. */
  readonly baseTypes: Readonly<Record<string, string>>
  /** The parts that are not taken along, each with its reason. */
  readonly left: readonly string[]
  /** The guards in its code, and what becomes of them. */
  readonly guards: Guards
}

const drivers: Readonly<Record<string, Database>> = {
  'better-sqlite3': 'sqlite',
  sqlite3: 'sqlite',
  sqlite: 'sqlite',
  pg: 'postgres',
  postgres: 'postgres',
  mysql: 'mysql',
  mysql2: 'mysql',
}

/** Throws Refusal for a folder without a v4 project. `client`: DATABASE_CLIENT of the project, if it is set. */
export async function readProject(dir: string, client: string | undefined): Promise<Project> {
  const manifest = await readFile(join(dir, 'package.json'), 'utf8').catch(() => {
    throw new Refusal(`--from-v4: there is no package.json in ${dir}`)
  })
  const dependencies = dependenciesIn(manifest)
  const version = dependencies['@strapi/strapi']
  if (version === undefined)
    throw new Refusal(`--from-v4: ${dir} is not a Strapi project: @strapi/strapi is not a dependency`)
  if (!/^\D*4\b/.test(version))
    throw new Refusal(`--from-v4: ${dir} has Strapi ${version}; only projects of v4 are read`)
  const databases = [...new Set(Object.keys(dependencies).flatMap(name => drivers[name] ?? []))]
  const configs = await filesBelow(dir, 'config')
  const language = configs.some(path => path.endsWith('.ts')) ? 'ts' : 'js'
  const optional = (['graphql', 'users-permissions', 'i18n'] as const).filter(
    name => dependencies[`@strapi/plugin-${name}`] !== undefined,
  )
  // Drafts, files, tokens and custom fields are in the core of v4.
  const ofCore: readonly PluginName[] = [...optional, 'api-tokens', 'upload', 'draft-publish', 'custom-fields']
  const code = new Code({ dir, language, dependencies, plugins: ofCore })
  for (const folder of ['src', 'database/migrations'])
    for (const path of await filesBelow(dir, folder)) await code.add(path)
  code.addPlugins()
  const read = readV4Project(dir)
  const files = await fieldsOf(dir, code.sorted(), read.customFields)
  const needsPasswords = !optional.includes('users-permissions') && (await havePasswords(dir, files))
  const plugins = needsPasswords ? ([...ofCore, 'passwords'] as const) : ofCore
  return {
    dir,
    language,
    database: drivers[client ?? (await clientIn(dir, configs)) ?? ''] ?? databases[0] ?? 'sqlite',
    databases,
    plugins,
    dependencies,
    ...files,
    guards: guardsIn(read, plugins),
  }
}

/**
 * Returns whether a schema that is taken along, or a custom field, has the type `password`, which is in the core of v4.
 */
async function havePasswords(dir: string, { copied, baseTypes }: Pick<Project, 'copied' | 'baseTypes'>) {
  if (Object.values(baseTypes).includes('password')) return true
  const texts = await Promise.all(copied.map(path => readFile(join(dir, path), 'utf8')))
  return texts.some(text => /\btype['"]?\s*:\s*['"]password['"]/.test(text))
}

/** The dependencies of a manifest. Throws Refusal if it is not JSON. */
function dependenciesIn(manifest: string): Readonly<Record<string, string>> {
  try {
    const { dependencies } = (JSON.parse(plainText(manifest)) ?? {}) as { dependencies?: Record<string, string> }
    return dependencies ?? {}
  } catch (error) {
    throw new Refusal(`--from-v4: package.json is not valid JSON: ${(error as Error).message}`)
  }
}

/** The client that config/database names; undefined if it names several, or only a variable. */
async function clientIn(dir: string, configs: readonly string[]): Promise<string | undefined> {
  const path = configs.find(one => /^config\/database\.\w+$/.test(one))
  if (path === undefined) return undefined
  const text = await readFile(join(dir, path), 'utf8')
  const [, fallback] = /env\(\s*['"]DATABASE_CLIENT['"]\s*,\s*['"]([\w-]+)['"]/.exec(text) ?? []
  const clients = new Set([...text.matchAll(/\bclient['"]?\s*:\s*['"]([\w-]+)['"]/g)].map(([, name]) => name))
  return fallback ?? (clients.size === 1 ? [...clients][0] : undefined)
}

const schema = /^src\/(?:api|extensions)\/([^/]+)\/content-types\/[^/]+\/schema\.(?:json|[cm]?[jt]s)$/
const component = /^src\/components\/[^/]+\/[^/]+\.json$/
const lifecycles = /\/content-types\/[^/]+\/lifecycles\.[cm]?[jt]s$/
const program = /(?<!\.d)\.[cm]?[jt]sx?$/
const isOwnCode = (path: string) => program.test(path) && !/\.example\./.test(path)

/** Files of src/, those that are taken along and those that are not. */
class Code {
  readonly #project: Pick<Project, 'dir' | 'language' | 'dependencies' | 'plugins'>
  readonly #copied: string[] = []
  readonly #imported = new Set<string>()
  readonly #left: string[] = []
  #factories = 0
  #hasPanel = false

  constructor(project: Pick<Project, 'dir' | 'language' | 'dependencies' | 'plugins'>) {
    this.#project = project
  }

  async add(path: string): Promise<void> {
    const extended = path.startsWith('src/extensions/') ? schema.exec(path)?.[1] : undefined
    if (extended !== undefined && !this.#project.plugins.some(one => one === extended))
      this.#left.push(`${path}: ${extensionAdvice(extended)}`)
    else if (component.test(path) || (schema.test(path) && path.endsWith('.json'))) this.#copied.push(path)
    else if (/^src\/(?:admin|plugins)\//.test(path)) this.#hasPanel ||= path.startsWith('src/admin/') && isOwnCode(path)
    else if (isOwnCode(path)) await this.#addCode(path)
  }

  /** Adds the plugins that package.json names, and those below src/plugins, each with what the API loses. */
  addPlugins(): void {
    const { dir, dependencies } = this.#project
    if (this.#hasPanel) this.#left.push(`src/admin: ${codeAdvice('src/admin/')}`)
    for (const plugin of localPlugins(dir)) this.#left.push(`${plugin.folder}: ${localAdvice(plugin)}`)
    for (const { packageName, standing, adds, here } of installedPlugins(dir, dependencies))
      if (standing !== 'works') this.#left.push(`package.json: ${packageName}: adds ${adds}; ${here}`)
  }

  async #addCode(path: string): Promise<void> {
    const text = await readFile(join(this.#project.dir, path), 'utf8')
    const isTaken = lifecycles.test(path) || schema.test(path)
    try {
      const reason = isTaken ? this.#reasonAgainst(text) : null
      if (reason !== null) this.#left.push(`${path}: ${reason}`)
      else if (isTaken) this.#copied.push(path)
      else if (isPlainFactory(text)) this.#factories++
      else if (!/^src\/index\.\w+$/.test(path) || !isEmptyModule(text)) this.#left.push(`${path}: ${codeAdvice(path)}`)
    } catch (error) {
      // Files of the panel may have a syntax of their own.
      if (!(error instanceof SyntaxError)) throw error
      this.#left.push(`${path}: ${isTaken ? `is not copied: ${error.message}` : codeAdvice(path)}`)
    }
  }

  /** Returns why lifecycles or a schema would not run as they are; null if they would. */
  #reasonAgainst(text: string): string | null {
    const { usesStrapi, files, packages } = needsOf(text)
    const { dependencies } = this.#project
    const missing = packages.find(one => dependencies[one] === undefined)
    if (usesStrapi)
      return 'uses `strapi`, which is not there: write it again as hooks in src/index, which have `kernel`'
    if (files[0] !== undefined) return `imports ${files[0]}: copy both, if they do without \`strapi\``
    if (missing !== undefined) return `imports ${missing}: copy it, and add the package to package.json`
    for (const one of packages) this.#imported.add(one)
    return null
  }

  sorted(): Pick<Project, 'copied' | 'imported' | 'left'> {
    const note = `src: ${this.#factories} files only call factories of v4: nothing is to do, the routes of content types are built in`
    return {
      copied: this.#copied,
      imported: [...this.#imported],
      left: [...this.#left, ...(this.#factories > 0 ? [note] : [])],
    }
  }
}

/** The files below a folder, by paths relative to the project with `/`. */
async function filesBelow(dir: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(dir, folder), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter(one => one.isFile())
    .map(one => relative(dir, join(one.parentPath, one.name)).replaceAll('\\', '/'))
    .filter(path => !path.includes('node_modules/'))
    .sort()
}
