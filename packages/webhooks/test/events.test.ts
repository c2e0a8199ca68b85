// Which events a write causes, for whom, and what is sent.

import draftPublish from '@plinth/draft-publish'
import { type Access, definePlugin, isNotNull, type PluginsConfig } from '@plinth/kernel'
import t from 'tap'
import { isSigned } from '../src/signature.ts'
import { drained, start, type, uid } from './fixtures/boot.ts'
import { receive, wordsOf } from './fixtures/receiver.ts'

const secret = 'a secret of sixteen'

t.test('what v4 sends, signed', async t => {
  const { url, came } = await receive(t)
  const headers = { Authorization: 'Bearer mine', 'X-Strapi-Event': 'forged' }
  const { notes } = await start(t, { hooks: { site: { url, secret, headers } } })
  await notes.create({ data: { title: 'one', n: 1, secret: 'hidden' } })
  const [sent] = await came(1)
  t.match(sent!.headers, {
    'content-type': 'application/json',
    'x-strapi-event': 'entry.create',
    authorization: 'Bearer mine',
    'webhook-id': /^[0-9a-f-]{36}$/,
  })
  const { createdAt, entry, ...body } = sent!.body
  t.same(body, { event: 'entry.create', model: 'note', uid })
  t.same(Object.keys(sent!.body), ['event', 'createdAt', 'model', 'uid', 'entry'])
  t.match(createdAt, /^\d{4}-\d\d-\d\dT.*Z$/)
  t.match(entry, { id: 1, title: 'one', n: 1, createdAt: String })
  t.notOk('secret' in entry, 'what is private is not sent')
  t.equal(isSigned({ headers: sent!.headers, body: sent!.text, secret }), true)
})

t.test('create, update, delete; one event each', async t => {
  const { url, all, take } = await receive(t)
  const { kernel, notes } = await start(t, { hooks: { site: { url }, deletions: { url, events: ['entry.delete'] } } })
  await notes.create({ data: { title: 'one' } })
  await notes.update(1, { data: { title: 'two' } })
  await drained(kernel)
  t.same(take().map(wordsOf), ['entry.create 1', 'entry.update 1'])
  await notes.delete(1)
  await drained(kernel)
  t.same(all.map(wordsOf), ['entry.delete 1', 'entry.delete 1'])
  t.match(all[0]!.body.entry, { id: 1, title: 'two' }, 'as it was')
  await t.rejects(notes.create({ data: { n: 'no number' } }))
  t.equal(await notes.delete(1), null)
  await drained(kernel)
  t.equal(all.length, 2, 'what fails is no event')
})

t.test('a transaction that is rolled back tells nobody', async t => {
  const { url, all } = await receive(t)
  const { kernel, notes } = await start(t, { hooks: { site: { url } } })
  const failing = kernel.transaction(async () => {
    await notes.create({ data: { title: 'lost' } })
    throw new Error('no')
  })
  await t.rejects(failing, { message: 'no' })
  await kernel.transaction(async () => {
    await notes.create({ data: { title: 'kept' } })
    await notes.create({ data: { title: 'kept, too' } })
  })
  await drained(kernel)
  t.same(all.map(one => one.body.entry.title).sort(), ['kept', 'kept, too'])
})

t.test('types: those of the application, or those that are named', async t => {
  const { url, all } = await receive(t)
  const tag = type('tag', { label: { type: 'string' } })
  const hooks = { site: { url, types: ['api::tag.tag'] }, off: { url, enabled: false } }
  const { kernel, notes } = await start(t, { hooks, contentTypes: [tag, type('note', { title: { type: 'string' } })] })
  await notes.create({ data: { title: 'one' } })
  await kernel.query('api::tag.tag').create({ data: { label: 'a' } })
  await drained(kernel)
  t.match(all, [{ body: { uid: 'api::tag.tag' } }])
  t.equal(all.length, 1)
  await t.rejects(start(t, { hooks: { site: { url, types: ['api::nte.note'] } } }), {
    message:
      /webhooks\.config\.hooks\.site\.types: there is no content type "api::nte\.note", did you mean "api::note\.note"/,
  })
})

t.test('drafts', async t => {
  const [site, preview] = [await receive(t), await receive(t)]
  const plugins: PluginsConfig = { 'draft-publish': { plugin: draftPublish } }
  const note = type('note', { title: { type: 'string' } }, { options: { draftAndPublish: true } })
  const hooks = { site: { url: site.url }, preview: { url: preview.url, drafts: true } }
  const { kernel, notes } = await start(t, { hooks, plugins, contentTypes: [note] })
  const after = async (work: () => Promise<unknown>) => {
    await work()
    await drained(kernel)
    return [site.take(), preview.take()].map(sent => sent.map(wordsOf))
  }
  const now = new Date().toISOString()
  t.same(await after(() => notes.create({ data: { title: 'a', publishedAt: null } })), [[], ['entry.create 1']])
  t.same(await after(() => notes.update(1, { data: { title: 'b' } })), [[], ['entry.update 1']])
  const publish = ['entry.publish 1']
  t.same(await after(() => notes.update(1, { data: { publishedAt: now } })), [publish, publish])
  t.same(await after(() => notes.update(1, { data: { title: 'c' } })), [['entry.update 1'], ['entry.update 1']])
  await notes.update(1, { data: { title: 'secret draft', publishedAt: null } })
  await drained(kernel)
  t.match(site.take(), [{ event: 'entry.unpublish', body: { entry: { id: 1, title: 'c' } } }], 'as it was published')
  t.match(preview.take(), [{ event: 'entry.unpublish', body: { entry: { title: 'secret draft', publishedAt: null } } }])
  t.same(await after(() => notes.delete(1)), [[], ['entry.delete 1']])
  t.same(await after(() => notes.create({ data: { title: 'd' } })), [['entry.create 2'], ['entry.create 2']])
  t.same(await after(() => notes.delete(2)), [['entry.delete 2'], ['entry.delete 2']])
})

/** Roles by their names, as users-permissions offers them; nobody without credentials may do anything but `strangers`. */
const roles = (accesses: Readonly<Record<string, Partial<Access>>>, strangers: readonly string[] = []) =>
  definePlugin({
    name: 'users-permissions',
    register({ kernel }) {
      const stranger: Access = { key: 'public', user: null, can: scope => strangers.includes(scope) }
      kernel.auth.use({ name: 'public', authenticate: () => stranger })
      const access = async (name: string): Promise<Access | null> =>
        name in accesses ? { key: `role:${name}`, user: null, can: () => true, ...accesses[name] } : null
      kernel.services.provide('users-permissions', 'access', access as never)
      kernel.hooks.on('prePlan', { for: type => type.uid === uid }, (draft, { key }) => {
        if (key === 'role:titled') draft.where(isNotNull('title'))
        if (key === 'role:short') draft.hide('n')
      })
    },
  })

t.test('a webhook receives what its caller may see', async t => {
  const received = await Promise.all(['titled', 'short', 'public', 'nobody'].map(() => receive(t)))
  const [titled, short, stranger, nobody] = received as [
    (typeof received)[0],
    (typeof received)[0],
    (typeof received)[0],
    (typeof received)[0],
  ]
  const hooks = {
    titled: { url: titled.url, as: { role: 'titled' } },
    short: { url: short.url, as: { role: 'short' } },
    stranger: { url: stranger.url },
    nobody: { url: nobody.url, as: { role: 'noboody' } },
  }
  const plugins = { 'users-permissions': { plugin: roles({ titled: {}, short: {} }) } }
  const { kernel, notes, log } = await start(t, { hooks, plugins })
  const right = 'api::note.note.findOne'
  t.match(
    log.filter(line => /receives no|does not receive/.test(line)),
    [
      `"stranger" does not receive all events: callers without credentials lack ${right}`,
      '"nobody" receives no events: role noboody does not exist',
    ].map(line => `webhooks: ${line}`),
  )
  await notes.create({ data: { title: null, n: 1 } })
  await notes.update(1, { data: { title: 'a' } })
  await notes.update(1, { data: { n: 2 } })
  await notes.update(1, { data: { title: null, n: 3 } })
  await notes.delete(1)
  await drained(kernel)
  t.same(titled.all.map(wordsOf), ['entry.publish 1', 'entry.update 1', 'entry.unpublish 1'])
  t.match(titled.all[2]!.body.entry, { title: 'a', n: 2 }, 'nothing that the caller does not see')
  t.equal(short.all.length, 5)
  for (const { body } of short.all) t.notOk('n' in body.entry)
  t.same(stranger.all, [])
  t.same(nobody.all, [])
})

t.test('callers without credentials see what is open to them', async t => {
  const { url, all } = await receive(t)
  const plugins = { 'users-permissions': { plugin: roles({}, ['api::note.note.findOne']) } }
  const { kernel, notes, log } = await start(t, { hooks: { site: { url } }, plugins })
  t.same(log, [])
  await notes.create({ data: { title: 'a' } })
  await drained(kernel)
  t.equal(all.length, 1)
})

const components = {
  'a.inner': { collectionName: 'components_a_inners', attributes: { text: { type: 'string' } } },
  'a.part': {
    collectionName: 'components_a_parts',
    attributes: { label: { type: 'string' }, inner: { type: 'component', component: 'a.inner', repeatable: true } },
  },
}

t.test('what is populated', async t => {
  const [whole, some] = [await receive(t), await receive(t)]
  const tag = type('tag', { label: { type: 'string' } })
  const note = type('note', {
    title: { type: 'string' },
    part: { type: 'component', component: 'a.part' },
    zone: { type: 'dynamiczone', components: ['a.part', 'a.inner'] },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    first: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
  })
  const hooks = { whole: { url: whole.url }, some: { url: some.url, populate: ['first'] } }
  const { kernel, notes } = await start(t, { hooks, contentTypes: [note, tag], components })
  const label = (name: string) => kernel.query('api::tag.tag').create({ data: { label: name } })
  await label('a')
  await label('b')
  await drained(kernel)
  whole.take()
  some.take()
  const inner = [{ text: 'x' }]
  const zone = [
    { __component: 'a.part', label: 'z', inner },
    { __component: 'a.inner', text: 'y' },
  ]
  await notes.create({ data: { title: 't', part: { label: 'p', inner }, zone, tags: [1, 2], first: 1 } })
  await drained(kernel)
  t.match(whole.all[0]!.body.entry, {
    part: { label: 'p', inner },
    zone: [
      { __component: 'a.part', label: 'z', inner },
      { __component: 'a.inner', text: 'y' },
    ],
    tags: [{ label: 'a' }, { label: 'b' }],
    first: { label: 'a' },
  })
  t.match(some.all[0]!.body.entry, { title: 't', first: { label: 'a' } })
  t.notOk('part' in some.all[0]!.body.entry)
  for (const populate of [['frist'], 'frist', { frist: true }])
    await t.rejects(start(t, { hooks: { site: { url: some.url, populate } } }), {
      message: /hooks\.site\.populate: none of the types has an attribute "frist"/,
    })
  await t.rejects(start(t, { hooks: { site: { url: some.url, populate: { title: { fields: 3 } } } } }), {
    message: /fields/,
  })
})

t.test('an entry that is very long is sent by its id', async t => {
  const { url, all } = await receive(t)
  const { kernel, notes } = await start(t, {
    hooks: { site: { url } },
    contentTypes: [type('note', { title: { type: 'text' } })],
  })
  await notes.create({ data: { title: 'x'.repeat(1024 * 1024) } })
  await drained(kernel)
  t.same(all[0]!.body.entry, { id: 1 })
})

t.test('a deletion and an update of one entry at the same time', async t => {
  const { url, all } = await receive(t)
  const gate = Promise.withResolvers<void>()
  let isHeld = false
  const holding = Promise.withResolvers<void>()
  // Between what the webhooks read and the lock of the row.
  const holder = definePlugin({
    name: 'holder',
    after: ['webhooks'],
    register: ({ kernel }) =>
      kernel.hooks.on('preWrite', { actions: ['delete'], order: 'post' }, async () => {
        if (isHeld) return
        isHeld = true
        holding.resolve()
        await gate.promise
      }),
  })
  const { kernel, notes } = await start(t, { hooks: { site: { url } }, plugins: { holder: { plugin: holder } } })
  await notes.create({ data: { title: 'a' } })
  const deleting = notes.delete(1)
  await holding.promise
  await notes.update(1, { data: { title: 'b' } })
  gate.resolve()
  await deleting
  await drained(kernel)
  t.same(
    all.map(one => [one.event, one.body.entry.title]),
    [
      ['entry.create', 'a'],
      ['entry.update', 'b'],
      ['entry.delete', 'b'],
    ],
  )
})

t.test('a type without webhooks has the writes of a kernel without the plugin', async t => {
  const { url } = await receive(t)
  const tag = type('tag', { label: { type: 'string' } })
  const texts = async (hooks: Readonly<Record<string, object>> | null) => {
    const statements: string[] = []
    const { kernel, close } = await start(t, {
      ...(hooks === null ? { plugins: { webhooks: false } } : { hooks }),
      contentTypes: [tag, type('note', { title: { type: 'string' } })],
    })
    const tags = kernel.query('api::tag.tag')
    const work = async () => {
      await tags.create({ data: { label: 'a' } })
      await tags.update(1, { data: { label: 'b' } })
      await tags.delete(1)
    }
    await kernel.observe({ onStatement: text => void statements.push(text), onBegin() {}, onEnd() {} }, work)
    await close()
    return statements
  }
  const without = await texts(null)
  t.ok(without.length > 0)
  t.same(await texts({}), without)
  t.same(await texts({ site: { url, types: [uid] } }), without)
})
