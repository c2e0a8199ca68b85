// Custom fields in a new application, and in one that is made from a v4 project: the schemas stay as they are, and each
// field is an attribute of its base type.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { create, folderFor, link, node, plinth, Server } from './fixtures/project.ts'

const field = (customField: string, more: object = {}) => ({ type: 'customField', customField, ...more })

const page = JSON.stringify({
  kind: 'collectionType',
  collectionName: 'pages',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  options: { draftAndPublish: false },
  attributes: {
    colour: field('plugin::color-picker.color', { required: true }),
    tags: field('plugin::multi-select.multi-select', { options: ['a', 'b'] }),
    stars: field('plugin::slone.stars', { max: 5 }),
    palette: field('global::palette'),
    other: field('plugin::nobody.knows'),
    card: { type: 'component', component: 'shared.card' },
  },
})
const card = JSON.stringify({
  collectionName: 'components_shared_cards',
  info: { displayName: 'Card' },
  attributes: { body: field('plugin::ckeditor.CKEditor') },
})

const pageSchema = 'src/api/page/content-types/page/schema.json'
const cardSchema = 'src/components/shared/card.json'

const project = {
  'package.json': JSON.stringify({
    name: 'old',
    dependencies: { '@strapi/strapi': '4.25.9', 'better-sqlite3': '8.6.0' },
  }),
  'config/server.js':
    "module.exports = ({ env }) => ({ host: env('HOST', '127.0.0.1'), port: env.int('PORT', 1337) });\n",
  'config/database.js':
    "module.exports = { connection: { client: 'sqlite', connection: { filename: '.tmp/data.db' }, useNullAsDefault: true } };\n",
  [pageSchema]: page,
  [cardSchema]: card,
  'src/index.js': `module.exports = {
  register({ strapi }) { strapi.customFields.register({ name: 'palette', type: 'json' }); },
  bootstrap() {},
};
`,
  'src/plugins/slone/server/register.js':
    "module.exports = ({ strapi }) => strapi.customFields.register([{ name: 'stars', plugin: 'slone', type: 'integer' }]);\n",
}

async function write(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(dir, dirname(path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
}

async function madeOf(t: Test, files: Readonly<Record<string, string>>) {
  const parent = await folderFor(t)
  await write(join(parent, 'old'), files)
  const made = await create(['new', '--from-v4', 'old', '--no-install'], parent)
  t.equal(made.code, 0, made.err)
  const dir = join(parent, 'new')
  return { dir, made, read: (path: string) => readFile(join(dir, path), 'utf8') }
}

const baseTypes =
  "'custom-fields': { config: { baseTypes: { 'global::palette': 'json', 'plugin::slone.stars': 'integer' } } },"

/** A program of the application: stores an entry, finds it by its fields, and is refused another one. */
const checking = `import { createTestApp } from '@plinth/testing'
const app = await createTestApp({ dir: import.meta.dirname })
const pages = app.kernel.query('api::page.page')
const data = { colour: '#fff', tags: ['a'], stars: 4, palette: { a: 1 }, other: 'x', card: { body: '<p>b</p>' } }
await pages.create({ data })
const [found] = await pages.findMany({ filters: { stars: { $gt: 3 }, colour: '#fff' }, populate: '*' })
const refused = await pages.create({ data: { ...data, stars: 6 } }).catch(error => error.message)
console.log(JSON.stringify([found, refused]))
await app.close()
`

t.test('a v4 project with custom fields', async t => {
  const { dir, made, read } = await madeOf(t, project)
  t.equal(await read(pageSchema), page, 'the schemas are as they were')
  t.equal(await read(cardSchema), card)
  t.ok((await read('config/plugins.js')).includes(baseTypes), await read('config/plugins.js'))
  const readme = await read('README.md')
  const validation = 'the validation of its plugin is not run'
  for (const [path, name, fate] of [
    [pageSchema, 'colour is the custom field plugin::color-picker.color', 'its values are of the type string'],
    [pageSchema, 'tags is the custom field plugin::multi-select.multi-select', 'its values are of the type json'],
    [
      pageSchema,
      'stars is the custom field plugin::slone.stars',
      'its values are of the type integer, as src/plugins/slone/server/register.js says',
    ],
    [
      pageSchema,
      'palette is the custom field global::palette',
      'its values are of the type json, as src/index.js says',
    ],
    [
      pageSchema,
      'other is the custom field plugin::nobody.knows',
      'its values are of the type of their column; name another one in custom-fields.config.baseTypes of config/plugins',
    ],
    [cardSchema, 'body is the custom field plugin::ckeditor.CKEditor', 'its values are of the type richtext'],
  ]) {
    const line = `${path}: ${name}: ${fate}; ${validation}`
    t.ok(made.out.includes(`\n  ${line}`), line)
    t.ok(readme.includes(`\n- ${line}`), `the README keeps it: ${line}`)
  }
  await link(dir)
  await write(dir, { 'check.mjs': checking })
  t.match(JSON.parse((await node(['check.mjs'], dir)).out), [
    { stars: 4, palette: { a: 1 }, tags: ['a'], card: { body: '<p>b</p>' } },
    'stars must be less than or equal to 5',
  ])
  const server = await Server.start(t, dir)
  t.match(server.text, /1 custom field\(s\) .*api::page\.page\.other \(plugin::nobody\.knows\) is text/)
  t.equal(await server.end(), 0)
  const found = await node([plinth, 'doctor'], dir)
  t.match(found.out, /api::page\.page\.stars: plugin::slone\.stars is integer \(config\/plugins\)/)
  t.match(found.out, /api::page\.page\.other: plugin::nobody\.knows is text \(from the column, which is text\)/i)
})

t.test('settings that code makes, in TypeScript', async t => {
  const { 'config/server.js': server, 'config/database.js': database, ...files } = project
  const { read } = await madeOf(t, {
    ...files,
    'config/server.ts': server.replace('module.exports =', 'export default'),
    'config/database.ts': database.replace('module.exports =', 'export default'),
    'config/plugins.ts': 'export default ({ env }) => { if (env("A")) return {}; return { upload: { config: {} } } }\n',
  })
  t.match(await read('config/plugins.ts'), baseTypes.slice(0, -1))
})

t.test('a new application knows the fields of published plugins', async t => {
  const parent = await folderFor(t)
  const made = await create(
    ['fresh', '--yes', '--language', 'js', '--plugins', 'custom-fields', '--no-install'],
    parent,
  )
  t.equal(made.code, 0, made.err)
  const dir = join(parent, 'fresh')
  await write(dir, {
    [pageSchema]: JSON.stringify({
      ...JSON.parse(page),
      attributes: { tags: field('plugin::multi-select.multi-select'), colour: field('plugin::color-picker.color') },
    }),
  })
  await link(dir)
  const server = await Server.start(t, dir)
  const data = { tags: ['a', 'b'], colour: '#fff' }
  t.match(await server.post('/api/pages', { data }), { status: 200, body: { data: { attributes: data } } })
  t.notMatch(server.text, /custom field/)
  t.equal(await server.end(), 0)
})
