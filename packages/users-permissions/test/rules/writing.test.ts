// Rules on writes: which entries may be changed, what they may become, which attributes may be sent, what may be linked.

import { definePlugin, type LifecycleEvent, withRights } from '@plinth/kernel'
import t from 'tap'
import { action, all, start } from '../fixtures/newsroom.ts'

const ann = { id: 1, username: 'ann' }
const forbidden = { status: 403, message: 'Forbidden' }
const mine = { owner: { id: '$user.id' } }

async function fill({ of }: Awaited<ReturnType<typeof start>>) {
  for (const username of ['ann', 'bob']) await of('plugin::users-permissions.user').create({ data: { username } })
  await of('writer').create({ data: { name: 'Ann', account: 1 } })
  await of('writer').create({ data: { name: 'Bob', account: 2 } })
  await of('article').create({ data: { title: 'mine', state: 'draft', owner: 1, secret: 's' } })
  await of('article').create({ data: { title: 'theirs', state: 'draft', owner: 2, secret: 's' } })
}

const permissions = { member: [all('article'), all('writer'), 'plugin::users-permissions.user.find'] }

t.test('an update needs an entry within the rule before and after it', async t => {
  const rules = { member: [{ action: action('article', 'update'), where: mine }] }
  const room = await start(t, { permissions, rules })
  await fill(room)
  const articles = room.of('article', room.as('member', ann))
  t.match(await articles.update(1, { data: { title: 'changed' } }), { title: 'changed' })
  t.equal(await articles.update(2, { data: { title: 'changed' } }), null, '404')
  t.match(await room.of('article').findOne(2), { title: 'theirs' })
  await t.rejects(articles.update(1, { data: { owner: 2, title: 'given away' } }), forbidden)
  const after = await room.of('article').findOne(1, { populate: 'owner' })
  t.match(after, { title: 'changed', owner: { id: 1 } }, 'and rolled back')
  const stranger = room.of('article', room.as('member'))
  t.equal(await stranger.update(1, { data: { title: 'x' } }), null, 'without a user nothing is mine')
})

t.test('check says what must hold after a write', async t => {
  const rules = {
    member: [{ action: action('article', 'update'), where: mine, check: { state: { $in: ['draft', 'review'] } } }],
  }
  const room = await start(t, { permissions, rules })
  await fill(room)
  const articles = room.of('article', room.as('member', ann))
  t.match(await articles.update(1, { data: { state: 'review' } }), { state: 'review' })
  await t.rejects(articles.update(1, { data: { state: 'done' } }), forbidden)
  t.match(await room.of('article').findOne(1), { state: 'review' })
  t.match(await articles.update(1, { data: { owner: 2 } }), { title: 'mine' }, 'where is not asked again')
})

t.test('a creation must fulfil the rule', async t => {
  const rules = { member: [{ action: action('article', 'create'), where: mine }] }
  const room = await start(t, { permissions, rules })
  await fill(room)
  const articles = room.of('article', room.as('member', ann))
  const made = await articles.create({ data: { title: 'new', owner: 1 } })
  t.match(made, { title: 'new' })
  await t.rejects(articles.create({ data: { title: 'other', owner: 2 } }), forbidden)
  await t.rejects(articles.create({ data: { title: 'nobody' } }), forbidden)
  await t.rejects(room.of('article', room.as('member')).create({ data: { title: 'stranger', owner: 1 } }), forbidden)
  t.equal(await room.of('article').count({ filters: { title: { $in: ['other', 'nobody', 'stranger'] } } }), 0)
})

t.test('a deletion needs an entry within the rule', async t => {
  const rules = { member: [{ action: action('article', 'delete'), where: mine }] }
  const room = await start(t, { permissions, rules })
  await fill(room)
  const articles = room.of('article', room.as('member', ann))
  t.equal(await articles.delete(2), null)
  t.match(await articles.delete(1), { title: 'mine' })
  t.equal(await room.of('article').count(), 1)
})

t.test('attributes that may not be written may not be sent', async t => {
  const rules = {
    member: [
      { action: action('article', 'update'), fields: ['secret', 'owner'] },
      { action: action('article', 'create'), fields: ['state'] },
    ],
  }
  const stamp = definePlugin({
    name: 'stamp',
    register({ kernel }) {
      kernel.hooks.on('preWrite', { for: type => type.uid === 'api::article.article', order: 'pre' }, ({ data }) => {
        data.secret = 'stamped'
        data.state = 'review'
      })
    },
  })
  const room = await start(t, { permissions, rules }, { stamp: { plugin: stamp } })
  await fill(room)
  const articles = room.of('article', room.as('member', ann))
  for (const data of [{ secret: 'x' }, { secret: null }, { owner: 1 }, { title: 'x', owner: null }])
    await t.rejects(articles.update(1, { data }), forbidden)
  t.match(await room.of('article').findOne(1, { populate: 'owner' }), { title: 'mine', owner: { id: 1 } })
  await t.rejects(articles.create({ data: { title: 'new', state: 'draft' } }), forbidden)
  t.equal(await room.of('article').count(), 2)
  t.match(
    await articles.update(1, { data: { title: 'changed' } }),
    { secret: 'stamped' },
    'what a plugin adds is not sent',
  )
  t.match(await articles.create({ data: { title: 'new', secret: 'y' } }), { state: 'review' })
})

t.test('what a lifecycle sets is not sent', async t => {
  const closed = ['secret', 'owner', 'seo']
  const rules = {
    member: [
      { action: action('article', 'update'), fields: closed },
      { action: action('article', 'create'), fields: closed },
      { action: action('article', 'find'), fields: ['secret'] },
    ],
  }
  const stamp = definePlugin({
    name: 'stamp',
    register({ kernel }) {
      const set = ({ params, action }: LifecycleEvent) => {
        const data = params.data as Record<string, unknown>
        // Added to what was sent, and in the place of it.
        data.secret = `by ${action}`
        params.data = { ...data, owner: 2, seo: { metaTitle: action } }
      }
      kernel.lifecycles.subscribe(['api::article.article'], { beforeCreate: set, beforeUpdate: set })
    },
  })
  const room = await start(t, { permissions, rules }, { stamp: { plugin: stamp } })
  await fill(room)
  const articles = room.of('article', room.as('member', ann))
  const stored = (id: number) => room.of('article').findOne(id, { populate: { owner: true, seo: true } })
  const made = await articles.create({ data: { title: 'new' } })
  t.notMatch(made, { secret: String }, 'nor is it answered')
  const byCreate = { title: 'new', secret: 'by beforeCreate', owner: { id: 2 }, seo: { metaTitle: 'beforeCreate' } }
  t.match(await stored(made.id), byCreate)
  t.match(await articles.update(1, { data: { title: 'changed' } }), { title: 'changed' })
  const byUpdate = { title: 'changed', secret: 'by beforeUpdate', owner: { id: 2 }, seo: { metaTitle: 'beforeUpdate' } }
  t.match(await stored(1), byUpdate)
  for (const data of [{ secret: 'x' }, { owner: 2 }, { seo: { metaTitle: 'x' } }])
    await t.rejects(articles.update(2, { data }), forbidden, 'what the lifecycle would have replaced')
  t.match(await stored(2), { title: 'theirs', secret: 'by beforeCreate' }, 'nothing is written')
  t.equal(await room.of('article').count(), 3)
})

t.test('rights that a plugin adds are free of rules', async t => {
  const update = action('article', 'update')
  const rule = { action: update, where: mine, fields: ['secret'] }
  const room = await start(t, {
    permissions: { reader: [action('article', 'find')], writer: [all('article')] },
    rules: { reader: [rule], writer: [rule] },
  })
  await fill(room)
  const change = (role: string) =>
    room.of('article', withRights(room.as(role, ann), [update])).update(2, { data: { secret: 'x' } })
  t.equal(await change('writer'), null, 'a right that the caller has is not added')
  t.match(await change('reader'), { secret: 'x' })
})

t.test('links to what the caller may not see', async t => {
  const rules = { member: [{ action: action('writer', 'find'), where: { account: { id: '$user.id' } } }] }
  const room = await start(t, { permissions, rules })
  await fill(room)
  const articles = room.of('article', room.as('member', ann))
  t.match(await articles.create({ data: { title: 'a', writer: 1 }, populate: 'writer' }), { writer: { name: 'Ann' } })
  const message = '1 relation(s) of type api::writer.writer associated with this entity do not exist'
  await t.rejects(articles.create({ data: { title: 'b', writer: 2 } }), { status: 400, message })
  await t.rejects(articles.create({ data: { title: 'b', seo: { writer: 2 } } }), { status: 400, message })
  await t.rejects(articles.update(1, { data: { writer: { connect: [2] } } }), { status: 400, message })
  t.equal(await room.of('article').count({ filters: { title: 'b' } }), 0)
})

t.test('links that take an entry from another one need its update rules', async t => {
  const rules = {
    member: [{ action: action('article', 'update'), where: { owner: { id: '$user.id' } } }],
  }
  const room = await start(t, { permissions, rules })
  await fill(room)
  const writers = room.of('writer', room.as('member', ann))
  const articles = await room.of('article').findMany({ populate: ['owner', 'writer'], sort: 'id' })
  type Linked = { readonly id: number; readonly owner: { readonly id: number } | null }
  const [own, foreign] = [true, false].map(
    isOwn => (articles as unknown as Linked[]).find(one => (one.owner?.id === ann.id) === isOwn)!,
  )
  const message = '1 relation(s) of type api::article.article associated with this entity do not exist'
  for (const articles of [{ connect: [foreign!.id] }, [foreign!.id], { set: [own!.id, foreign!.id] }])
    await t.rejects(writers.update(1, { data: { articles } }), { status: 400, message })
  await t.rejects(writers.create({ data: { name: 'New', articles: [foreign!.id] } }), { status: 400, message })
  const before = (articles as unknown as { id: number; writer: unknown }[]).find(one => one.id === foreign!.id)!.writer
  const after = await room.of('article').findOne(foreign!.id, { populate: 'writer' })
  t.same(after!.writer, before, 'nothing is taken')
  t.match(await writers.update(1, { data: { articles: { connect: [own!.id] } } }), { id: 1 })
  t.match(await room.of('article').findOne(own!.id, { populate: 'writer' }), { writer: { id: 1 } })
})

t.test('an attribute that may not be written is not written by links from the other side', async t => {
  const rules = {
    member: [
      { action: action('article', 'update'), fields: ['writer'] },
      { action: action('writer', 'update'), fields: ['team'] },
      { action: action('setting', 'update'), fields: ['secret'] },
    ],
  }
  const room = await start(t, {
    permissions: { member: [all('article'), all('writer'), all('team'), all('setting')] },
    rules,
  })
  await fill(room)
  await room.of('team').create({ data: { name: 'red', writers: [1] } })
  const of = (name: string) => room.of(name, room.as('member', ann))
  const closed = (one: string, other: string, uid: string) => ({
    ...{ status: 403, message: `Forbidden access: "${one}" changes "${other}" of ${uid}` },
  })
  for (const articles of [[1], [], { connect: [1] }, { disconnect: [1] }]) {
    const refusal = closed('articles', 'writer', 'api::article.article')
    await t.rejects(of('writer').update(1, { data: { articles } }), refusal)
    await t.rejects(of('writer').create({ data: { articles } }), refusal)
  }
  await t.rejects(of('team').update(1, { data: { writers: [2] } }), closed('writers', 'team', 'api::writer.writer'))
  t.match(await room.of('team').findOne(1, { populate: 'writers' }), { writers: [{ id: 1 }] })
  t.match(await of('writer').create({ data: { name: 'New', team: 1 } }), { id: 3 }, 'a creation has rules of its own')
  const put = { uid: 'api::setting.setting', data: { secret: 'x' }, params: {}, context: room.as('member', ann) }
  const refusal = { status: 403, message: 'Forbidden access: "secret" must not be sent' }
  await t.rejects(room.kernel.writer.put(put), refusal, 'the first write of a single type is an update, too')
})

t.test('links to types that the caller may not find are left out', async t => {
  const room = await start(t, { permissions: { member: [all('article')] } })
  await fill(room)
  const articles = room.of('article', room.as('member', ann))
  const blocks = [{ __component: 'page.seo', metaTitle: 'b', writer: 1 }]
  const data = { title: 'a', writer: 1, owner: 1, seo: { metaTitle: 'm', writer: 1 }, blocks }
  const { id } = await articles.create({ data })
  const everything = { writer: true, owner: true, seo: { populate: 'writer' }, blocks: { populate: '*' } }
  t.match(await room.of('article').findOne(id, { populate: everything }), {
    writer: null,
    owner: null,
    seo: { metaTitle: 'm', writer: null },
    blocks: [{ metaTitle: 'b', writer: null }],
  })
  await room.of('article').update(id, { data: { writer: 1 } })
  await articles.update(id, { data: { title: 'c', writer: null } })
  t.match(await room.of('article').findOne(id, { populate: 'writer' }), { title: 'c', writer: { id: 1 } })
})
