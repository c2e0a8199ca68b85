// Makes the files of an application from a v4 project.

import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { exportedValue } from '@plinth/v4/syntax'
import { type Choices, packageNameOf } from '../choices.ts'
import { databasePackage } from '../packages.ts'
import { containerFiles } from '../project/container.ts'
import { gitignore } from '../project/environment.ts'
import type { Files } from '../project/files-by-path.ts'
import { manifestFiles } from '../project/manifest.ts'
import { Refusal } from '../refusal.ts'
import { configAdvice } from './advice.ts'
import { hasBucket } from './buckets.ts'
import { needsOf } from './code.ts'
import { type Translation, translateDatabase, translateServer } from './config.ts'
import { variablesOf } from './env-text.ts'
import { translateEnvironment } from './environment.ts'
import { takeImports } from './imported-files.ts'
import { mailProviders } from './mails.ts'
import { moduleForm } from './module-form.ts'
import { originals } from './picked-plugins.ts'
import { plainText } from './plain-text.ts'
import { translatePlugins } from './plugins.ts'
import { type Project, readProject } from './project.ts'
import { reportOf } from './report.ts'
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
  const project = await readProject(dir, variablesOf(env).DATABASE_CLIENT)
  const { language, database, plugins } = project
  const choices = { name: packageNameOf(folder), language, database, plugins: new Set(plugins) }
  const settings = await readConfig(dir, 'config', 'plugins')
  const isStored = settings !== null && readable(`config/plugins${settings.extension}`, () => hasBucket(settings.text))
  const packages = [
    ...(isStored ? ['upload-s3'] : []),
    ...((await sendsMails(project)) ? ['email'] : []),
    ...(project.guards.entry === null ? [] : ['v4']),
  ]
  return { project, env, choices, packages }
}

/** Returns whether config/plugins, or that of an environment, names a provider of mails that the project has. */
async function sendsMails({ dir, dependencies }: Project): Promise<boolean> {
  for (const folder of ['config', ...(await environmentsOf(dir))]) {
    const settings = await readConfig(dir, folder, 'plugins')
    if (settings === null) continue
    const path = `${folder}/plugins${settings.extension}`
    if (readable(path, () => mailProviders(settings.text, dependencies)).length > 0) return true
  }
  return false
}

/** Returns what `read` returns. Throws Refusal with the path for a file with a syntax of its own. */
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
  const left: string[] = []
  for (const path of project.copied) await takeCopied({ project, path, dir, left })
  const { files: config, packages } = await configFiles(project, left)
  const admin = await readConfig(project.dir, 'config', 'admin')
  const plugins = (await readConfig(project.dir, 'config', 'plugins'))?.text ?? null
  const configText = Object.values(config).join('\n')
  const environment = readable(`config/admin${admin?.extension}`, () =>
    translateEnvironment({ env, admin: admin?.text ?? null, plugins, configText, enabled: project.plugins }),
  )
  const more = new Map([
    ...project.databases.map(name => [databasePackage(name), ''] as const),
    ...source.packages.map(name => [`@plinth/${name}`, ''] as const),
    ...importedPackages(source, config, left),
    ...packages.map(name => [name, name === 'nodemailer' ? '' : (project.dependencies[name] ?? '')] as const),
  ])
  for (const [name, range] of more) await takeFolder({ project, dir, left }, name, range)
  const report = await reportOf({
    project,
    left: [...left, ...environment.left, ...project.left],
    config,
    plugins,
    variables: environment.variables,
    sendsMails: packages.length > 0,
  })
  const files: Files = {
    ...manifestFiles({ choices, ranges, more }, true),
    ...config,
    ...containerFiles(ranges.size > 0, ['.tmp', 'public/uploads']),
    '.env': environment.env,
    '.env.example': environment.example,
    '.gitignore': gitignore,
    'database/migrations/.gitkeep': '',
    'README.md': projectReadme(choices, report),
    [`test/content.test.${choices.language === 'ts' ? 'ts' : 'mjs'}`]: projectTest,
  }
  return { files, report }
}

/** Copies a file; in TypeScript, one of code becomes a module. */
async function takeCopied({ project, path, dir, left }: CopyInput): Promise<void> {
  await mkdir(dirname(join(dir, path)), { recursive: true })
  if (project.language === 'js' || path.endsWith('.json')) {
    await cp(join(project.dir, path), join(dir, path))
    return
  }
  const original = await readFile(join(project.dir, path), 'utf8')
  const { text, notes } = moduleForm({ text: original, built: '.', resolve: () => null, stays: false })
  await writeFile(join(dir, path), text)
  left.push(...notes.map(one => `${path}: ${one}`))
}

interface CopyInput {
  readonly project: Project
  readonly path: string
  readonly dir: string
  readonly left: string[]
}

/** Copies the folder of a package that the project has itself. */
async function takeFolder({ project, dir, left }: Omit<CopyInput, 'path'>, name: string, range: string): Promise<void> {
  const [, folder] = /^(?:file|link):(?:\.\/)?([^.].*)$/.exec(range) ?? []
  if (folder === undefined) {
    if (/^(?:file|link|portal|workspace):/.test(range))
      left.push(`package.json: ${name} has the range ${range}, which is found from the v4 project only`)
    return
  }
  const filter = (path: string) => !path.includes('node_modules')
  await cp(join(project.dir, folder), join(dir, folder), { recursive: true, filter })
}

/** The packages that the taken files import, with their ranges. Notes those that the project does not name. */
function importedPackages({ project }: Source, config: Files, left: string[]): Map<string, string> {
  const { dependencies } = project
  const imported = new Set(project.imported)
  for (const [path, text] of Object.entries(config)) {
    if (!/\.[cm]?[jt]s$/.test(path)) continue
    const { packages, usesStrapi } = readable(path, () => needsOf(text))
    if (usesStrapi) left.push(`${path}: uses \`strapi\` or its packages, which are not there: write it without`)
    for (const one of packages)
      if (dependencies[one] !== undefined) imported.add(one)
      else if (one !== '@plinth/kernel') left.push(`${path}: imports ${one}: add the package to package.json`)
  }
  return new Map([...imported].map(name => [name, dependencies[name]!]))
}

/** The files of the settings, and the packages that they need. */
interface Settings {
  readonly files: Record<string, string>
  readonly packages: string[]
}

/** The translated files of config/ and of config/env, and the files that they import. */
async function configFiles(project: Project, left: string[]): Promise<Settings> {
  const settings: Settings = { files: {}, packages: [] }
  const { files } = settings
  const others = new Map<string, string>()
  for (const folder of ['config', ...(await environmentsOf(project.dir))]) {
    const isBase = folder === 'config'
    const names = await namesIn(join(project.dir, folder))
    for (const name of names) {
      const { text, extension } = (await readConfig(project.dir, folder, name))!
      const path = `${folder}/${name}${extension}`
      const translate = translations[name]
      if (translate !== undefined) {
        const built = project.language === 'ts' ? `dist/${folder}` : folder
        const translation = readable(path, () => translate(text, built))
        files[path] = translation.text
        left.push(...translation.left.map(one => `${path}: ${one}`))
      } else if (!(name in originals)) others.set(path, name)
    }
    if (isBase || names.some(name => name in originals)) await addPlugins({ project, folder, settings, left })
  }
  await takeImports({ dir: project.dir, language: project.language, files, left })
  // Those that settings import are taken along.
  for (const [path, name] of others) if (files[path] === undefined) left.push(`${path}: ${configAdvice(name)}`)
  return settings
}

const translations: Readonly<Record<string, (text: string, built: string) => Translation>> = {
  server: translateServer,
  database: translateDatabase,
  api: text => {
    exportedValue(text)
    return { text, left: [] }
  },
}

interface Plugins {
  readonly project: Project
  readonly folder: string
  readonly settings: Settings
  readonly left: string[]
}

/** Adds config/plugins, also if the project has none. JSON becomes code, because settings of others are added. */
async function addPlugins({ project, folder, settings, left }: Plugins): Promise<void> {
  const { language, dependencies, baseTypes, plugins: enabled, guards } = project
  const isBase = folder === 'config'
  const config = await readConfig(project.dir, folder, 'plugins')
  const middlewares = await readConfig(project.dir, folder, 'middlewares')
  const isJson = config?.extension === '.json'
  const plugins = isJson
    ? `${language === 'ts' ? 'export default' : 'module.exports ='} ${config.text.trim()}\n`
    : config?.text
  const path = `${folder}/plugins${isJson || config === null ? `.${language}` : config.extension}`
  const pathOf = (name: keyof typeof originals, extension = '') => `${folder}/${name}${extension}`
  if (middlewares !== null)
    readable(pathOf('middlewares', middlewares.extension), () => exportedValue(middlewares.text))
  const source = {
    plugins: plugins ?? null,
    middlewares: middlewares?.text ?? null,
    isBase,
    language,
    enabled,
    baseTypes,
    dependencies,
    guards: guards.entry,
  }
  const translated = readable(pathOf('plugins', config?.extension), () => translatePlugins(source))
  settings.files[path] = translated.text
  settings.packages.push(...translated.packages)
  if (translated.isPicked && plugins) settings.files[`${folder}/${originals.plugins}.${language}`] = plugins
  if (translated.isPicked && middlewares && translated.text.includes(originals.middlewares))
    settings.files[`${folder}/${originals.middlewares}.${language}`] = middlewares.text
  left.push(...translated.left.map(one => `${pathOf('plugins', config?.extension)}: ${one}`))
  left.push(...translated.ofMiddlewares.map(one => `${pathOf('middlewares', middlewares?.extension)}: ${one}`))
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
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : plainText(text)
}
