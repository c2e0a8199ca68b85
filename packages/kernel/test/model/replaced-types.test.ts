// Attribute types that a plugin replaces.

import t, { type Test } from 'tap'
import { definePlugin, type Kernel, type ScalarType } from '../../src/index.ts'
import { boot, thrown, type, uid } from '../fixtures/boot.ts'
import { passwords } from '../fixtures/passwords.ts'

const contentTypes = [type('tag', { label: { type: 'string' }, secret: { type: 'password' } })]
const marked: ScalarType = { storage: 'string', family: 'text', secret: true, prepare: value => `marked ${value}` }

const replacing = (name: string, word: string, definition: object) =>
  definePlugin({ name, register: ({ kernel }) => kernel.attributeTypes.replace(word, definition as never) })

const open = (t: Test, ...plugins: ReturnType<typeof replacing>[]) =>
  boot(t, { contentTypes, plugins: Object.fromEntries(plugins.map(plugin => [plugin.plinth.name, { plugin }])) })

t.test('the values of a replaced type are stored as the plugin says', async t => {
  const kernel = await open(t, replacing('vault', 'password', marked))
  const { id } = await kernel.query(uid('tag')).create({ data: { label: 'a', secret: 'pw' } })
  t.match(await kernel.query(uid('tag')).findOne(id), { secret: 'marked pw' })
  const caller = kernel.context({ key: 'x', user: null, can: () => true })
  t.notOk('secret' in (await kernel.query(uid('tag'), caller).findOne(id))!)
})

t.test('a type that a plugin has added is replaced too, in whatever order they are listed', async t => {
  const vault = definePlugin({
    name: 'vault',
    after: ['passwords'],
    register: ({ kernel }) => kernel.attributeTypes.replace('password', marked),
  })
  const kernel = await boot(t, { contentTypes, plugins: { vault: { plugin: vault }, ...passwords } })
  await kernel.query(uid('tag')).create({ data: { secret: 'pw' } })
  t.match(await kernel.query(uid('tag')).findMany(), [{ secret: 'marked pw' }])
})

t.test('a model with a type that only a plugin has is refused without the plugin', async t => {
  const message =
    'api::tag.tag: attributes.secret.type: "password" needs the plugin "passwords": npm install @plinth/passwords, and passwords: true in config/plugins'
  t.match(await thrown(t, () => boot(t, { contentTypes })), { name: 'InvalidSchemaError', message })
  t.match(await thrown(t, () => boot(t, { contentTypes, migrate: 'none' })), { message })
})

t.test('errors of a replaced type name the plugin that replaced it', async t => {
  const refuse = () => {
    throw new Error('no room')
  }
  const kernel = await open(t, replacing('vault', 'password', { ...marked, prepare: refuse }))
  t.match(await thrown(t, () => kernel.query(uid('tag')).create({ data: { secret: 'pw' } })), {
    message: 'no room',
    plugin: 'vault',
    hook: 'attribute type password: prepare',
  })
})

t.test('mistakes are refused', async t => {
  const refused = async (message: string, ...plugins: ReturnType<typeof replacing>[]) =>
    t.match(await thrown(t, () => open(t, ...plugins)), { name: 'RegistrationError', message })
  await refused(
    'plugin vault: attribute type pasword: does not exist, did you mean "password"?',
    replacing('vault', 'pasword', marked),
  )
  await refused(
    'plugin safe: attribute type password: is already replaced by plugin vault',
    replacing('vault', 'password', marked),
    replacing('safe', 'password', marked),
  )
  await refused(
    'plugin vault: attribute type password: secret must be true, because the values of the replaced type are never answered',
    replacing('vault', 'password', { ...marked, secret: false }),
  )
  await refused(
    'plugin vault: attribute type password: maxBytes must be a whole number above 0, found "72"',
    replacing('vault', 'password', { ...marked, maxBytes: '72' }),
  )
  await refused('plugin vault: attribute type relation: does not exist', replacing('vault', 'relation', marked))
  await refused(
    'plugin vault: attribute type string: family is missing',
    replacing('vault', 'string', { storage: 'text' }),
  )
})

t.test('types of other plugins can be replaced', async t => {
  const colour = definePlugin({
    name: 'colour',
    register: ({ kernel }) => kernel.attributeTypes.add('colour', { storage: 'string', family: 'text' }),
  })
  const upper = replacing('upper', 'colour', {
    storage: 'string',
    family: 'text',
    prepare: (value: string) => value.toUpperCase(),
  })
  const kernel: Kernel = await boot(t, {
    contentTypes: [type('wall', { colour: { type: 'colour' } })],
    plugins: { colour: { plugin: colour }, upper: { plugin: upper } },
  })
  await kernel.query(uid('wall')).create({ data: { colour: 'red' } })
  t.match(await kernel.query(uid('wall')).findMany(), [{ colour: 'RED' }])
})
