// Translates the configuration files of a v4 project. Knows texts only: the files are read and written elsewhere.

import MagicString from 'magic-string'
import type { PluginName } from '../choices.ts'
import { middlewareAdvice, pluginAdvice, serverAdvice } from './advice.ts'
import { importedNames, withoutUnusedImports } from './code.ts'
import { type Known, knownMiddlewares, knownSettings } from './known-settings.ts'
import { type Expression, exportedValue, isSelfContained, type Member, memberOf, membersOf } from '@plinth/v4/syntax'

/** A translated file, and what of it was left out, each with its reason. */
export interface Translation {
  readonly text: string
  readonly left: readonly string[]
}

const ofServer = ['host', 'port', 'proxy', 'url', 'serverTiming']

/**
 * config/server stays as it is, and settings without an effect are named. Those that need a file of v4, such as the cron
 * tasks, go: the file would not be found.
 */
export function translateServer(text: string): Translation {
  const others = (membersOf(exportedValue(text)) ?? []).filter(one => !ofServer.includes(one.name))
  const left = others.map(({ name }) => `${name}: ${serverAdvice(name)}`)
  const missing = text.trimStart().startsWith('{') ? [] : importedNames(text, source => /^[./]|^@strapi\//.test(source))
  const gone = others.filter(({ start, end }) =>
    missing.some(name => new RegExp(`\\b${name}\\b`).test(text.slice(start, end))),
  )
  if (gone.length === 0) return { text, left }
  const edited = new MagicString(text)
  for (const member of gone) remove({ text, edited }, member)
  return { text: withoutUnusedImports(edited.toString()), left }
}

/**
 * config/database stays, but for the file of SQLite: v4's files find it from their own folder, which in TypeScript is
 * a built one, and Plinth finds it from the application.
 */
export function translateDatabase(text: string): Translation {
  const found = /\bpath\.(?:join|resolve)\(\s*__dirname\s*,\s*(?:['"]\.\.['"]\s*,\s*)+/.exec(text)
  if (found === null) return { text, left: [] }
  const edited = new MagicString(text)
  const from = found.index
  const close = closingOf(text, text.indexOf('(', from))
  edited.remove(from, from + found[0].length)
  edited.remove(close, close + 1)
  const rest = edited.toString()
  const isUsed = rest.replace(pathImport, '').match(/\bpath\b/) !== null
  return { text: isUsed ? rest : rest.replace(pathImport, '').trimStart(), left: [] }
}

const pathImport =
  /^\s*(?:const path = require\(['"](?:node:)?path['"]\)|import (?:\* as )?path from ['"](?:node:)?path['"]);?[^\S\n]*\n/m

/** The place of the bracket that closes the one at `open`. */
function closingOf(text: string, open: number): number {
  let depth = 0
  for (let i = open; i < text.length; i++) {
    if (text[i] === '(') depth++
    if (text[i] === ')' && --depth === 0) return i
  }
  return text.length
}

/** What the plugins file of an application is made of. */
export interface PluginsSource {
  /** config/plugins; null if there is none. */
  readonly plugins: string | null
  /** config/middlewares; null if there is none. */
  readonly middlewares: string | null
  /** The plugins that run, whether the file names them or not. */
  readonly enabled: readonly PluginName[]
  readonly isModule: boolean
  /** Whether it is config/plugins, and not a file of config/env, which changes a part of it. */
  readonly isBase: boolean
}

/** A translation with what was left out of config/middlewares. */
export interface PluginsTranslation extends Translation {
  readonly ofMiddlewares: readonly string[]
}

/** Writes config/plugins. */
export function translatePlugins({
  plugins,
  middlewares,
  enabled,
  isModule,
  isBase,
}: PluginsSource): PluginsTranslation {
  const left: string[] = []
  const ofMiddlewares: string[] = []
  const rest = middlewares === null ? [] : restSettings(middlewares, ofMiddlewares)
  const added = (named: readonly string[]) => [
    `rest: ${rest.length === 0 ? 'true' : `{ config: { ${rest.join(', ')} } }`},`,
    ...enabled.filter(name => !named.includes(name)).map(name => `${keyOf(name)}: true,`),
  ]
  const value = plugins === null ? null : exportedValue(plugins)
  const members = membersOf(value)
  if (plugins === null || value === null || members === null) {
    if (plugins !== null) left.push('is not one object, so none of its settings was taken: write them again')
    const head = isModule ? 'export default' : 'module.exports ='
    const parameter = isModule ? '{ env }: { readonly env: Env }' : '{ env }'
    const usesEnv = rest.some(one => one.includes('env'))
    const imported = isModule && usesEnv ? "import type { Env } from '@plinth/kernel'\n\n" : ''
    const lines = added([]).map(one => `  ${one}\n`)
    return {
      text: `${imported}${head} (${usesEnv ? parameter : ''}) => ({\n${lines.join('')}})\n`,
      left,
      ofMiddlewares,
    }
  }
  const edited = new MagicString(plugins)
  const kept = members.filter(member => keepPlugin({ text: plugins, edited, left }, member, enabled))
  if (isBase) edited.appendLeft(value.start! + 1, `\n  ${added(kept.map(one => one.name)).join('\n  ')}`)
  return { text: left.length === 0 ? edited.toString() : withoutUnusedImports(edited.toString()), left, ofMiddlewares }
}

const keyOf = (name: string) => (name.includes('-') ? `'${name}'` : name)

/** A file that is being changed. */
interface Edit {
  readonly text: string
  readonly edited: MagicString
  readonly left: string[]
}

/** Whether a plugin of the file is kept; removes it otherwise, and those of its settings that are not taken. */
function keepPlugin(edit: Edit, member: Member, enabled: readonly PluginName[]): boolean {
  const { name, value } = member
  const known = enabled.some(one => one === name) ? knownSettings[name] : undefined
  const isLocal = memberOf(value, 'resolve') !== undefined
  if (known === undefined || isLocal) {
    remove(edit, member)
    edit.left.push(
      `${name}: ${isLocal ? 'a plugin for v4, which is not run: write it again as a plugin of Plinth' : pluginAdvice(name)}`,
    )
    return false
  }
  if (value.type === 'BooleanLiteral') return true
  for (const one of membersOf(value) ?? []) {
    if (one.name === 'config' && name === 'upload') keepUpload(edit, one.value, known)
    else if (one.name === 'config') keepKnown(edit, { at: `${name}.config`, value: one.value, known })
    else if (one.name !== 'enabled') drop(edit, `${name}.${one.name}`, one)
  }
  return true
}

/** The providers of v4 whose settings @plinth/upload takes, by a package of Plinth. */
const buckets = ['aws-s3', '@strapi/provider-upload-aws-s3']

/** Whether config/plugins stores files in a bucket of S3. */
export function hasBucket(plugins: string): boolean {
  const config = memberOf(memberOf(exportedValue(plugins), 'upload') ?? null, 'config')
  return buckets.includes(nameOf(memberOf(config ?? null, 'provider')))
}

/** Keeps the provider with its options if Plinth has it. */
function keepUpload(edit: Edit, value: Expression, known: Known): void {
  const provider = memberOf(value, 'provider')
  const ofProvider = { provider: true, providerOptions: true, actionOptions: true } as const
  const isKept = buckets.includes(nameOf(provider))
  keepKnown(edit, { at: 'upload.config', value, known: isKept ? { ...known, ...ofProvider } : known })
  if (provider !== undefined && !isKept && nameOf(provider) !== 'local')
    edit.left.push(
      'upload: new files are stored in public/uploads: name a provider of Plinth, such as s3, if they are not to be',
    )
}

/** Removes the settings that are not known. */
function keepKnown(edit: Edit, { at, value, known }: { at: string; value: Expression; known: Known }): void {
  for (const one of membersOf(value) ?? []) {
    const inner = Object.hasOwn(known, one.name) ? known[one.name] : undefined
    if (inner === undefined) drop(edit, `${at}.${one.name}`, one)
    else if (inner !== true) keepKnown(edit, { at: `${at}.${one.name}`, value: one.value, known: inner })
  }
}

function drop(edit: Edit, path: string, member: Member): void {
  remove(edit, member)
  edit.left.push(`${path}: Plinth has no such setting, and the file is without it`)
}

/** Removes a member with the comma and the spaces behind it, or with those before it if it is the last one. */
function remove({ text, edited }: Pick<Edit, 'text' | 'edited'>, { start, end }: Member): void {
  const [behind = ''] = /^\s*,[^\S\n]*/.exec(text.slice(end)) ?? []
  const [before = ''] = (behind === '' ? /,?\s*$/ : /\n[^\S\n]*$/).exec(text.slice(0, start)) ?? []
  edited.remove(start - before.length, end + behind.length)
}

/** The settings of the REST API that stand for those of v4's middlewares, as texts. */
function restSettings(text: string, left: string[]): string[] {
  const list = exportedValue(text)
  if (list?.type !== 'ArrayExpression') {
    left.push('is not one list, so none of its settings was taken: write them below rest.config of config/plugins')
    return []
  }
  const names: string[] = []
  const settings: string[] = []
  for (const one of list.elements) {
    const node = one as Expression | null
    const name = node?.type === 'StringLiteral' ? node.value : nameOf(memberOf(node, 'name'))
    names.push(name)
    const config = memberOf(node, 'config')
    const target = knownMiddlewares[name]
    if (!name.startsWith('strapi::'))
      left.push(`${name || 'a middleware'} is not run: write it again as a hook of Fastify in src/index`)
    else if (config !== undefined && target === undefined)
      left.push(`the settings of ${name} are not taken: ${middlewareAdvice(name)}`)
    else if (config !== undefined && target !== undefined) {
      const edited = new MagicString(text)
      keepKnown({ text, edited, left }, { at: name, value: config, known: target.known })
      if (isSelfContained(text, config)) settings.push(`${target.setting}: ${edited.slice(config.start!, config.end!)}`)
      else
        left.push(
          `the settings of ${name} use names of their file: write them as rest.config.${target.setting} of config/plugins`,
        )
    }
  }
  return names.includes('strapi::cors') ? settings : ['cors: false', ...settings]
}

const nameOf = (node: Expression | undefined): string => (node?.type === 'StringLiteral' ? node.value : '')
