// Mistakes in the files of the model that were silent or badly worded: one test for each row of the table of mistakes.

import t, { type Test } from 'tap'
import { createKernel, definePlugin, InvalidSchemaError, type PluginsConfig, Type } from '../../../src/index.ts'
import { folder, notes, thrown } from '../../fixtures/boot.ts'

const memory = { client: 'sqlite', connection: { filename: ':memory:' } }
const file = 'src/api/page/content-types/page/schema.json'

function page(attributes: object = {}, more: object = {}) {
  const info = { singularName: 'page', pluralName: 'pages', displayName: 'Page' }
  return { kind: 'collectionType', collectionName: 'pages', info, ...more, attributes }
}

/** A plugin that reads an option of types and one of `pluginOptions`, and that has attributes of its own. */
const lamp = definePlugin({
  name: 'lamp',
  typeOptions: { isLit: Type.Boolean() },
  pluginOptions: { colored: Type.Boolean() },
  register: ({ kernel }) =>
    kernel.hooks.on('preModel', { for: type => type.options.isLit === true }, draft =>
      draft.attribute('litAt', { type: 'datetime' }),
    ),
})

async function start(t: Test, files: Readonly<Record<string, unknown>>, plugins: PluginsConfig) {
  const log = notes()
  const dir = await folder(t, { 'package.json': { type: 'module' }, ...files })
  const kernel = await createKernel({ dir, database: memory, logger: log, plugins })
  await kernel.close()
  return log.warnings
}

const withLamp: PluginsConfig = { lamp: { plugin: lamp } }

/** The warnings of a start. */
const warnings = (t: Test, files: Readonly<Record<string, unknown>>, plugins = withLamp) => start(t, files, plugins)

/** The faults that stop a start with this schema. */
async function fault(t: Test, schema: object): Promise<string> {
  const error = await thrown(t, () => start(t, { [file]: schema }, withLamp))
  t.ok(error instanceof InvalidSchemaError)
  t.ok(error.message.startsWith(`${file}: `))
  return error.message.slice(file.length + 2)
}

t.test('an option at the root of a schema', async t => {
  const schema = page({}, { isLit: true })
  t.equal(await fault(t, schema), 'isLit: is not known here; it belongs below options')
  const privates = page({}, { privateAttributes: ['a'] })
  t.equal(await fault(t, privates), 'privateAttributes: is not known here; it belongs below options')
  t.same(await warnings(t, { [file]: schema }, {}), [
    `${file}: isLit: unknown key, which has no effect; options of a type belong below options`,
  ])
  t.same(await warnings(t, { [file]: page({}, { notes: 'x' }) }), [`${file}: notes: unknown key, which has no effect`])
  const ofTools = { $schema: 'x', __filename__: 'x', 'x-own': 1, modelType: 'contentType', uid: 'api::page.page' }
  t.same(await warnings(t, { [file]: page({}, { ...ofTools, options: { isLit: true } }) }), [])
})

t.test('words of pluginOptions that the plugin does not read', async t => {
  const onType = (options: unknown, plugin = 'lamp') => page({}, { pluginOptions: { [plugin]: options } })
  const onAttribute = (options: unknown, plugin = 'lamp') =>
    page({ title: { type: 'string', pluginOptions: { [plugin]: options } } })
  const rows: readonly (readonly [options: unknown, plugin: string, fault: string])[] = [
    [{ coloured: true }, 'lamp', 'pluginOptions.lamp.coloured: unknown option, did you mean "colored"?'],
    [{ colored: 'yes' }, 'lamp', 'pluginOptions.lamp.colored: must be true or false'],
    [true, 'lamp', 'pluginOptions.lamp: must be an object'],
    [{ colored: true }, 'lmap', 'pluginOptions.lmap: unknown plugin, did you mean "lamp"?'],
  ]
  for (const [options, plugin, message] of rows) {
    t.equal(await fault(t, onType(options, plugin)), message)
    t.equal(await fault(t, onAttribute(options, plugin)), `attributes.title.${message}`)
  }
  t.same(await warnings(t, { [file]: onType({ height: 5 }) }), [
    `${file}: pluginOptions.lamp.height: unknown option; the known names are colored`,
  ])
  const fine = page({}, { pluginOptions: { lamp: { colored: null }, 'content-manager': { visible: false } } })
  t.same(await warnings(t, { [file]: fine }), [])
})

t.test('schemas and components in wrong folders or under wrong names', async t => {
  const isAt = 'a schema must be src/api/<api>/content-types/<name>/schema.json'
  const isComponentAt = 'a component must be src/components/<category>/<name>.json'
  const rows: readonly (readonly [path: string, hint: string])[] = [
    ['src/api/blog/schema.json', isAt],
    ['src/api/blog/schema.ts', isAt],
    ['src/api/blog/models/schema.json', isAt],
    ['src/api/blog/content-types/schema.json', isAt],
    ['src/api/blog/content-types/blog.json', isAt],
    ['src/api/blog/content-types/a/b/schema.json', isAt],
    ['src/api/blog/content-types/blog/schema.yaml', 'a schema must be a file .json, .ts, .js or .mjs'],
    ['src/api/blog/content-types/blog/shema.json', 'the schema of a content type must be named schema.json'],
    ['src/api/blog/content-type/blog/schema.json', 'the folder must be called content-types, not content-type'],
    ['src/api/page/content-types/page/lifecycle.ts', 'did you mean lifecycles.ts?'],
    ['src/components/foo.json', isComponentAt],
    ['src/components/a/b/foo.json', isComponentAt],
    ['src/components/a/foo.yml', isComponentAt],
    ['src/components/a/foo.ts', isComponentAt],
    [
      'src/extensions/lamp/schema.json',
      "a schema of a plugin's content type must be src/extensions/<plugin>/content-types/<name>/schema.json",
    ],
  ]
  for (const [path, hint] of rows)
    t.same(await warnings(t, { [file]: page(), [path]: '{}' }), [`${path}: is not read; ${hint}`], path)
  t.same(await warnings(t, { [file]: page(), 'src/component/a/foo.json': '{}' }), [
    'src/component: is not read, did you mean src/components?',
  ])
  t.same(await warnings(t, { [file]: page(), 'src/content-types/foo/schema.json': '{}' }), [
    `src/content-types: is not read; ${isAt}`,
  ])
  t.same(await warnings(t, { [file]: page(), 'src/indx.ts': '' }), [
    'src/indx.ts: is not read, did you mean src/index.ts?',
  ])
})

t.test('files of the application that are no part of the model are not warned of', async t => {
  const own = [
    'src/api/page/services/schema.ts',
    'src/api/page/routes/page.json',
    'src/api/page/content-types/page/examples.json',
    'src/api/page/content-types/page/life.ts',
    'src/api/page/documentation/1.0.0/page.json',
    'src/app/main.json',
    'src/components/README.md',
    'src/extensions/lamp/documentation/lamp.json',
    'src/api/page/node_modules/x/schema.json',
    'src/bootstrap.ts',
    'src/index.d.ts',
  ]
  // Beside src/api another folder may be called nearly so.
  t.same(await warnings(t, { [file]: page(), ...Object.fromEntries(own.map(path => [path, '{}'])) }), [])
})

t.test('no src at all', async t => {
  t.same(await warnings(t, {}), [
    'The application has no content types; add one as src/api/<api>/content-types/<name>/schema.json',
  ])
})

t.test('own attributes with a name of the service: createdAt: string', async t => {
  const said = (name: string, type: string, written: string) => [
    `${file}: attributes.${name}: "${name}" is an attribute of the service or of a plugin, with the type "${type}", which replaces "${written}"; give the own attribute another name`,
  ]
  const of = (attributes: object, options: object = {}) => warnings(t, { [file]: page(attributes, { options }) })
  t.same(await of({ createdAt: { type: 'string' } }), said('createdAt', 'datetime', 'string'))
  t.same(await of({ updatedAt: { type: 'integer' } }), said('updatedAt', 'datetime', 'integer'))
  t.same(await of({ litAt: { type: 'string' } }, { isLit: true }), said('litAt', 'datetime', 'string'))
  t.same(
    await of({ createdBy: { type: 'string' } }, { populateCreatorFields: true }),
    said('createdBy', 'relation', 'string'),
  )
  t.same(await of({ createdAt: { type: 'datetime' }, litAt: { type: 'string' }, createdBy: { type: 'string' } }), [])
})

t.test('"type": "checkbox", number, select: the list of types', async t => {
  for (const type of ['checkbox', 'number', 'select'])
    t.match(
      await fault(t, page({ a: { type } })),
      new RegExp(`^attributes\\.a\\.type: unknown attribute type "${type}"; the known names are string, text, .*json`),
    )
  const near = 'attributes.a.type: unknown attribute type "strng", did you mean "string"?'
  t.equal(await fault(t, page({ a: { type: 'strng' } })), near)
})

t.test('an enumeration with options: [...]', async t => {
  const of = (more: object) => fault(t, page({ k: { type: 'enumeration', ...more } }))
  t.equal(await of({ options: ['a'] }), 'attributes.k.enum: is missing; the values belong in enum, not in options')
  t.equal(await of({}), 'attributes.k.enum: is missing')
  t.equal(await of({ enum: [] }), 'attributes.k.enum: must be a list of at least one value')
})

t.test('myAuthor: names are in kebab-case', async t => {
  const of = (singularName: string) =>
    fault(t, page({}, { info: { singularName, pluralName: 'pages', displayName: 'x' } }))
  t.equal(await of('myAuthor'), 'info.singularName: must be in kebab-case, did you mean "my-author"?')
  t.equal(await of('My Author'), 'info.singularName: must be in kebab-case, did you mean "my-author"?')
  t.equal(await of('1st'), 'info.singularName: must be in kebab-case, such as "blog-post"')
})
