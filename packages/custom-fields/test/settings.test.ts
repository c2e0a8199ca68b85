// Which type a field has: that of the settings, else that of the list of known fields, unless the column contradicts it.

import { createKernel, type Kernel } from '@plinth/kernel'
import { planMigrations } from '@plinth/kernel/migrate'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import t, { type Test } from 'tap'
import customFields, { knownFields } from '../src/index.ts'

const field = (customField: string) => ({ type: 'customField', customField })

const page = (attributes: object) => ({
  kind: 'collectionType',
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  attributes,
})

interface Options {
  readonly types?: Readonly<Record<string, string>>
  readonly database: unknown
  readonly migrate?: 'check' | 'none'
  readonly warnings?: string[]
  readonly configure?: (kernel: Kernel) => void
}

async function open(t: Test, attributes: object, { types = {}, warnings = [], ...options }: Options): Promise<Kernel> {
  const kernel = await createKernel({
    contentTypes: [page(attributes)],
    plugins: { 'custom-fields': { plugin: customFields, config: { baseTypes: types } } },
    logger: { info: () => {}, warn: message => warnings.push(message), error: () => {} },
    ...(options as object),
  })
  t.teardown(() => kernel.close())
  return kernel
}

const typesOf = (kernel: Kernel) =>
  Object.fromEntries(kernel.customFields.settled.map(one => [one.attribute, one.type]))

const memory = { client: 'sqlite', connection: { filename: ':memory:' } }

t.test('every known field has a column in a new database, and is not guessed', async t => {
  const warnings: string[] = []
  const names = Object.keys(knownFields)
  const attributes = Object.fromEntries(names.map((name, i) => [`a${i}`, field(name)]))
  const kernel = await open(t, attributes, { database: memory, warnings })
  t.same(typesOf(kernel), Object.fromEntries(names.map((name, i) => [`a${i}`, knownFields[name]])))
  t.same(warnings, [])
  t.ok(names.length >= 60)
})

await onEach('the settings come before the list, and the column before the list', async t => {
  const { config: database } = await fresh(t)
  const plain = await open(
    t,
    { icon: { type: 'json' }, colour: { type: 'json' }, own: { type: 'string' } },
    { database },
  )
  await plain.query('api::page.page').create({ data: { icon: { a: 1 }, colour: ['x'], own: 'o' } })
  await plain.close()
  const attributes = {
    icon: field('plugin::react-icons.icon'),
    colour: field('plugin::color-picker.color'),
    own: field('plugin::own.field'),
  }
  const warnings: string[] = []
  const types = { 'plugin::react-icons.icon': 'json', 'plugin::own.field': 'string' }
  const kernel = await open(t, attributes, { database, types, warnings, migrate: 'check' })
  t.same(typesOf(kernel), { icon: 'json', colour: 'json', own: 'string' })
  t.match(await kernel.query('api::page.page').findMany(), [{ icon: { a: 1 }, colour: ['x'], own: 'o' }])
  t.equal(warnings.length, 1)
  t.match(warnings[0], /^1 custom field.*api::page\.page\.colour.*; the list of known fields has "string"/)
  const clash = await open(t, attributes, { database, types: { 'plugin::own.field': 'integer' }, migrate: 'none' })
  const { steps } = await planMigrations(clash)
  t.match(steps, [{ name: 'retype:pages.own', says: /pages\.own from .* to int/ }])
})

t.test('mistakes in the settings are refused', async t => {
  await t.rejects(open(t, {}, { database: memory, types: { 'plugin::own.field': 'strng' } }), {
    message: /custom field plugin::own\.field: type must be one of .*did you mean "string"\?/,
  })
  const configure = (kernel: Kernel) => kernel.customFields.add('plugin::own.field', { type: 'json' })
  await t.rejects(open(t, {}, { database: memory, types: { 'plugin::own.field': 'string' }, configure }), {
    message: /custom field plugin::own\.field: is already registered with the type "json" by the application/,
  })
})
