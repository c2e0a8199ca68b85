// The service for code: versions, and contexts with a condition.

import { systemAccess } from '@plinth/kernel'
import t from 'tap'
import { article, start } from './fixtures/boot.ts'

const { kernel, of, versions } = await start(t)

t.test('writes of code with a condition', async t => {
  await of('article').create({ data: { title: 'One', locale: 'en' } })
  const version = (await versions.of(article, 1))!
  const write = (title: string, required = version) =>
    kernel.query(article, versions.requiring({ uid: article, id: 1, version: required })).update(1, { data: { title } })
  t.match(await write('Two'), { title: 'Two' })
  const details = { version: await versions.of(article, 1) }
  await t.rejects(write('Three'), { status: 412, name: 'PreconditionFailedError', details })
  await t.rejects(write('Three', ''), { name: 'PreconditionFailedError' })
  t.match(await of('article').findOne(1), { title: 'Two' })
  const deleting = kernel.query(article, versions.requiring({ uid: article, id: 1, version })).delete(1)
  await t.rejects(deleting, { name: 'PreconditionFailedError' })
})

t.test('a condition is about one entry, and leaves the passed context as it is', async t => {
  const { id } = await of('article').create({ data: { title: 'One', locale: 'en' } })
  const own = kernel.context(systemAccess)
  const context = versions.requiring({ uid: article, id: Number(id), version: 'x' }, own)
  t.match(await kernel.query(article, context).update(1, { data: { title: 'Four' } }), { title: 'Four' })
  t.match(await kernel.query('api::tag.tag', context).create({ data: { name: 'One' } }), { name: 'One' })
  t.match(await kernel.query(article, own).update(id as number, { data: { title: 'Five' } }), { title: 'Five' })
  t.equal(await kernel.query(article, context).update(999, { data: {} }), null)
})

t.test('inside of a transaction', async t => {
  const { id } = await of('article').create({ data: { title: 'One', locale: 'en' } })
  const entry = { uid: article, id: Number(id) }
  await kernel.transaction(async () => {
    for (const title of ['Two', 'Three']) {
      const version = (await versions.of(article, entry.id))!
      await kernel.query(article, versions.requiring({ ...entry, version })).update(entry.id, { data: { title } })
    }
  })
  t.match(await of('article').findOne(entry.id), { title: 'Three' })
})

t.test('entries and types that do not exist', async t => {
  t.equal(await versions.of(article, 2 ** 40), null)
  await t.rejects(versions.of('api::x.x', 1), { message: /api::x\.x/ })
  t.throws(() => versions.requiring({ uid: 'api::x.x', id: 1, version: 'x' }), { message: /api::x\.x/ })
})
