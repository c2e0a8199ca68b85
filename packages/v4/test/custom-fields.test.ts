/** What is read of the custom fields that a v4 project registers itself. */

import { createKernel } from '@plinth/kernel'
import { generated, type Texts, written } from '@plinth/test-tools/v4-projects'
import v4 from '@plinth/v4'
import { readCustomFields, readV4Project } from '@plinth/v4/project'
import t from 'tap'

const index = (code: string, more: Texts = {}): Texts => ({
  'src/index.js': `'use strict';\nmodule.exports = { register({ strapi }) { ${code} }, bootstrap() {} };\n`,
  ...more,
})
const register = (code: string) => `strapi.customFields.register(${code});`

const manifest = JSON.stringify({ name: 'strapi-plugin-slone', strapi: { name: 'slone', kind: 'plugin' } })
const pluginId = `const pkg = require('../../package' + '.json')
module.exports = pkg.name.replace(/^(@[^-,.][\\w,-]+\\/|strapi-)plugin-/i, '')
`

const cases: Readonly<Record<string, readonly [Texts, readonly string[]]>> = {
  'a project without a field': [index(''), []],
  'a field of a plugin and one of the project': [
    index(
      register("{ name: 'colour', plugin: 'paint', type: 'string' }") + register("{ name: 'palette', type: 'json' }"),
    ),
    ['plugin::paint.colour string', 'global::palette json'],
  ],
  'a list of fields': [
    index(register("[{ name: 'a', plugin: 'p', type: 'text' }, { name: 'b', plugin: 'p', type: 'integer' }]")),
    ['plugin::p.a text', 'plugin::p.b integer'],
  ],
  'names of constants and of other files': [
    index(register('field'), {
      'src/index.ts': `import { plugin } from './names'
const base = { type: 'richtext', plugin } as const
export default { register({ strapi }: any) { const fields = strapi.customFields; fields.register({ ...base, name: \`editor\` }) } }`,
      'src/index.js': '',
      'src/names.ts': "export const plugin = 'own'",
    }),
    ['plugin::own.editor richtext'],
  ],
  'the global strapi': [
    {
      'src/plugins/x/strapi-server.js': `module.exports = () => ({ register() { ${register("{ name: 'a', plugin: 'x', type: 'date' }")} } })`,
    },
    ['plugin::x.a date'],
  ],
  'names that would have to be computed are those of the plugin': [
    {
      'src/plugins/own-folder/package.json': manifest,
      'src/plugins/own-folder/admin/src/pluginId.js': pluginId,
      'src/plugins/own-folder/server/register.ts': `import pluginId from '../admin/src/pluginId'
export default ({ strapi }: { strapi: any }) => { ${register("{ name: 'stars', plugin: pluginId, type: 'integer' }")} ${register('{ name: pluginId, plugin: pluginId, type: "uid" }')} }`,
      'src/plugins/bare/server/register.js': `const id = require('../admin/src/id')
module.exports = ({ strapi }) => ${register("{ name: 'a', plugin: id, type: 'json' }")}`,
    },
    ['plugin::bare.a json', 'plugin::slone.stars integer', 'plugin::slone.slone uid'],
  ],
  'names of package.json': [
    {
      'src/plugins/own/package.json': manifest,
      'src/plugins/own/server/register.js': `const pkg = require('../package.json')
module.exports = ({ strapi }) => { ${register("{ name: pkg.strapi.name, plugin: pkg.strapi.name, type: 'json' }")} }`,
    },
    ['plugin::slone.slone json'],
  ],
  'what cannot be read, and what the panel registers': [
    index(
      `${register('fieldOf(1)')} ${register("{ name: 'b', type: 'relation' }")} ${register("{ name: make(), type: 'json' }")} ${register("{ name: 'a', type: make() }")}`,
      {
        'src/plugins/x/admin/src/index.js':
          "export default { register(app) { app.customFields.register({ name: 'a', pluginId: 'x', type: 'string' }) } }",
        'src/broken.js': 'customFields {{',
      },
    ),
    [],
  ],
}

for (const [name, [files, fields]] of Object.entries(cases))
  t.test(name, async t => {
    const dir = await written(t, { ...generated('note'), ...files })
    t.same(
      readCustomFields(dir).map(one => `${one.name} ${one.type}`),
      fields,
    )
    t.same(readV4Project(dir).customFields, readCustomFields(dir))
  })

t.test('the place of a field', async t => {
  const dir = await written(t, index(register("{ name: 'a', type: 'json' }")))
  t.match(readCustomFields(dir), [{ file: 'src/index.js', line: 2 }])
})

t.test('a kernel in the folder of the project has the fields of its code', async t => {
  const attributes = {
    stars: { type: 'customField', customField: 'plugin::own.stars' },
    palette: { type: 'customField', customField: 'global::palette' },
  }
  const dir = await written(t, {
    ...generated('note', { attributes }),
    ...index(register("{ name: 'palette', type: 'json' }")),
    'src/plugins/own/server/register.js': `module.exports = ({ strapi }) => ${register("{ name: 'stars', plugin: 'own', type: 'integer' }")}`,
    // v4 hands its own object to it, which Plinth does not have.
    'src/index.js': '',
    'src/extensions/start.js': register("{ name: 'palette', type: 'json' }"),
  })
  const kernel = await createKernel({
    dir,
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    plugins: { v4: { plugin: v4 } },
  })
  t.teardown(() => kernel.close())
  const notes = kernel.query('api::note.note')
  t.match(await notes.create({ data: { stars: 3, palette: [1] } }), { stars: 3, palette: [1] })
  t.match(kernel.customFields.settled, [
    { attribute: 'stars', type: 'integer', isGuessed: false, source: 'src/plugins/own/server/register.js' },
    { attribute: 'palette', type: 'json', isGuessed: false },
  ])
})
