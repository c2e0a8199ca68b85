// The custom fields that a project registers itself, in `src/index` or in plugins below `src/plugins`:
// `strapi.customFields.register({ name, plugin, type })`.

import { resolve } from 'node:path'
import { chainsOf } from '../syntax/chains.ts'
import type { SourceModule } from '../syntax/module.ts'
import { type Expression, lineOf } from '../syntax/tree.ts'
import { memberOf, textOf, type Value } from '../syntax/values.ts'
import type { OwnField } from './model.ts'
import { Sources } from './sources.ts'

/** The base types that v4 accepts; with another one it does not start. */
const baseTypes = [
  'biginteger',
  'boolean',
  'date',
  'datetime',
  'decimal',
  'email',
  'enumeration',
  'float',
  'integer',
  'json',
  'password',
  'richtext',
  'string',
  'text',
  'time',
  'uid',
]

/** The fields whose base type can be read; one that is registered twice is there twice. */
export function customFieldsOf(sources: Sources): readonly OwnField[] {
  return sources.below('src').flatMap(file => {
    // Most files register none, and need not be parsed for it.
    if (!sources.text(file).includes('customFields')) return []
    const module = sources.module(file)
    if (module === null) return []
    return chainsOf(module.program, ['strapi']).flatMap(({ steps, node }) => {
      const [first, second] = steps
      const isOne = first?.name === 'customFields' && second?.name === 'register' && second.args !== null
      if (!isOne) return []
      const place = { file, line: lineOf(node) }
      return registered(module, second.args[0]).flatMap(one => fieldOf(sources, one, place))
    })
  })
}

/** The objects that are registered: one, or a list. */
function registered(module: SourceModule, argument: Expression | undefined): readonly Value[] {
  if (argument === undefined) return []
  const value = module.evaluate(argument)
  return value.kind === 'list' ? value.items : [value]
}

function fieldOf(sources: Sources, value: Value, place: { readonly file: string; readonly line: number }): OwnField[] {
  const type = textOf(memberOf(value, 'type'))
  if (type === null || !baseTypes.includes(type)) return []
  // Code derives the names of a plugin from its package.json in ways that would have to run.
  const own = pluginOf(sources, place.file)
  const pluginValue = memberOf(value, 'plugin')
  const plugin = pluginValue === undefined && isRead(value) ? null : (textOf(pluginValue) ?? own)
  const name = textOf(memberOf(value, 'name')) ?? own
  if (name === null) return []
  return [{ name: plugin === null ? `global::${name}` : `plugin::${plugin}.${name}`, type, ...place }]
}

const isRead = (value: Value) => value.kind === 'object' && value.isWhole

/** The name of the local plugin to which a file belongs; null for other files. */
function pluginOf(sources: Sources, file: string): string | null {
  const [folder, name] = /^src\/plugins\/([^/]+)(?=\/)/.exec(file) ?? []
  if (folder === undefined) return null
  const manifest = sources.locate(`${folder}/package.json`)
  const strapi = manifest === null ? undefined : memberOf(sources.module(manifest)?.exported(), 'strapi')
  return textOf(memberOf(strapi, 'name')) ?? name!
}

/** Reads only the custom fields of the project in a folder. Throws what the file system throws. */
export function readCustomFields(dir: string): readonly OwnField[] {
  return customFieldsOf(new Sources(resolve(dir)))
}
