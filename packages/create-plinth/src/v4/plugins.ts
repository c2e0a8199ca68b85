// Translates config/plugins of a v4 project. Knows texts only: the files are read and written elsewhere.

import { bareOf, type Expression, type Member, memberOf, membersOf } from '@plinth/v4/syntax'
import MagicString from 'magic-string'
import type { Language, PluginName } from '../choices.ts'
import { pluginAdvice } from './advice.ts'
import { buckets, hasBucket } from './buckets.ts'
import type { Translation } from './config.ts'
import { isPlainMail, mailFate, mailSettings } from './mails.ts'
import { removeMember } from './member-removal.ts'
import { restSettings } from './middlewares.ts'
import { pickingFile } from './picked-plugins.ts'
import { entryOf, type PluginsSource, type PluginsTranslation, settingsOfRest } from './plugins-source.ts'
import { type SettingNames, settingNames } from './setting-names.ts'
import { isPlainObject, settingsObject } from './settings-object.ts'
import { drop, type Edit, removeUnknown } from './unknown-members.ts'
import { withoutUnused } from './unused-declarations.ts'

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
  const added = (keptNames: readonly string[]) => [
    ...(isBase || settings.length > 0 ? [`rest: ${restEntry},`] : []),
    ...(isBase
      ? enabled.filter(name => !keptNames.includes(name)).map(name => `${keyOf(name)}: ${entryOf(name, source)},`)
      : []),
    ...(isBase && source.guards !== null ? [source.guards.replaceAll('\n', '\n  ')] : []),
  ]
  if (plugins === null || value === null)
    return { text: newFile(source.language, added([])), left: [], ofMiddlewares, isPicked: false, packages: [] }
  return { ...editedFile({ ...source, plugins }, value, added), ofMiddlewares, isPicked: false }
}

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

/** Returns whether the settings of all plugins that Plinth has can be changed as text. */
function isEditable(value: Expression, enabled: readonly PluginName[]): boolean {
  const members = membersOf(value)
  return (
    members?.every(({ name, value: entry }) => {
      if (name === 'email') return isPlainMail(entry)
      const names = enabled.some(one => one === name) ? settingNames[name] : undefined
      return names === undefined || entry.type === 'BooleanLiteral' || isPlainObject(entry, { config: names })
    }) ?? false
  )
}

/** The file with what Plinth has of it. `added`: further lines, by the names of plugins that stay. */
function editedFile(
  { plugins, enabled, dependencies }: PluginsSource & { readonly plugins: string },
  value: Expression,
  added: (keptNames: readonly string[]) => readonly string[],
): Translation & { readonly packages: readonly string[] } {
  const edit: Edit = { text: plugins, edited: new MagicString(plugins), left: [] }
  const members = membersOf(value)!
  const keptMembers = members.filter(member => keepPlugin(edit, member, enabled))
  const mail = keptMembers.find(({ name }) => name === 'email')
  const packages = mail === undefined ? [] : keepMail(edit, mail, dependencies)
  const lines = added(keptMembers.map(one => one.name))
  if (lines.length > 0) edit.edited.appendLeft(value.start! + 1, `\n  ${lines.join('\n  ')}`)
  const text = edit.edited.toString()
  return { text: edit.left.length === 0 ? text : withoutUnused(text, plugins), left: edit.left, packages }
}

/** Keeps the settings of mails if the project has the package of their provider. Returns what the application needs. */
function keepMail(edit: Edit, member: Member, dependencies: Readonly<Record<string, string>>): string[] {
  const { packageName, note } = mailFate(member.value, dependencies)
  edit.left.push(`email: ${note}`)
  if (packageName === null) {
    removeMember(edit, member)
    return []
  }
  for (const one of membersOf(bareOf(member.value)) ?? []) {
    if (one.name === 'config') removeUnknown(edit, { at: 'email.config', value: one.value, names: mailSettings })
    else if (one.name !== 'enabled') drop(edit, `email.${one.name}`, one)
  }
  return [packageName]
}

/** Returns whether a plugin of the file is kept; removes it otherwise, and those of its settings that are not taken. */
function keepPlugin(edit: Edit, member: Member, enabled: readonly PluginName[]): boolean {
  const { name, value } = member
  const names = enabled.some(one => one === name) ? settingNames[name] : undefined
  const isLocal = memberOf(bareOf(value), 'resolve') !== undefined
  // Mails are kept by their provider.
  if (name === 'email' && !isLocal) return true
  if (names === undefined || isLocal) {
    removeMember(edit, member)
    edit.left.push(
      `${name}: ${isLocal ? 'a plugin for v4, which is not run: write it again as a plugin of Plinth' : pluginAdvice}`,
    )
    return false
  }
  for (const one of membersOf(bareOf(value)) ?? []) {
    if (one.name === 'config' && name === 'upload') keepUpload(edit, one.value, names)
    else if (one.name === 'config') removeUnknown(edit, { at: `${name}.config`, value: one.value, names })
    else if (one.name !== 'enabled') drop(edit, `${name}.${one.name}`, one)
  }
  return true
}

/** Keeps the provider with its options if Plinth has it. */
function keepUpload(edit: Edit, value: Expression, names: SettingNames): void {
  const provider = memberOf(bareOf(value), 'provider')
  const name = provider?.type === 'StringLiteral' ? provider.value : null
  const isKept = provider !== undefined && (name === null ? hasBucket(edit.text) : buckets.includes(name))
  const ofProvider = { provider: true, providerOptions: true, actionOptions: true } as const
  removeUnknown(edit, { at: 'upload.config', value, names: isKept ? { ...names, ...ofProvider } : names })
  if (provider !== undefined && !isKept && name !== 'local')
    edit.left.push(
      'upload: new files are stored in public/uploads: name a provider of Plinth, such as s3, if they are not to be',
    )
}
