// Makes the files of an application from a v4 project.

import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { type Choices, packageNameOf } from '../choices.ts'
import { drivers } from '../packages.ts'
import { containerFiles } from '../project/container.ts'
import { gitignore } from '../project/environment.ts'
import type { Files } from '../project/files.ts'
import { manifestFiles } from '../project/manifest.ts'
import { Refusal } from '../refusal.ts'
import { configAdvice } from './advice.ts'
import { needsOf } from './code.ts'
import { hasBucket, type Translation, translateDatabase, translatePlugins, translateServer } from './config.ts'
import { translateEnvironment } from './environment.ts'
import { type Project, readProject } from './project.ts'
import { projectReadme, projectTest } from './texts.ts'

/** A v4 project that has been read. */
export interface Source {
  readonly project: Project
  readonly choices: Choices
  /** The text of `.env`; empty if there is none. */
  readonly env: string
  /** Packages of Plinth beside those of its plugins, without their scope. */
  readonly packages: readonly string[]
}

/** Reads the project in `dir`. Throws Refusal if there is none. `folder` names the application. */
export async function readSource(dir: string, folder: string): Promise<Source> {
  const env = (await textOf(join(dir, '.env'))) ?? ''
  const project = await readProject(dir, parseEnv(env).DATABASE_CLIENT)
  const { language, database, plugins } = project
  const choices = { name: packageNameOf(folder), language, database, plugins: new Set(plugins) }
  const settings = (await readConfig(dir, 'config', 'plugins'))?.text
  const packages = settings !== undefined && readable('config/plugins', () => hasBucket(settings)) ? ['upload-s3'] : []
  return { project, env, choices, packages }
}

/** What `read` returns. Throws Refusal with the path for a file with a syntax of its own. */
function readable<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Refusal(`--from-v4: ${path} cannot be read: ${error.message}`)
  }
}

/** Copies the schemas, and returns the other files, with what was left out. */
export async function takeOver(source: Source, dir: string, ranges: ReadonlyMap<string, string>) {
  const { project, choices, env } = source
  for (const path of project.copied) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await cp(join(project.dir, path), join(dir, path))
  }
  const left: string[] = []
  const config = await configFiles(project, left)
  const admin = (await readConfig(project.dir, 'config', 'admin'))?.text ?? null
  const plugins = (await readConfig(project.dir, 'config', 'plugins'))?.text ?? null
  const kept = Object.values(config).join('\n')
  const environment = translateEnvironment({ env, admin, plugins, kept, enabled: project.plugins })
  const more = new Map([
    ...project.databases.map(name => [drivers[name], ''] as const),
    ...source.packages.map(name => [`@plinth/${name}`, ''] as const),
    ...importedPackages(source, config, left),
  ])
  const all = [...left, ...environment.left, ...project.left]
  const files: Files = {
    ...manifestFiles({ choices, ranges, more }, true),
    ...config,
    ...containerFiles(ranges.size > 0, ['.tmp', 'public/uploads']),
    '.env': environment.env,
    '.env.example': environment.example,
    '.gitignore': gitignore,
    'database/migrations/.gitkeep': '',
    'README.md': projectReadme(choices, all),
    [`test/content.test.${choices.language === 'ts' ? 'ts' : 'mjs'}`]: projectTest,
  }
  return { files, left: all }
}

/** The packages that the taken files import, with their ranges. Notes what they import that is not there. */
function importedPackages({ project }: Source, config: Files, left: string[]): Map<string, string> {
  const { dependencies, language } = project
  const found = new Set(project.imported)
  for (const [path, text] of Object.entries(config)) {
    if (path.endsWith('.json')) continue
    const { packages, files, commonJs } = needsOf(text)
    for (const one of files) left.push(`${path}: imports ${one}, which is not taken along: copy it`)
    for (const one of packages)
      if (dependencies[one] !== undefined) found.add(one)
      else if (one !== '@plinth/kernel') left.push(`${path}: imports ${one}: add the package to package.json`)
    if (language === 'ts' && commonJs !== undefined)
      left.push(
        `${path}: uses ${commonJs}, which modules do not have: paths are found from the folder of the application`,
      )
  }
  const isOwn = (name: string) => name in driversOfOthers
  return new Map([...found].filter(name => !isOwn(name)).map(name => [name, dependencies[name]!]))
}

/** Packages that the application has in a version of its own. */
const driversOfOthers: object = Object.fromEntries(Object.values(drivers).map(name => [name, true]))

/** The translated files of config/ and of config/env. */
async function configFiles(project: Project, left: string[]): Promise<Files> {
  const files: Record<string, string> = {}
  for (const folder of ['config', ...(await environmentsOf(project.dir))]) {
    const isBase = folder === 'config'
    const names = await namesIn(join(project.dir, folder))
    for (const name of names) {
      const { text, extension } = (await readConfig(project.dir, folder, name))!
      const path = `${folder}/${name}${extension}`
      const translate = translations[name]
      if (translate !== undefined) {
        const translation = readable(path, () => translate(text))
        files[path] = translation.text
        left.push(...translation.left.map(one => `${path}: ${one}`))
      } else if (name !== 'plugins' && !(name === 'middlewares' && isBase)) left.push(`${path}: ${configAdvice(name)}`)
    }
    if (isBase || names.includes('plugins')) await addPlugins({ project, folder, files, left })
  }
  return files
}

const translations: Readonly<Record<string, (text: string) => Translation>> = {
  server: translateServer,
  database: translateDatabase,
  api: text => ({ text, left: [] }),
}

interface Plugins {
  readonly project: Project
  readonly folder: string
  readonly files: Record<string, string>
  readonly left: string[]
}

/** Adds config/plugins, also if the project has none. JSON becomes code, because settings of others are added. */
async function addPlugins({ project, folder, files, left }: Plugins): Promise<void> {
  const isModule = project.language === 'ts'
  const isBase = folder === 'config'
  const found = await readConfig(project.dir, folder, 'plugins')
  const middlewares = isBase ? await readConfig(project.dir, folder, 'middlewares') : null
  const isJson = found?.extension === '.json'
  const plugins = isJson ? `${isModule ? 'export default' : 'module.exports ='} ${found.text.trim()}\n` : found?.text
  const path = `${folder}/plugins${isJson || found === null ? `.${project.language}` : found.extension}`
  const source = { plugins: plugins ?? null, middlewares: middlewares?.text ?? null, isBase, isModule }
  const translated = readable(`${folder}/plugins`, () => translatePlugins({ ...source, enabled: project.plugins }))
  files[path] = translated.text
  left.push(...translated.left.map(one => `${folder}/plugins${found?.extension}: ${one}`))
  left.push(...translated.ofMiddlewares.map(one => `config/middlewares${middlewares?.extension}: ${one}`))
}

async function environmentsOf(dir: string): Promise<string[]> {
  const entries = await readdir(join(dir, 'config/env'), { withFileTypes: true }).catch(() => [])
  return entries.filter(one => one.isDirectory()).map(one => `config/env/${one.name}`)
}

const extensions = ['.ts', '.js', '.mjs', '.cjs', '.json']

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter(one => one.isFile() && extensions.includes(extname(one.name)))
  return [...new Set(files.map(one => one.name.slice(0, -extname(one.name).length)))].sort()
}

async function readConfig(dir: string, folder: string, name: string) {
  for (const extension of extensions) {
    const text = await textOf(join(dir, folder, `${name}${extension}`))
    if (text !== null) return { text, extension }
  }
  return null
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
