// Writes docs/settings.md from the schemas of the plugins' settings, by which a start checks them.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from '@plinth/kernel'
import { root } from '../contents.ts'

/** A JSON schema, as TypeBox makes it. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

const anyValue = 'any value'

/** A line of the table of a plugin. */
interface Row {
  readonly key: string
  readonly values: string
  readonly default: string
}

const inCode = (value: unknown) => `\`${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}\``

/** The values of a schema in words. */
export function valuesOf(schema: Schema): string {
  const { const: literal, enum: words, anyOf, type, items, description } = schema
  if (description !== undefined) return description.split('\n')[0]!
  if (literal !== undefined) return inCode(literal)
  if (words !== undefined) return words.map(inCode).join(', ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(valuesOf))].join(', ')
  if (Array.isArray(type)) return type.map(one => valuesOf({ ...schema, type: one })).join(', ')
  switch (type) {
    case 'integer':
      return `a whole number${rangeOf(schema.minimum, schema.maximum, '')}`
    case 'number':
      return `a number${rangeOf(schema.minimum, schema.maximum, '')}`
    case 'string':
      return `a text${rangeOf(schema.minLength, schema.maxLength, ' characters')}`
    case 'boolean':
      return '`true`, `false`'
    case 'null':
      return '`null`'
    case 'array':
      return items === undefined || Object.keys(items).length === 0 ? 'a list' : `a list of: ${valuesOf(items)}`
    case 'object':
      return 'an object'
    case 'function':
      return 'a function'
    default:
      return anyValue
  }
}

/** The bounds of a number or of a length, in words. */
function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `, from ${least} to ${most}${unit}`
  if (least !== undefined) return `, at least ${least}${unit}`
  return most === undefined ? '' : `, at most ${most}${unit}`
}

/** The settings of a schema, those of objects below them with their paths. `<name>` stands for any key. */
export function rowsOf(schema: Schema, prefix = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const key = `${prefix}${name}`
    const isNeeded = schema.required?.includes(name) === true && member.default === undefined
    const value = member.default === undefined || isEmptyObject(member.default) ? '' : inCode(member.default)
    return [{ key, values: valuesOf(member), default: isNeeded ? 'needed' : value }, ...rowsBelow(member, key)]
  })
}

const isEmptyObject = (value: unknown) => JSON.stringify(value) === '{}'

/** The rows of what is below a setting: its own members, those of each key, and those of the objects of a list or choice. */
function rowsBelow(schema: Schema, key: string): Row[] {
  const { anyOf, items, patternProperties, additionalProperties } = schema
  const others = Object.values(patternProperties ?? {})
  if (typeof additionalProperties === 'object') others.push(additionalProperties)
  return [
    ...rowsOf(schema, `${key}.`),
    ...others.flatMap(one => rowsOf(one, `${key}.<name>.`)),
    ...(items === undefined ? [] : rowsOf(items, `${key}[].`)),
    ...(anyOf ?? []).flatMap(one => rowsBelow(one, key)),
  ]
}

/** Returns the plugins of the packages, by the name of their folder. */
async function readPlugins(): Promise<Map<string, Plugin['plinth']>> {
  const plugins = new Map<string, Plugin['plinth']>()
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  for (const folder of readdirSync(join(root, 'packages')).sort()) {
    if (manifest.devDependencies[`@plinth/${folder}`] !== 'workspace:^') continue
    const module: { default?: Partial<Plugin> } = await import(`@plinth/${folder}`)
    if (module.default?.plinth !== undefined) plugins.set(folder, module.default.plinth)
  }
  return plugins
}

/** The text of docs/settings.md. */
export async function settingsPage(): Promise<string> {
  const sections: string[] = []
  for (const [folder, { name, config }] of await readPlugins()) {
    const rows = rowsOf((config ?? {}) as Schema)
    const readme = `[What they mean](../packages/${folder}/README.md)`
    // A key of several choices is one line, and those that take any value are v4's, most of them without an effect.
    const unique = [...new Map(rows.map(row => [row.key, row])).values()].filter(row => row.values !== anyValue)
    const lines = unique.map(row => `| \`${row.key}\` | ${row.values.replaceAll('|', '\\|')} | ${row.default} |`)
    const table = ['| setting | values | default |', '| --- | --- | --- |', ...lines].join('\n')
    sections.push(`## ${name}`, ...(rows.length === 0 ? ['It has no settings.'] : [`${readme}.`, table]))
  }
  return `${[
    '# Settings',
    '<!-- Made by apps/docs/src/reference/settings.ts from the schemas of the plugins. -->',
    'The settings below `config` of a plugin in [`config/plugins`](application.md#configuration), from the schemas by which a start ' +
      'checks it; [`plinth types`](../packages/types/README.md#settings-of-plugins) writes the same as types. A setting without a default may be ' +
      'left out, and the README of its plugin says what then holds. `<name>` stands for names of your own. Keys that take any value are left out; most of them are of v4 and have no effect. The settings of the database are in ' +
      '[the README of the kernel](../packages/kernel/README.md#the-database), those of the server in [your own application](application.md#configuration).',
    ...sections,
  ].join('\n\n')}\n`
}
