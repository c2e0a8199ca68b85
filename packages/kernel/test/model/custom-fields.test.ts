// Custom fields have the base type that somebody registers, else that of their column, else text (B-10.19).

import { fresh, onEach } from '@plinth/test-tools/on-each'
import t, { type Test } from 'tap'
import { type CustomField, createKernel, definePlugin, freezeModel, type Kernel } from '../../src/index.ts'
import { planMigrations, readColumns } from '../../src/migrate/index.ts'
import { readOnly, resolveDatabase } from '../../src/tables.ts'
import { boot, component, notes, raw, thrown, type, uid } from '../fixtures/boot.ts'
import { passwords } from '../fixtures/passwords.ts'

type Fields = Readonly<Record<string, CustomField>>

const field = (customField: string, more: object = {}) => ({ type: 'customField', customField, ...more })

const register = (fields: Fields) => (kernel: Kernel) => {
  for (const [name, one] of Object.entries(fields)) kernel.customFields.add(name, one)
}

const settledIn = (kernel: Kernel) =>
  Object.fromEntries(kernel.customFields.settled.map(one => [`${one.uid}.${one.attribute}`, one]))

const registered: Fields = {
  'plugin::paint.colour': { type: 'string' },
  'plugin::choice.many': { type: 'json' },
  'plugin::stars.stars': { type: 'integer' },
  'plugin::switch.on': { type: 'boolean' },
  'plugin::when.at': { type: 'datetime' },
  'plugin::link.slug': { type: 'uid' },
  'plugin::safe.key': { type: 'password' },
  'plugin::pick.one': { type: 'enumeration' },
  'global::count': { type: 'biginteger' },
}

const contentTypes = [
  type('page', {
    title: field('plugin::paint.colour', { required: true, minLength: 2, regex: '^[a-z#]' }),
    colour: field('plugin::paint.colour', { unique: true, default: '#fff' }),
    many: field('plugin::choice.many', { default: [] }),
    stars: field('plugin::stars.stars', { min: 1, max: 5 }),
    isOn: field('plugin::switch.on', { default: true }),
    at: field('plugin::when.at'),
    slug: field('plugin::link.slug', { targetField: 'title' }),
    key: field('plugin::safe.key'),
    size: field('plugin::pick.one', { enum: ['small', 'large'] }),
    count: field('global::count'),
    note: field('plugin::paint.colour', { private: true }),
    card: { type: 'component', component: 'shared.card' },
    cards: { type: 'component', component: 'shared.card', repeatable: true },
    zone: { type: 'dynamiczone', components: ['shared.card'] },
  }),
]
const components = {
  'shared.card': component('shared.card', { tint: field('plugin::paint.colour'), tags: field('plugin::choice.many') }),
}

await onEach('a registered custom field is an attribute of its base type', async (t, client) => {
  const { config: database } = await fresh(t)
  const configure = register(registered)
  const kernel = await createKernel({ database, contentTypes, components, configure, plugins: passwords })
  t.teardown(() => kernel.close())
  const pages = kernel.query(uid('page'))
  const tint = { tint: '#123', tags: ['x', { y: 1 }] }
  const sent = { title: 'abc', many: ['a', 'b'], stars: 3, at: '2024-02-29T10:00:00.000Z', slug: 'abc', key: 'pw' }
  const { id } = await pages.create({
    data: {
      ...sent,
      size: 'small',
      count: '9007199254740993',
      note: 'n',
      card: tint,
      cards: [tint],
      zone: [{ __component: 'shared.card', ...tint }],
    },
  })
  const page = await pages.findOne(id, { populate: '*' })
  t.match(page, {
    ...sent,
    key: /^\$2/,
    colour: '#fff',
    isOn: true,
    count: '9007199254740993',
    card: tint,
    cards: [tint],
    zone: [tint],
  })
  await pages.create({ data: { title: 'xyz', colour: '#000', stars: 5, slug: 'xyz' } })
  const filtered = async (filters: object) =>
    (await pages.findMany({ filters, sort: 'stars:desc' })).map(one => one.title)
  t.same(await filtered({}), ['xyz', 'abc'])
  t.same(await filtered({ title: { $startsWith: 'ab' } }), ['abc'])
  t.same(await filtered({ stars: { $gt: 3 } }), ['xyz'])
  t.same(await filtered({ count: '9007199254740993' }), ['abc'])
  t.same(await filtered({ isOn: true, at: { $lt: '2024-03-01' } }), ['abc'])
  t.same(await filtered({ cards: { tint: '#123' } }), ['abc'])
  const refused = async (data: object, path: string) =>
    t.match(await thrown(t, () => pages.create({ data: { title: 'ok', colour: '#1', slug: 'ok', ...data } })), {
      name: 'ValidationError',
      message: new RegExp(path),
    })
  await refused({ title: undefined }, 'title must be defined')
  await refused({ title: 'a' }, 'title must be at least 2 characters')
  await refused({ title: '1a' }, 'title')
  await refused({ colour: '#000' }, 'unique')
  await refused({ slug: 'xyz' }, 'unique')
  await refused({ stars: 6 }, 'stars must be less than or equal to 5')
  await refused({ stars: 'many' }, 'stars must be a `number` type')
  await refused({ size: 'huge' }, 'size')
  const caller = kernel.context({ key: 'x', user: null, can: () => true })
  const seen = (await kernel.query(uid('page'), caller).findOne(id))!
  t.notOk('note' in seen || 'key' in seen, 'private and secret values are not answered')
  await thrown(t, () => kernel.query(uid('page'), caller).findMany({ filters: { note: 'n' } }))
  const { steps } = await planMigrations(kernel)
  t.same(steps, [], 'a new database has the columns of the base types')
  const [column] = await raw(kernel, 'SELECT "stars", "count", "is_on" FROM pages WHERE id = 1')
  t.equal(Number(column?.stars), 3, client)
  t.same(kernel.contentTypes.require(uid('page')).attributes.get('many')?.type, 'json')
  t.match(settledIn(kernel), {
    'api::page.page.many': {
      customField: 'plugin::choice.many',
      type: 'json',
      isGuessed: false,
      source: 'the application',
    },
  })
})

const columns = {
  colour: ['string', '#0af'],
  body: ['text', 'long'],
  many: ['json', ['a', { b: 1 }]],
  stars: ['integer', 4],
  count: ['biginteger', '9007199254740993'],
  price: ['float', 1.5],
  isOn: ['boolean', true],
  day: ['date', '2024-02-29'],
  at: ['datetime', '2024-02-29T10:00:00.000Z'],
} as const

/** A database whose tables were made for plain attributes, as those of v4 are for custom fields. */
async function filled(t: Test) {
  const { config: database } = await fresh(t)
  const plain = Object.fromEntries(Object.entries(columns).map(([name, [word]]) => [name, { type: word }]))
  const kernel = await createKernel({
    database,
    contentTypes: [type('page', { ...plain, card: { type: 'component', component: 'shared.card' } })],
    components: { 'shared.card': component('shared.card', { tags: { type: 'json' } }) },
  })
  const data = Object.fromEntries(Object.entries(columns).map(([name, [, value]]) => [name, value]))
  await kernel.query(uid('page')).create({ data: { ...data, card: { tags: [1] } } })
  await kernel.close()
  return { database, data }
}

const unknown = Object.fromEntries(Object.keys(columns).map(name => [name, field(`plugin::own.${name}`)]))

await onEach('a custom field that nobody has registered is read and written as its column is', async t => {
  const { database, data } = await filled(t)
  const logger = notes()
  const kernel = await createKernel({
    database,
    logger,
    migrate: 'check',
    contentTypes: [type('page', { ...unknown, card: { type: 'component', component: 'shared.card' } })],
    components: { 'shared.card': component('shared.card', { tags: field('plugin::own.tags') }) },
  })
  t.teardown(() => kernel.close())
  const pages = kernel.query(uid('page'))
  t.match(await pages.findMany({ populate: '*' }), [{ ...data, card: { tags: [1] } }])
  const { id } = await pages.create({ data })
  t.match(await pages.findOne(id), data)
  t.equal(await pages.count({ filters: { count: '9007199254740993', colour: '#0af', isOn: true } }), 2)
  t.same((await planMigrations(kernel)).steps, [])
  t.equal(logger.warnings.length, 1)
  t.match(logger.warnings[0], /^10 custom field\(s\) .*kernel\.customFields\.add.* and 5 more$/)
  t.match(logger.warnings[0], /api::page\.page\.colour \(plugin::own\.colour\) is \w+, from the column, which is \w+/)
})

await onEach('what is generally known about a field yields to a registration and to the column', async t => {
  const { database, data } = await filled(t)
  const fallbacks: Fields = {
    'plugin::own.many': { type: 'json', isFallback: true, source: 'the table' },
    'plugin::own.colour': { type: 'json', isFallback: true, source: 'the table' },
    'plugin::own.body': { type: 'string', isFallback: true },
    'plugin::own.later': { type: 'integer', isFallback: true },
  }
  const logger = notes()
  const kernel = await createKernel({
    database,
    logger,
    contentTypes: [type('page', { ...unknown, extra: field('plugin::own.many'), later: field('plugin::own.later') })],
    configure(kernel) {
      register(fallbacks)(kernel)
      kernel.customFields.add('plugin::own.later', { type: 'date', isFallback: true })
      kernel.customFields.add('plugin::own.body', { type: 'richtext' })
    },
  })
  t.teardown(() => kernel.close())
  const found = settledIn(kernel)
  t.match(found['api::page.page.many'], { type: 'json', isGuessed: false, source: 'the table' })
  t.match(found['api::page.page.extra'], { type: 'json', isGuessed: false }, 'a new column')
  t.match(found['api::page.page.later'], { type: 'integer' }, 'the first one holds')
  t.match(found['api::page.page.body'], { type: 'richtext', isGuessed: false })
  t.match(found['api::page.page.colour'], { isGuessed: true, source: /; the table has "json", which it cannot hold$/ })
  t.match(await kernel.query(uid('page')).findMany(), [data])
  t.match(logger.warnings[0], /colour/)
})

await onEach('a registration that contradicts the column is a pending change of its type', async t => {
  const { database } = await filled(t)
  const contentTypes = [type('page', { ...unknown, body: field('plugin::own.body') })]
  const configure = register({ 'plugin::own.body': { type: 'integer' } })
  const error = await thrown(t, () => createKernel({ database, contentTypes, configure, migrate: 'check' }))
  t.match(error.message, /retype:pages\.body/)
})

await onEach('a renamed field takes the type of its former column', async t => {
  const { database } = await filled(t)
  const kernel = await createKernel({
    database,
    migrate: 'none',
    contentTypes: [
      type('leaf', { list: field('plugin::own.many', { renamedFrom: 'many' }) }, { renamedFrom: 'pages' }),
    ],
  })
  t.teardown(() => kernel.close())
  t.match(settledIn(kernel)['api::leaf.leaf.list'], { type: 'json', isGuessed: true })
})

t.test('a field without a column and without a registration is text', async t => {
  const logger = notes()
  const kernel = await boot(t, { logger, contentTypes: [type('page', { body: field('plugin::own.body') })] })
  t.match(settledIn(kernel)['api::page.page.body'], { type: 'text', isGuessed: true })
  t.match(logger.warnings, [
    /^1 custom field\(s\) .* api::page\.page\.body \(plugin::own\.body\) is text, nothing says/,
  ])
})

t.test('a plugin gives a field an attribute type of its own, with its validation', async t => {
  const paint = definePlugin({
    name: 'paint',
    register({ kernel }) {
      const check = (value: unknown) => (/^#/.test(String(value)) ? null : 'must be a colour')
      kernel.attributeTypes.add('colour', { storage: 'string', family: 'text', check })
      kernel.customFields.add('plugin::paint.colour', { type: 'colour' })
      // Of a type that the application has not.
      kernel.customFields.add('plugin::paint.other', { type: 'json' })
      kernel.hooks.on('preModel', draft => draft.attribute('added', field('plugin::paint.other')))
    },
  })
  const kernel = await boot(t, {
    plugins: { paint: { plugin: paint } },
    contentTypes: [type('page', { tint: field('plugin::paint.colour') })],
  })
  const pages = kernel.query(uid('page'))
  t.match(await thrown(t, () => pages.create({ data: { tint: 'red' } })), { message: 'tint must be a colour' })
  t.match(await pages.create({ data: { tint: '#f00', added: [1] } }), { tint: '#f00', added: [1] })
  t.match(settledIn(kernel)['api::page.page.tint'], { source: 'plugin paint' })
})

t.test('mistakes are refused', async t => {
  const refused = async (message: string | RegExp, ...fields: (readonly [string, unknown])[]) =>
    t.match(
      await thrown(t, () =>
        boot(t, {
          configure(kernel) {
            for (const [name, one] of fields) kernel.customFields.add(name, one as CustomField)
          },
        }),
      ),
      { name: 'RegistrationError', message },
    )
  await refused('the application: custom field x.y: type is missing', ['x.y', {}])
  await refused(/custom field x\.y: type must be one of .* found "strng", did you mean "string"\?/, [
    'x.y',
    { type: 'strng' },
  ])
  await refused(/type must be one of/, ['x.y', { type: 'relation' }])
  await refused(/typ is not known, did you mean "type"\?/, ['x.y', { typ: 'json' }])
  await refused(/isFallback must be true or false/, ['x.y', { type: 'json', isFallback: 1 }])
  await refused(/the name must be a text/, ['', { type: 'json' }])
  await refused(
    'the application: custom field x.y: is already registered with the type "json" by the application',
    ['x.y', { type: 'json' }],
    ['x.y', { type: 'json' }],
    ['x.y', { type: 'text' }],
  )
  const schema = async (message: RegExp, attribute: object, fields: Fields = {}) =>
    t.match(
      await thrown(t, () =>
        boot(t, { configure: register(fields), contentTypes: [type('page', { a: attribute as { type: string } })] }),
      ),
      { name: 'InvalidSchemaError', message },
    )
  await schema(/attributes\.a\.customField: is missing/, { type: 'customField' })
  const logger = notes()
  await boot(t, {
    configure: register({ 'x.y': { type: 'integer' } }),
    contentTypes: [type('page', { a: field('x.y', { default: 'many' }) as { type: string } })],
    logger,
  })
  t.match(logger.warnings, [/attributes\.a\.default: must be an integer, found "many"/])
  await schema(/attributes\.a\.enum: /, field('x.y'), { 'x.y': { type: 'enumeration' } })
})

await onEach('a look at a model takes the columns of a database', async t => {
  const { database } = await filled(t)
  const findColumn = await readOnly(await resolveDatabase(database, '.'), readColumns)
  const { customFields } = await freezeModel({ contentTypes: [type('page', unknown)], findColumn })
  t.match(
    customFields.settled.find(one => one.attribute === 'many'),
    { type: 'json' },
  )
})

t.test('attributes that are always empty say why', async t => {
  const relation = (target: string) => ({ type: 'relation', relation: 'manyToOne', target })
  const logger = notes()
  await boot(t, {
    logger,
    contentTypes: [
      type('page', {
        owner: relation('admin::user'),
        editors: { ...relation('admin::user'), relation: 'manyToMany' },
        role: relation('admin::role'),
        member: relation('plugin::members.member'),
        cover: { type: 'media' },
      }),
    ],
  })
  t.same(logger.warnings.sort(), [
    '1 attribute(s) are always empty, because Plinth has no administration panel, to which the target belongs: api::page.page.role (relation)',
    '1 attribute(s) are always empty, because no enabled plugin provides the type "media": api::page.page.cover (media)',
    '1 attribute(s) are always empty, because the plugin "members", to which the target belongs, is not enabled: api::page.page.member (relation)',
    '2 attribute(s) are always empty, because Plinth has no administrators: api::page.page.owner (relation), api::page.page.editors (relation)',
  ])
})
