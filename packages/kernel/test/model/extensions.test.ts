// Extensions of content types of plugins (B-10.52, B-13.117), and types whose plugins have their own routes.

import t, { type Test } from 'tap'
import { definePlugin, type Kernel } from '../../src/index.ts'
import { boot, folder, thrown, type } from '../fixtures/boot.ts'
import { passwords } from '../fixtures/passwords.ts'

const memberUid = 'plugin::club.member'
const file = 'src/extensions/club/content-types/member/schema.json'

const attributes = {
  name: { type: 'string', required: true, unique: true, configurable: false },
  secret: { type: 'password', private: true, configurable: false },
  note: { type: 'text', private: true },
  level: { type: 'integer', default: 1 },
  group: { type: 'relation', relation: 'manyToOne', target: 'plugin::club.group', configurable: false },
}

const club = definePlugin({
  name: 'club',
  register({ kernel }) {
    const info = (name: string) => ({ singularName: name, pluralName: `${name}s`, displayName: name })
    const options = { privateAttributes: ['level'] }
    const member = kernel.contentTypes.add(
      { collectionName: 'club_members', info: info('member'), options, attributes },
      { uid: memberUid, routes: 'own', actions: { find: 'plugin::club.members.list' } },
    )
    member.attribute('joined', { type: 'datetime', readonly: true, configurable: false } as never)
    member.index(['name', 'joined'])
    kernel.contentTypes.add(
      { info: info('group'), attributes: { title: { type: 'string' } } },
      { uid: 'plugin::club.group' },
    )
  },
})

const kept = { ...attributes, joined: { type: 'datetime', configurable: false } }

/** A kernel with the plugin and this extension as a file. */
async function open(t: Test, extension: unknown, configure: (kernel: Kernel) => void = () => {}): Promise<Kernel> {
  const dir = await folder(t, extension === undefined ? {} : { [file]: extension })
  return boot(t, { dir, plugins: { club: { plugin: club }, ...passwords }, configure })
}

t.test('the attributes of a file replace those of the type', async t => {
  const { level, ...others } = kept
  const badge = { type: 'string', maxLength: 5 }
  const books = { type: 'relation', relation: 'oneToMany', target: memberUid }
  const kernel = await open(t, {
    attributes: { badge, ...others, books },
    info: { displayName: 'Reader', singularName: 'member', pluralName: 'members' },
  })
  const member = kernel.contentTypes.require(memberUid)
  t.same(
    [...member.attributes.keys()],
    ['badge', 'name', 'secret', 'note', 'group', 'joined', 'books', 'createdAt', 'updatedAt'],
  )
  t.match(member, { displayName: 'Reader', table: 'club_members', hasOwnRoutes: true, internal: false })
  t.equal(member.indexes.length, 1, 'what the plugin declared on its draft is kept')
  t.ok(member.attributes.get('joined')!.readonly)
  t.equal(kernel.actions.of(memberUid, 'find'), 'plugin::club.members.list')
  const query = kernel.query(memberUid)
  const { id } = await query.create({ data: { name: 'ada', badge: 'x', secret: 'pw' } })
  t.match(await query.findOne(id), { name: 'ada', badge: 'x' })
  await t.rejects(query.create({ data: { name: 'ben', badge: 'too long' } }), {
    message: 'badge must be at most 5 characters',
  })
  await t.rejects(query.create({ data: { name: 'ada' } }), { message: 'This attribute must be unique' })
})

t.test('a file without attributes leaves them', async t => {
  const member = (await open(t, { options: { comment: 'ours' } })).contentTypes.require(memberUid)
  t.same([...member.attributes.keys()], [...Object.keys(kept), 'createdAt', 'updatedAt'])
  t.match(member.options, { comment: 'ours', privateAttributes: ['level'] })
})

t.test('what the plugin keeps private, required and unique stays so', async t => {
  const plain = (one: object) => ({ ...one, private: false, required: false, unique: false, configurable: true })
  const open_ = Object.fromEntries(Object.entries(kept).map(([name, one]) => [name, plain(one)]))
  const kernel = await open(t, {
    attributes: { ...open_, extra: { type: 'string' } },
    options: { privateAttributes: ['extra'] },
  })
  const { attributes } = kernel.contentTypes.require(memberUid)
  t.same(
    [...attributes.values()].filter(one => one.private).map(one => one.name),
    ['secret', 'note', 'level', 'extra'],
  )
  t.match(attributes.get('name'), { required: true, unique: true, definition: { configurable: false } })
  const rest = kernel.context({ key: 'x', user: null, can: () => true })
  await kernel.query(memberUid).create({ data: { name: 'ada', secret: 'pw', note: 'n', level: 2, extra: 'e' } })
  const [shown] = await kernel.query(memberUid, rest).findMany()
  t.same(Object.keys(shown!), ['id', 'name', 'joined', 'createdAt', 'updatedAt'])
  for (const name of ['note', 'secret', 'level'])
    await t.rejects(kernel.query(memberUid, rest).findMany({ filters: { [name]: 'x' } }), {
      message: `Invalid parameter ${name}`,
    })
})

t.test('code extends types too, in any order, and file and code both hold', async t => {
  const extend = (uid: string, name: string) => (kernel: Kernel) =>
    kernel.contentTypes.extend(uid, { attributes: { ...kept, [name]: { type: 'string' } } })
  // `configure` runs before the plugin adds the type.
  const kernel = await open(t, undefined, extend(memberUid, 'badge'))
  t.ok(kernel.contentTypes.require(memberUid).attributes.has('badge'))
  const both = await open(t, { pluginOptions: { club: { shown: true } } }, extend(memberUid, 'badge'))
  t.ok(both.contentTypes.require(memberUid).attributes.has('badge'))
  t.match(both.contentTypes.require(memberUid).pluginOptions, { club: { shown: true } })
  t.throws(() => kernel.contentTypes.extend(memberUid, {}), { code: 'PLINTH_FROZEN' })
})

t.test('hooks of the model see the extended type', async t => {
  const seen: string[][] = []
  await open(t, { attributes: { ...kept, badge: { type: 'string' } } }, ({ hooks }) =>
    hooks.on(
      'preModel',
      { for: ({ uid }) => uid === memberUid },
      ({ attributes }) => void seen.push([...attributes.keys()]),
    ),
  )
  t.ok(seen[0]!.includes('badge'))
})

t.test('an extension that takes what the plugin needs stops the start', async t => {
  const { name, group, ...others } = kept
  const needs = 'but plugin club needs it; `attributes` replaces all attributes of the type'
  const faults: [unknown, string][] = [
    [{ attributes: { ...others, group } }, `attributes.name: is missing, ${needs}`],
    [{ attributes: { ...others, group, nane: name } }, `attributes.name: is missing, ${needs}, did you mean "nane"?`],
    [
      { attributes: { ...kept, name: { type: 'text' } } },
      'attributes.name.type: must stay "string", because plugin club needs the attribute',
    ],
    [
      { attributes: { ...kept, secret: { type: 'string' } } },
      'attributes.secret.type: must stay "password", because plugin club needs the attribute',
    ],
    [
      { attributes: { ...kept, group: { ...group, relation: 'manyToMany' } } },
      'attributes.group.relation: must stay "manyToOne", because plugin club needs the attribute',
    ],
    [{ attributes: others }, `\n  - attributes.name: is missing, ${needs}\n  - attributes.group: is missing, ${needs}`],
    [{ kind: 'singleType' }, 'kind: must stay "collectionType"'],
    [{ info: { singularName: 'person' } }, 'info.singularName: must stay "member"'],
    [
      { attributes: { ...kept, badge: { type: 'strin' } } },
      'attributes.badge.type: unknown attribute type "strin", did you mean "string"?',
    ],
    [{ atributes: {} }, 'atributes: unknown key, did you mean "attributes"?'],
    [{ attributes: [] }, 'attributes: must be an object'],
    [[], 'must be an object'],
  ]
  for (const [extension, fault] of faults)
    t.match(await thrown(t, () => open(t, extension)), { name: 'InvalidSchemaError', message: `${file}: ${fault}` })
})

t.test('an extension of a type that is not there stops the start', async t => {
  const at = async (path: string) => {
    const dir = await folder(t, { [path]: { attributes: kept } })
    return thrown(t, () => boot(t, { dir, plugins: { club: { plugin: club }, ...passwords } }))
  }
  const misspelt = 'src/extensions/club/content-types/membr/schema.json'
  t.match(await at(misspelt), {
    name: 'InvalidSchemaError',
    message: `${misspelt}: there is no content type "plugin::club.membr" to extend, did you mean "plugin::club.member"?`,
  })
  const elsewhere = 'src/extensions/garden/content-types/flower/schema.json'
  t.match(await at(elsewhere), {
    message: `${elsewhere}: there is no content type "plugin::garden.flower" to extend; is its plugin enabled in config/plugins?`,
  })
  const byCode = (kernel: Kernel) => kernel.contentTypes.extend('plugin::club.membr', {})
  t.match(await thrown(t, () => open(t, undefined, byCode)), {
    message:
      'the application: contentTypes.extend "plugin::club.membr": there is no content type "plugin::club.membr" to extend, did you mean "plugin::club.member"?',
  })
})

t.test('types with their own routes are populated like others', async t => {
  const visitor = type('visitor', { member: { type: 'relation', relation: 'oneToOne', target: memberUid } })
  const kernel = await boot(t, { contentTypes: [visitor], plugins: { club: { plugin: club }, ...passwords } })
  const { id } = await kernel.query(memberUid).create({ data: { name: 'ada' } })
  await kernel.query('api::visitor.visitor').create({ data: { member: id } })
  t.match(await kernel.query('api::visitor.visitor').findMany({ populate: 'member' }), [{ member: { name: 'ada' } }])
})
