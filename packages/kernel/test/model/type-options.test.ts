// The options of a type (B-10.4): switches are booleans, and private attributes have names of attributes.

import t, { type Test } from 'tap'
import { createKernel, definePlugin, type PluginsConfig, Type } from '../../src/index.ts'
import { boot, folder, notes, thrown, type, uid } from '../fixtures/boot.ts'

const note = (options: object) => type('note', { text: { type: 'string' }, secret: { type: 'string' } }, { options })

async function faultOf(t: Test, options: object): Promise<string> {
  return (await thrown(t, () => boot(t, { file: ':memory:', contentTypes: [note(options)] }))).message
}

t.test('unknown options stop the start', async t => {
  const at = 'api::note.note: options.'
  const rows: readonly (readonly [options: object, words: string])[] = [
    [{ privateAttributes: 'secret' }, 'privateAttributes: must be a list of names of attributes, found "secret"'],
    [
      { privateAttributes: ['secret', 5] },
      'privateAttributes: must be a list of names of attributes, found ["secret",5]',
    ],
    [{ privateAttributes: { secret: true } }, 'privateAttributes: must be a list'],
    [
      { privateAttributes: ['text', 'secrte'] },
      'privateAttributes.1: api::note.note has no attribute "secrte", did you mean "secret"?',
    ],
    [{ privateAttributes: ['createdat'] }, 'privateAttributes.0: api::note.note has no attribute "createdat", did you'],
    [{ privateAtributes: ['secret'] }, 'privateAtributes: unknown option, did you mean "privateAttributes"?'],
    [{ populateCreatorFields: 1 }, 'populateCreatorFields: must be true or false'],
  ]
  for (const [options, words] of rows) t.equal((await faultOf(t, options)).slice(0, (at + words).length), at + words)
})

t.test("invalid values of a plugin's options stop the start", async t => {
  const switched = definePlugin({ name: 'lamp', typeOptions: { isLit: Type.Boolean() }, register() {} })
  const faultWith = async (options: object, plugins: PluginsConfig) => {
    const contentTypes = [note(options)]
    return (await thrown(t, () => boot(t, { file: ':memory:', contentTypes, plugins }))).message
  }
  const plugins = { lamp: { plugin: switched } }
  t.equal(await faultWith({ isLit: 'true' }, plugins), 'api::note.note: options.isLit: must be true or false')
  t.equal(
    await faultWith({ isLitt: true }, plugins),
    'api::note.note: options.isLitt: unknown option, did you mean "isLit"?',
  )
  await boot(t, { file: ':memory:', contentTypes: [note({ isLit: null })], plugins })
  await boot(t, { file: ':memory:', contentTypes: [note({ isLit: 'true' })] })
})

t.test('privateAttributes can list system attributes, and unknown names cause warnings', async t => {
  const log = notes()
  const privateAttributes = ['secret', 'id', 'createdBy', 'publishedAt', 'localizations', 'formerlyHere']
  const options = { privateAttributes, draftAndPublish: null, comment: '', increments: true }
  const kernel = await boot(t, { logger: log, contentTypes: [note(options)] })
  // Those of a plugin that is off are like those of nothing.
  const nothing = ['publishedAt', 'localizations', 'formerlyHere'].map((name, i) => {
    const place = `api::note.note: options.privateAttributes.${i + 3}`
    return `${place}: api::note.note has no attribute "${name}", so the name has no effect`
  })
  t.same(log.warnings, nothing)
  t.ok(kernel.contentTypes.require(uid('note')).attributes.get('secret')!.private)
})

t.test('a text in config/api is not split into letters', async t => {
  const dir = await folder(t, { 'config/api.json': { responses: { privateAttributes: 'secret' } } })
  const { message } = await thrown(t, () => createKernel({ dir, database: { connection: { filename: ':memory:' } } }))
  t.equal(message, 'config/api: responses.privateAttributes: must be a list of names of attributes, found "secret"')
})

t.test('an unclaimed option causes a warning for each type', async t => {
  const warningsWith = async (plugins: PluginsConfig) => {
    const log = notes()
    const on = {
      options: { draftAndPublish: true, tags: 'text', off: false, comment: 'x', populateCreatorFields: false },
      pluginOptions: { words: { counted: true, visible: false, list: ['a'] }, panel: { visible: false } },
    }
    await boot(t, { file: ':memory:', logger: log, plugins, contentTypes: [type('a', {}, on), type('b', {}, on)] })
    return log.warnings
  }
  const untaken = (name: string) => [
    `api::${name}.${name}: options.draftAndPublish is set, but has no effect, because no plugin in config/plugins reads it`,
    `api::${name}.${name}: options.tags is set, but has no effect, because no plugin in config/plugins reads it`,
    `api::${name}.${name}: pluginOptions.words.counted is set, but has no effect, because config/plugins has no plugin "words"`,
  ]
  t.same(await warningsWith({}), [...untaken('a'), ...untaken('b')])
  const words = definePlugin({
    name: 'words',
    typeOptions: { draftAndPublish: Type.Boolean(), tags: Type.String() },
    register() {},
  })
  t.same(await warningsWith({ words: { plugin: words } }), [])
})
