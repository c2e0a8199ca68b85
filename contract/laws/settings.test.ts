// Law: every setting of a plugin, and every option of types and attributes that a plugin reads, says what it means. Editors
// show it: `plinth types` writes it into the types of config/plugins and into the schemas of schema files.

import t from 'tap'
import { pluginsOf } from './plugins.ts'

/** A JSON schema, as far as settings have them. */
interface Schema {
  readonly description?: unknown
  readonly pattern?: string
  readonly expected?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** The paths of members of objects that have no description, at every depth. */
function undescribed({ properties = {}, ...schema }: Schema, path: string): string[] {
  const inner = [
    ...Object.values(schema.patternProperties ?? {}).map(one => [one, `${path}.*`] as const),
    ...(typeof schema.additionalProperties === 'object' ? [[schema.additionalProperties, `${path}.*`] as const] : []),
    ...(schema.items === undefined ? [] : [[schema.items, `${path}[]`] as const]),
    ...(schema.anyOf ?? []).map(one => [one, path] as const),
  ]
  const own = Object.entries(properties).flatMap(([name, one]) => {
    const at = `${path}.${name}`
    return [...(isText(one.description) ? [] : [at]), ...undescribed(one, at)]
  })
  return [...own, ...inner.flatMap(([one, at]) => undescribed(one, at))]
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''

const plugins = await pluginsOf()

t.test('settings', t => {
  t.ok(plugins.size > 15, `${plugins.size} plugins`)
  for (const [name, { plinth }] of plugins) t.same(undescribed(plinth.config ?? {}, name), [])
  t.end()
})

t.test('options of types and attributes', t => {
  for (const [name, { plinth }] of plugins) {
    const options = { ...plinth.typeOptions, ...plinth.pluginOptions }
    t.same(undescribed({ properties: options as Record<string, Schema> }, name), [])
  }
  t.end()
})

/** The paths of texts with a pattern, and of objects whose names have one, of which no message says what is expected. */
function unexplained({ properties = {}, ...schema }: Schema, path: string): string[] {
  const isText = schema.pattern !== undefined && schema.expected === undefined
  const names = Object.keys(schema.patternProperties ?? {}).filter(one => one !== '^.*$')
  const hasNames = names.length > 0 && (schema.expected === undefined || schema.additionalProperties !== false)
  const inner = [
    ...Object.entries(properties).map(([name, one]) => [one, `${path}.${name}`] as const),
    ...Object.values(schema.patternProperties ?? {}).map(one => [one, `${path}.*`] as const),
    ...(typeof schema.additionalProperties === 'object' ? [[schema.additionalProperties, `${path}.*`] as const] : []),
    ...(schema.items === undefined ? [] : [[schema.items, `${path}[]`] as const]),
    ...(schema.anyOf ?? []).map(one => [one, path] as const),
  ]
  return [...(isText || hasNames ? [path] : []), ...inner.flatMap(([one, at]) => unexplained(one, at))]
}

t.test('a text that a setting refuses is answered by what it expects, and not by a regular expression', t => {
  for (const [name, { plinth }] of plugins) t.same(unexplained(plinth.config ?? {}, name), [])
  t.end()
})

t.test('members without a description are named', t => {
  const described = { description: 'x' }
  const schema = { properties: { a: described, b: { items: { properties: { c: {}, d: described } } } } }
  t.same(undescribed(schema, 'p'), ['p.b', 'p.b[].c'])
  t.end()
})
