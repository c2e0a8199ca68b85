// The content of a Strapi v4 project in addition to its schemas: code that Plinth does not run, and packages of plugins
// that Plinth may have too. Reads files only.

import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** A part of a project that Plinth ignores. */
export interface IgnoredPart {
  readonly path: string
  readonly why: string
}

/** The plugin that knows the base types of custom fields, which v4 has in its core. */
export const fieldsPlugin = 'custom-fields'

/** The plugin of the attribute type `password`, which v4 has in its core. */
export const passwordsPlugin = 'passwords'

/** The plugin of webhooks, which v4 has in its core. */
export const webhooksPlugin = 'webhooks'

/** The names that config/plugins gives to the plugins of a project, from its packages and v4's core. */
export function pluginNames(packages: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(packages).flatMap(name => {
    const [, own] = /^@strapi\/plugin-(.+)$/.exec(name) ?? []
    const [, other] = /^strapi-plugin-(.+)$/.exec(name) ?? []
    return own ?? other ?? []
  })
  // These are in the core of every v4.
  return ['rest', 'draft-publish', 'upload', fieldsPlugin, ...names]
}

/** The dependencies in the project's package.json. */
export async function packagesOf(dir: string): Promise<Record<string, string>> {
  const path = join(dir, 'package.json')
  if (!existsSync(path)) return {}
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  return (JSON.parse(text) as { dependencies?: Record<string, string> }).dependencies ?? {}
}

/** The treatment of policies, which v4 names in its routes. */
const whyPolicy = 'run only for actions for which code names it (kernel.actions.set)'

/** The folders of code of an API, and what becomes of a file in each. */
const kinds: Readonly<Record<string, string>> = {
  controllers: 'custom controller, not run',
  services: 'custom service, not run',
  routes: 'custom routes, not run',
  policies: `policy, ${whyPolicy}`,
  middlewares: 'middleware, not run',
}

/** All code that is more than an unchanged factory of v4. */
export async function ignoredIn(dir: string): Promise<IgnoredPart[]> {
  const ignored: IgnoredPart[] = []
  const add = (path: string, why: string) => ignored.push({ path: relative(dir, path), why })
  for (const api of await namesIn(join(dir, 'src/api'))) {
    for (const [folder, what] of Object.entries(kinds)) {
      for (const file of await codeIn(join(dir, 'src/api', api, folder)))
        if (!isPlainFactory(await readFile(file, 'utf8'))) add(file, what)
    }
    for (const file of await codeIn(join(dir, 'src/api', api, 'content-types')))
      if (/lifecycles\.[cm]?[jt]s$/.test(file) && /\bstrapi\b/.test(await readFile(file, 'utf8')))
        add(file, 'lifecycles are run, but there is no global `strapi`')
  }
  for (const [folder, why] of Object.entries(folders))
    if ((await codeIn(join(dir, folder))).length > 0) add(join(dir, folder), why)
  for (const file of await codeIn(join(dir, 'src'), false)) {
    const code = await readFile(file, 'utf8')
    if (!/\bstrapi\b/.test(stripped(code)) || isEmptyModule(code)) continue
    const isIndex = fileName(file) === 'index'
    add(file, isIndex ? 'register and bootstrap receive `kernel`, not `strapi`' : 'there is no global `strapi`')
  }
  for (const [name, why] of Object.entries(settings))
    for (const file of await codeIn(join(dir, 'config'), false)) if (fileName(file) === name) add(file, why)
  return ignored
}

const folders: Readonly<Record<string, string>> = {
  'src/admin': 'the administration panel, which Plinth does not have; editors can work in @plinth/studio',
  'src/extensions': 'code of extensions of v4 plugins, which is not run',
  'src/plugins': 'local v4 plugins, which are not run',
  'src/policies': `global policies, each ${whyPolicy}`,
  'src/middlewares': 'global middlewares, which are not run',
}

const settings: Readonly<Record<string, string>> = {
  admin: 'settings of the administration panel, which Plinth does not have',
  middlewares: "the order of v4's middlewares, which are not run",
  'cron-tasks': 'cron tasks, which are not run',
  functions: 'v4 functions, which are not run',
}

const fileName = (path: string) => path.replace(/^.*\//, '').replace(/\.\w+$/, '')

/**
 * Returns whether the code only calls a factory of v4: `module.exports =
 * require('@strapi/strapi').factories.createCoreController('api::x.x')`.
 */
function isPlainFactory(code: string): boolean {
  const bare = stripped(code)
    .replaceAll(/['"]use strict['"];?/g, '')
    .replaceAll(/(const|import)[^;\n]*@strapi\/strapi['"]\)?(\.factories)?;?/g, '')
  return /^\s*(module\.exports\s*=|export default)\s*[\w.()'"@/]*createCore(Controller|Service|Router)\(\s*['"][\w:.-]+['"]\s*,?\s*\);?\s*$/.test(
    bare,
  )
}

/** Returns whether the code only exports `register`, `bootstrap` and `destroy` with empty bodies. */
function isEmptyModule(code: string): boolean {
  const bare = stripped(code).replaceAll(/['"]use strict['"];?|\basync\b/g, '')
  const body = '(:\\s*(function)?\\s*)?\\([^)]*\\)\\s*(=>)?\\s*\\{\\s*\\}\\s*,?\\s*'
  return new RegExp(
    `^\\s*(module\\.exports\\s*=|export default)\\s*\\{\\s*((register|bootstrap|destroy)\\s*${body})*\\};?\\s*$`,
  ).test(bare)
}

const stripped = (code: string) => code.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')

async function namesIn(folder: string): Promise<string[]> {
  return existsSync(folder) ? (await readdir(folder)).sort() : []
}

/** The files of code below a folder, or only those in it. */
async function codeIn(folder: string, isDeep = true): Promise<string[]> {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { withFileTypes: true, recursive: isDeep })
  return entries
    .filter(one => one.isFile() && /(?<!\.d)\.[cm]?[jt]sx?$/.test(one.name) && !/\.example\./.test(one.name))
    .map(one => join(one.parentPath, one.name))
    .filter(path => !path.includes('/node_modules/'))
    .sort()
}
