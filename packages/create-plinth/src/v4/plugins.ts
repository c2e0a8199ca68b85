// Translates config/plugins of a v4 project. Knows texts only: the files are read and written elsewhere.

import MagicString from 'magic-string'
import type { Language, PluginName } from '../choices.ts'
import { pluginAdvice } from './advice.ts'
import { withoutUnused } from './unused-declarations.ts'
import type { Translation } from './config.ts'
import { drop, type Edit, removeUnknown } from './known-members.ts'
import { type Known, knownSettings } from './known-settings.ts'
import { canMoveMail, movedMail } from './mails.ts'
import { removeMember } from './member-removal.ts'
import { restSettings } from './middlewares.ts'
import { pickingFile } from './picked-plugins.ts'
import { isPlainObject, settingsObject } from './settings-object.ts'
import { bareOf, type Expression, isJson, type Member, memberOf, membersOf, tokensOf } from '@plinth/v4/syntax'

/** What the plugins file of an application is made of. */
export interface PluginsSource {
  /** config/plugins; null if there is none. */
  readonly plugins: string | null
  /** config/middlewares; null if there is none. */
  readonly middlewares: string | null
  /** The plugins that run, whether the file names them or not. */
  readonly enabled: readonly PluginName[]
  readonly language: Language
  /** Whether it is config/plugins, and not a file of config/env, which changes a part of it. */
  readonly isBase: boolean
  /** The base types of custom fields that its code registers, by their names. */
  readonly baseTypes: Readonly<Record<string, string>>
  /** The packages of the project, with their ranges. */
  readonly dependencies: Readonly<Record<string, string>>
  /** The entry of the plugin that keeps the guards of the project; null if there is nothing to keep. */
  readonly guards: string | null
}

/** A translation with what belongs to it. */
export interface PluginsTranslation extends Translation {
  /** What was left out of config/middlewares. */
  readonly ofMiddlewares: readonly string[]
  /** Whether the files of v4 are needed beside the translated one, which picks settings of theirs. */
  readonly isPicked: boolean
  /** Packages that the application needs for it. */
  readonly packages: readonly string[]
}

/** Writes config/plugins. Throws SyntaxError. */
export function translatePlugins(source: PluginsSource): PluginsTranslation {
  const { plugins, middlewares, enabled, isBase } = source
  const rest = middlewares === null ? null : restSettings(middlewares, isBase)
  const value = plugins === null ? null : settingsObject(plugins)
  const ofMiddlewares = rest?.left ?? []
  const canEdit = plugins === null || (value !== null && isEditable(value, enabled))
  if (!canEdit || rest?.settings === null) return { ...pickingFile(source, rest), ofMiddlewares, isPicked: true }
  const settings = settingsOfRest(source, rest?.settings)
  const restEntry = settings.length === 0 ? 'true' : `{ config: { ${settings.join(', ')} } }`
  const added = (named: readonly string[]) => [
    ...(isBase || settings.length > 0 ? [`rest: ${restEntry},`] : []),
    ...(isBase
      ? enabled.filter(name => !named.includes(name)).map(name => `${keyOf(name)}: ${entryOf(name, source)},`)
      : []),
    ...(isBase && source.guards !== null ? [source.guards.replaceAll('\n', '\n  ')] : []),
  ]
  if (plugins === null || value === null)
    return { text: newFile(source.language, added([])), left: [], ofMiddlewares, isPicked: false, packages: [] }
  return { ...editedFile({ ...source, plugins }, value, added), ofMiddlewares, isPicked: false }
}

/** What the file says of a plugin that v4 has not in its settings. */
export function entryOf(name: PluginName, { baseTypes }: PluginsSource): string {
  const types = Object.entries(baseTypes).map(([field, type]) => `'${field.replaceAll(/[\\']/g, '\\$&')}': '${type}'`)
  return name === 'custom-fields' && types.length > 0 ? `{ config: { baseTypes: { ${types.join(', ')} } } }` : 'true'
}

/** The settings of the REST API: those of config/middlewares, and what answers entries without a `meta`, as v4 does. */
export const settingsOfRest = ({ isBase }: PluginsSource, read: readonly string[] = []): readonly string[] => [
  ...(isBase ? ["entryMeta: 'never'"] : []),
  ...read,
]

const keyOf = (name: string) => (name.includes('-') ? `'${name}'` : name)

/** A file that the project does not have. */
function newFile(language: Language, added: readonly string[]): string {
  const isTs = language === 'ts'
  const usesEnv = added.some(one => /\benv\b/.test(one))
  const parameter = usesEnv ? (isTs ? '{ env }: { readonly env: Env }' : '{ env }') : ''
  const imported = isTs && usesEnv ? "import type { Env } from '@plinth/kernel'\n\n" : ''
  const head = isTs ? 'export default' : 'module.exports ='
  return `${imported}${head} (${parameter}) => ({\n${added.map(one => `  ${one}\n`).join('')}})\n`
}

/** Whether the settings of all plugins that Plinth has can be changed as text. */
function isEditable(value: Expression, enabled: readonly PluginName[]): boolean {
  const members = membersOf(value)
  return (
    members?.every(({ name, value: given }) => {
      if (name === 'email') return canMoveMail(given)
      const known = enabled.some(one => one === name) ? knownSettings[name] : undefined
      return known === undefined || given.type === 'BooleanLiteral' || isPlainObject(given, { config: known })
    }) ?? false
  )
}

/** The file with what Plinth has of it. `added`: further lines, by the names of plugins that stay. */
function editedFile(
  { plugins, enabled, dependencies }: PluginsSource & { readonly plugins: string },
  value: Expression,
  added: (named: readonly string[]) => readonly string[],
): Translation & { readonly packages: readonly string[] } {
  const edit: Edit = { text: plugins, edited: new MagicString(plugins), left: [] }
  const members = membersOf(value)!
  const kept = members.filter(member => keepPlugin(edit, member, enabled))
  const mail = members.find(({ name }) => name === 'email')
  const packages: string[] = []
  const lines = [...added(kept.map(one => one.name))]
  if (mail !== undefined) {
    const moved = movedMail(plugins, mail.value, dependencies)
    const hasUsers = enabled.includes('users-permissions')
    edit.left.push(`email: ${hasUsers ? moved.note : 'there are no mails without the plugin users-permissions'}`)
    if (hasUsers && moved.text !== null) {
      packages.push(moved.packageName!)
      const users = kept.find(({ name }) => name === 'users-permissions')
      if (users === undefined) addMail(lines, moved.text)
      else insertMail(edit, users, moved.text)
    }
  }
  if (lines.length > 0) edit.edited.appendLeft(value.start! + 1, `\n  ${lines.join('\n  ')}`)
  const text = edit.edited.toString()
  return { text: edit.left.length === 0 ? text : withoutUnused(text, plugins), left: edit.left, packages }
}

/** Gives users-permissions its mails, of which the file says nothing else. */
function addMail(lines: string[], mail: string): void {
  const entry = `'users-permissions': { config: { email: ${mail} } },`
  const at = lines.findIndex(one => one.startsWith("'users-permissions'"))
  if (at === -1) lines.push(entry)
  else lines[at] = entry
}

function insertMail({ edited }: Edit, { value }: Member, mail: string): void {
  const whole = bareOf(value)
  const config = memberOf(whole, 'config')
  if (whole.type === 'BooleanLiteral') edited.overwrite(whole.start!, whole.end!, `{ config: { email: ${mail} } }`)
  else if (config === undefined) edited.appendLeft(whole.start! + 1, ` config: { email: ${mail} },`)
  else edited.appendLeft(bareOf(config).start! + 1, ` email: ${mail},`)
}

/** Whether a plugin of the file is kept; removes it otherwise, and those of its settings that are not taken. */
function keepPlugin(edit: Edit, member: Member, enabled: readonly PluginName[]): boolean {
  const { name, value } = member
  const known = enabled.some(one => one === name) ? knownSettings[name] : undefined
  const isLocal = memberOf(bareOf(value), 'resolve') !== undefined
  if (known === undefined || isLocal) {
    removeMember(edit, member)
    // What becomes of mails is said where they are moved.
    if (name !== 'email' || isLocal)
      edit.left.push(
        `${name}: ${isLocal ? 'a plugin for v4, which is not run: write it again as a plugin of Plinth' : pluginAdvice}`,
      )
    return false
  }
  for (const one of membersOf(bareOf(value)) ?? []) {
    if (one.name === 'config' && name === 'upload') keepUpload(edit, one.value, known)
    else if (one.name === 'config') removeUnknown(edit, { at: `${name}.config`, value: one.value, known })
    else if (one.name !== 'enabled') drop(edit, `${name}.${one.name}`, one)
  }
  return true
}

/** The providers of v4 whose settings @plinth/upload takes, by a package of Plinth. */
export const buckets = ['aws-s3', '@strapi/provider-upload-aws-s3']

/** Whether config/plugins stores files in a bucket of S3. Throws SyntaxError. */
export const hasBucket = (plugins: string): boolean =>
  tokensOf(isJson(plugins) ? `(${plugins})` : plugins).some(
    ({ label, value }) => label === 'string' && buckets.includes(value),
  )

/** Keeps the provider with its options if Plinth has it. */
function keepUpload(edit: Edit, value: Expression, known: Known): void {
  const provider = memberOf(bareOf(value), 'provider')
  const name = provider?.type === 'StringLiteral' ? provider.value : null
  const isKept = provider !== undefined && (name === null ? hasBucket(edit.text) : buckets.includes(name))
  const ofProvider = { provider: true, providerOptions: true, actionOptions: true } as const
  removeUnknown(edit, { at: 'upload.config', value, known: isKept ? { ...known, ...ofProvider } : known })
  if (provider !== undefined && !isKept && name !== 'local')
    edit.left.push(
      'upload: new files are stored in public/uploads: name a provider of Plinth, such as s3, if they are not to be',
    )
}
