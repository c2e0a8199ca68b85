// Reads and writes that a transport has authorized itself (`isAuthorized`), for roles that lack the action: the rules
// of the role hold at the root, and below it everything is as for every other read.

import { type ReadRequest, toEntries } from '@plinth/kernel'
import t from 'tap'
import { action, start } from '../fixtures/newsroom.ts'

const where = { state: 'done' }
const rules = {
  member: [
    { action: action('article', 'find'), where, fields: ['secret'] },
    { action: action('article', 'update'), where },
    { action: action('article', 'create'), check: where },
    { action: action('comment', 'find'), where: { text: 'shown' } },
  ],
}

async function newsroom(t: Parameters<typeof start>[0]) {
  const room = await start(t, { permissions: { member: [action('comment', 'find')] }, rules })
  const { of } = room
  await of('writer').create({ data: { name: 'Ann' } })
  for (const state of ['draft', 'done'])
    await of('article').create({ data: { title: state, state, secret: 's', writer: 1 } })
  for (const text of ['shown', 'hidden']) await of('comment').create({ data: { text, article: 2 } })
  return { ...room, member: room.as('member') }
}

const uid = 'api::article.article'

t.test('rules of a role hold at the root of a read to which it has no right', async t => {
  const { kernel, member } = await newsroom(t)
  await t.rejects(kernel.reader.read({ uid, action: 'find', params: {} }, member), {
    status: 403,
    message: 'Forbidden',
  })
  const request = { uid, action: 'find', params: {}, isAuthorized: true } as const
  const read = (more: Partial<ReadRequest>) => kernel.reader.read({ ...request, ...more }, member)
  const { rows } = await read({ params: { populate: ['comments', 'writer'] } })
  const [entry, ...others] = toEntries(rows)
  t.match(entry, { title: 'done', comments: [{ text: 'shown' }] })
  t.same([others, 'secret' in entry!, 'writer' in entry!, (entry!.comments as unknown[]).length], [[], false, false, 1])
  await t.rejects(read({ params: { filters: { writer: { name: 'Ann' } } } }), {
    status: 400,
    message: 'Invalid parameter writer',
  })
  t.equal((await read({ action: 'findOne', id: 1 })).rows.rows.length, 0)
  t.equal((await read({ action: 'count' })).total, 1)
})

t.test('rules of a role hold for writes to which it has no right', async t => {
  const { kernel, of, member } = await newsroom(t)
  const request = { uid, params: {}, context: member, isAuthorized: true, data: { title: 'x', writer: 1 } }
  await t.rejects(kernel.writer.update({ ...request, id: 1 }), { status: 404, message: 'Not Found' })
  await kernel.writer.update({ ...request, id: 2 })
  await t.rejects(kernel.writer.create(request), { status: 403, message: 'Forbidden' })
  await kernel.writer.create({ ...request, data: { ...request.data, state: 'done' } })
  t.same((await of('article').findOne(3, { populate: 'writer' }))!.writer, null, 'links need the right to their target')
})
