// Which unknown keys are taken for typos and stop the start, and that all faults of a file are reported together.

import t, { type Test } from 'tap'
import { typoOf } from '../../src/model/typo.ts'
import { boot, folder, notes, thrown, type } from '../fixtures/boot.ts'

const page = (attribute: object, more: object = {}) =>
  type('page', { at: { type: 'string', ...attribute } }, { ...more })

async function faultOf(t: Test, schema: unknown): Promise<string> {
  return (await thrown(t, () => boot(t, { file: ':memory:', contentTypes: [schema] }))).message
}

t.test('a typo is one letter or two swapped ones, two in longer words', async t => {
  const words = ['min', 'required', 'private', 'type']
  const rows = [
    ['requierd', 'required'],
    ['Required', 'required'],
    ['requird', 'required'],
    ['reqired', 'required'],
    ['tpye', 'type'],
    ['tip', null],
    ['min', null],
    ['mni', 'min'],
    ['hint', null],
    ['pivot', null],
  ] as const
  for (const [word, meant] of rows) t.equal(typoOf(word, words), meant, word)
})

t.test('options of plugins are accepted, misspelt ones are refused', async t => {
  const log = notes()
  const harmless = { hint: 'x', kind: 'y', main: true, joinTable: {}, index: true, mime: 'image/png', myOwn: 1 }
  await boot(t, { file: ':memory:', logger: log, contentTypes: [page(harmless)] })
  t.same(log.warnings, [])
  await boot(t, { file: ':memory:', logger: log, contentTypes: [page({ mixin: 1 })] })
  t.same(log.warnings, [
    'api::page.page: attributes.at.mixin: unknown option, did you mean "min"? It is accepted, because it may belong to a plugin',
  ])
  for (const [option, meant] of [
    ['requierd', 'required'],
    ['privat', 'private'],
    ['maxLenght', 'maxLength'],
    ['mim', 'min'],
  ] as const)
    t.equal(
      await faultOf(t, page({ [option]: 1 })),
      `api::page.page: attributes.at.${option}: unknown option, did you mean "${meant}"?`,
    )
})

t.test('unknown keys of a schema file', async t => {
  const { collectionName, ...unnamed } = page({})
  t.equal(
    await faultOf(t, { ...unnamed, colectionName: collectionName }),
    'api::page.page: colectionName: unknown key, did you mean "collectionName"?',
  )
  t.equal(
    await faultOf(t, page({}, { pluginOption: {} })),
    'api::page.page: pluginOption: unknown key, did you mean "pluginOptions"?',
  )
  // Others are v4's and its tools' own; so is what stands beside the right word.
  await boot(t, { file: ':memory:', contentTypes: [page({}, { connection: 'default', plugin: 'x', infos: {} })] })
})

t.test('all faults of a file are reported together', async t => {
  const schema = type('page', {
    title: { type: 'strng', requierd: true },
    size: { type: 'integer', min: 'x' },
  })
  t.equal(
    await faultOf(t, schema),
    `api::page.page: 
  - attributes.title.type: unknown attribute type "strng", did you mean "string"?
  - attributes.title.requierd: unknown option, did you mean "required"?
  - attributes.size.min: must be a number`,
  )
  const dir = await folder(t, {
    'src/api/page/content-types/page/schema.json': { info: { singularName: 'page' }, atributes: {} },
  })
  const { message } = await thrown(t, () => boot(t, { dir, file: ':memory:' }))
  for (const words of [
    'info.pluralName: is missing',
    'attributes: is missing; "atributes" looks like a misspelling of it',
  ])
    t.ok(message.includes(words), words)
})
