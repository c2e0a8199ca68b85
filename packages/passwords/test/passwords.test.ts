// Attributes of the type `password`: their hashes, their limits, and starts without the plugin.

import { createKernel, definePlugin, freezeModel, type KernelOptions } from '@plinth/kernel'
import { planMigrations } from '@plinth/kernel/migrate'
import { freshDatabase } from '@plinth/test-tools/databases'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import t, { type Test } from 'tap'
import passwords, { hashPassword, isBcryptHash, passwordType, verifyPassword } from '../src/index.ts'

const uid = 'api::door.door'
const door = (attributes: object) => ({
  uid,
  kind: 'collectionType',
  collectionName: 'doors',
  info: { singularName: 'door', pluralName: 'doors', displayName: 'Door' },
  attributes: { name: { type: 'string' }, ...attributes },
})
const contentTypes = [
  door({
    pin: { type: 'password', minLength: 4 },
    code: { type: 'password', encryption: { rounds: 4 } },
    lock: { type: 'component', component: 'door.lock' },
  }),
] as unknown as KernelOptions['contentTypes'] & {}
const components = {
  'door.lock': { collectionName: 'components_door_locks', attributes: { key: { type: 'password' } } },
} as unknown as KernelOptions['components'] & {}
const plugins = { passwords: { plugin: passwords } }

async function onSqlite(t: Test) {
  const database = await freshDatabase('sqlite')
  t.teardown(() => database.drop())
  return database
}

await onEach('B-4.27: a password is stored as a bcrypt hash, and never answered', async t => {
  const { config: database } = await fresh(t)
  const kernel = await createKernel({ database, contentTypes, components, plugins })
  t.teardown(() => kernel.close())
  const doors = kernel.query(uid)
  const data = { name: 'front', pin: 'first', code: 'second', lock: { key: 'third' } }
  const { id } = await doors.create({ data })
  const stored = await doors.findOne(id, { populate: ['lock'] })
  t.match(stored, { name: 'front', pin: /^\$2a\$10\$/, code: /^\$2a\$04\$/, lock: { key: /^\$2a\$10\$/ } })
  t.ok(await verifyPassword('first', stored!.pin as string))
  t.notOk(await verifyPassword('second', stored!.pin as string))
  const caller = kernel.context({ key: 'caller', user: null, can: () => true })
  const shown = await kernel.query(uid, caller).findOne(id, { populate: ['lock'] })
  t.same(
    Object.keys(shown!).filter(name => ['pin', 'code'].includes(name)),
    [],
  )
  t.notOk('key' in (shown!.lock as object))
  await t.rejects(kernel.query(uid, caller).findMany({ filters: { pin: 'first' } }), /Invalid parameter pin/)
  await doors.update(id, { data: { name: 'back' } })
  t.equal((await doors.findOne(id))!.pin, stored!.pin, 'a hash is not hashed again')
})

t.test('passwords are checked before they are hashed', async t => {
  const { config: database } = await onSqlite(t)
  const kernel = await createKernel({ database, contentTypes, components, plugins })
  t.teardown(() => kernel.close())
  const create = (pin: unknown) => kernel.query(uid).create({ data: { pin } as never })
  await t.rejects(create('abc'), { message: 'pin must be at least 4 characters' })
  // Each of them has two bytes.
  await t.rejects(create('é'.repeat(37)), { message: 'pin must be at most 72 bytes' })
  await t.resolves(create('é'.repeat(36)))
  await t.rejects(create(12345), /pin must be a `string` type/)
})

await onEach('without the plugin a start is refused, and nothing is lost', async t => {
  const { config: database } = await fresh(t)
  const kernel = await createKernel({ database, contentTypes, components, plugins })
  const { id } = await kernel.query(uid).create({ data: { name: 'front', pin: 'first' } })
  await kernel.close()
  const message =
    /^door\.lock: attributes\.key\.type: "password" needs the plugin "passwords": npm install @plinth\/passwords, and passwords: true in config\/plugins/
  for (const migrate of ['add', 'check', 'apply', 'none'] as const)
    await t.rejects(createKernel({ database, contentTypes, components, migrate }), message, migrate)
  await t.rejects(freezeModel({ contentTypes, components }), message)
  const again = await createKernel({ database, contentTypes, components, plugins })
  t.teardown(() => again.close())
  t.match(await again.query(uid).findOne(id), { name: 'front', pin: /^\$2a\$10\$/ })
  t.same((await planMigrations(again)).steps, [])
})

t.test('nor is a custom field whose base type is password stored as text', async t => {
  const { config: database } = await onSqlite(t)
  const field = { type: 'customField', customField: 'plugin::safe.key' }
  const safe = (isFallback: boolean) =>
    definePlugin({
      name: 'safe',
      register: ({ kernel }) => kernel.customFields.add('plugin::safe.key', { type: 'password', isFallback }),
    })
  const own = [door({ key: field })] as unknown as KernelOptions['contentTypes'] & {}
  const open = (isFallback: boolean, more: KernelOptions['plugins'] = {}) =>
    createKernel({ database, contentTypes: own, plugins: { safe: { plugin: safe(isFallback) }, ...more } })
  await t.rejects(open(false), /attributes\.key\.type: "password" needs the plugin "passwords"/)
  const kernel = await open(true, plugins)
  const { id } = await kernel.query(uid).create({ data: { key: 'first' } })
  t.match(await kernel.query(uid).findOne(id), { key: /^\$2a\$10\$/ })
  await kernel.close()
  // The column could hold any text.
  await t.rejects(open(true), /attributes\.key\.type: "password" needs the plugin "passwords"/)
})

t.test('another plugin has a hash of its own, whether this one is enabled or not', async t => {
  const vault = definePlugin({
    name: 'vault',
    after: ['passwords'],
    register: ({ kernel }) =>
      kernel.attributeTypes.replace(
        'password',
        passwordType(password => `vault of ${password.length}`),
      ),
  })
  for (const more of [{}, plugins]) {
    const { config: database } = await onSqlite(t)
    const kernel = await createKernel({
      database,
      contentTypes,
      components,
      plugins: { vault: { plugin: vault }, ...more },
    })
    t.teardown(() => kernel.close())
    const { id } = await kernel.query(uid).create({ data: { pin: 'first' } })
    t.match(await kernel.query(uid).findOne(id), { pin: 'vault of 5' })
  }
})

t.test('whoever adds the type must keep it secret', async t => {
  const open = definePlugin({
    name: 'open',
    register: ({ kernel }) => kernel.attributeTypes.add('password', { storage: 'string', family: 'text' }),
  })
  await t.rejects(
    freezeModel({ plugins: { open: { plugin: open } } }),
    /plugin open: attribute type password: secret must be true/,
  )
})

t.test('hashes can be compared by code', async t => {
  const hash = await hashPassword('correct horse', 4)
  t.ok(isBcryptHash(hash))
  t.notOk(isBcryptHash('correct horse'))
  t.ok(await verifyPassword('correct horse', hash))
  const long = 'x'.repeat(72)
  const ofLong = await hashPassword(long, 4)
  t.ok(await verifyPassword(long, ofLong))
  t.notOk(await verifyPassword(`${long}y`, ofLong), 'bcrypt alone would compare 72 bytes')
})

t.test('rounds that bcrypt does not take prevent the start', async t => {
  for (const rounds of [2, 32, '8', 8.5]) {
    const { config: database } = await onSqlite(t)
    const contentTypes = [door({ pin: { type: 'password', encryption: { rounds } } })] as never
    await t.rejects(createKernel({ database, contentTypes, plugins }), {
      code: 'PLINTH_SCHEMA_INVALID',
      message: `api::door.door: attributes.pin.encryption.rounds: must be a whole number from 4 to 31, found ${JSON.stringify(rounds)}`,
    })
  }
})
