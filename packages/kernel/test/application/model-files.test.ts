// How files of the model are read: with a byte order mark, as modules that are broken, under other names.

import t from 'tap'
import { loadModel } from '../../src/application/model-files.ts'
import { boot, folder, thrown, type, uid } from '../fixtures/boot.ts'

const at = 'src/api/page/content-types/page'
const page = (attributes = {}) => ({ ...type('page', attributes), uid: undefined })

t.test('a byte order mark is accepted', async t => {
  const dir = await folder(t, { [`${at}/schema.json`]: `\uFEFF${JSON.stringify(page())}` })
  const kernel = await boot(t, { dir, file: ':memory:' })
  t.ok(kernel.contentTypes.get(uid('page')))
})

t.test('the error of a module that does not load names its file', async t => {
  const rows = [
    ['lifecycles.ts', 'export default { beforeCreate( {'],
    ['lifecycles.js', 'export default {{'],
    ['lifecycles.mjs', 'throw new Error("no luck")'],
    ['lifecycles.js', 'throw null'],
  ] as const
  for (const [name, text] of rows) {
    const dir = await folder(t, {
      'package.json': { type: 'module' },
      [`${at}/schema.json`]: page(),
      [`${at}/${name}`]: text,
    })
    const { message } = await thrown(t, () => boot(t, { dir, file: ':memory:' }))
    t.ok(message.startsWith(`${at}/${name}: cannot be loaded: `), message)
  }
})

t.test('a file in the wrong place is named in a warning', async t => {
  const dir = await folder(t, { [`${at}/shema.json`]: page(), 'src/api/tag/content-types/tag/notes.md': '' })
  const warnings: string[] = []
  t.same((await loadModel(dir, { warn: message => warnings.push(message) })).contentTypes, [])
  t.same(warnings, [`${at}/shema.json: is not read; the schema of a content type must be named schema.json`])
})

t.test('the uid is made of the api folder and the singular name (B-10.7)', async t => {
  const { uid: _, ...schema } = type('post', { title: { type: 'string' } })
  const dir = await folder(t, { 'src/api/blog/content-types/some-folder/schema.json': schema })
  const kernel = await boot(t, { dir })
  t.same(
    kernel.contentTypes.values().map(one => one.uid),
    ['api::blog.post'],
  )
})
