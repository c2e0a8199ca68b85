// What rules of plugins hid from their authors: links, updates, unique values of a uid, and attributes that only code
// sets (rows 1, 2, 5, 7, 8 and 9).

import t, { type Test } from 'tap'
import { eq, type Kernel, openAccess, perRequest, systemAccess } from '../../../src/index.ts'
import { boot, notes, repositories, thrown, type, uid } from '../../fixtures/boot.ts'

const contentTypes = [
  type('author', {
    name: { type: 'string' },
    articles: { type: 'relation', relation: 'oneToMany', target: uid('article'), mappedBy: 'author' },
  }),
  type('article', {
    title: { type: 'string' },
    slug: { type: 'uid' },
    author: { type: 'relation', relation: 'manyToOne', target: uid('author'), inversedBy: 'articles' },
  }),
]

/** Two tenants: every entry belongs to one, and a caller sees and makes the entries of tenant a. */
function addTenants({ hooks }: Kernel): void {
  hooks.on('preModel', draft => draft.attribute('tenant', { type: 'string', writable: false }))
  const own = perRequest(() => 'a')
  hooks.on('prePlan', (draft, access) => {
    if (access !== systemAccess) draft.where(eq('tenant', own))
  })
  hooks.on('preWrite', { actions: ['create'] }, ({ data, context }) => {
    if (context.access !== systemAccess) data.tenant = 'a'
  })
}

async function start(t: Test) {
  const kernel = await boot(t, { contentTypes, configure: addTenants })
  const caller = kernel.context({ key: 'a', user: null, can: () => true })
  return { code: repositories(kernel), of: (name: string) => kernel.query(uid(name), caller), kernel }
}

t.test('3.1.1: linked ids pass the rules, and those of others look like ids that do not exist', async t => {
  const { code, of } = await start(t)
  const mine = await code('author').create({ data: { tenant: 'a' } })
  const other = await code('author').create({ data: { tenant: 'b' } })
  const theirs = await code('article').create({ data: { tenant: 'b', author: other.id } })
  const link = (id: number) => thrown(t, () => of('author').update(mine.id, { data: { articles: [id] } }))
  const hidden = await link(theirs.id)
  const missing = await link(theirs.id + 1000)
  t.equal(hidden.status, 400)
  t.same([hidden.message, hidden.details], [missing.message, missing.details])
  const kept = await code('article').findOne(theirs.id, { populate: 'author' })
  t.match(kept, { author: { id: other.id } }, 'it has not lost its author')
})

t.test('3.1.2: a prePlan rule without actions guards updates as it guards reads and deletions', async t => {
  const { code, of } = await start(t)
  const { id } = await code('author').create({ data: { name: 'x', tenant: 'b' } })
  t.equal(await of('author').findOne(id), null)
  t.equal(await of('author').update(id, { data: { name: 'y' } }), null)
  t.equal(await of('author').delete(id), null)
  t.match(await code('author').findOne(id), { name: 'x', tenant: 'b' })
})

t.test('3.1.5: a uid with unique: false, and a unique index, which reports its fault once', async t => {
  const perTenant = ({ hooks }: Kernel) =>
    hooks.on('preModel', { for: one => one.uid === uid('article') }, draft => {
      draft.attribute('tenant', { type: 'string' })
      draft.attribute('slug', { unique: false })
      draft.index(['slug', 'tenant'], { unique: true })
    })
  const articles = repositories(await boot(t, { contentTypes, configure: perTenant }))('article')
  for (const tenant of ['a', 'b']) await articles.create({ data: { slug: 'x', tenant } })
  const error = await thrown(t, () => articles.create({ data: { slug: 'x', tenant: 'b' } }))
  const { errors } = error.details as { errors: unknown[] }
  t.equal(errors.length, 1)
  t.match(errors, [{ path: ['slug'], message: 'This attribute must be unique' }])
})

t.test('3.1.5: in a schema a uid stays unique, as in v4, and unique: false is a warning', async t => {
  const log = notes()
  const page = type('page', { slug: { type: 'uid', unique: false }, name: { type: 'string', unique: false } })
  const pages = repositories(await boot(t, { contentTypes: [page], logger: log }))('page')
  await pages.create({ data: { slug: 'x' } })
  t.match(await thrown(t, () => pages.create({ data: { slug: 'x' } })), { message: 'This attribute must be unique' })
  t.same(log.warnings, [
    'api::page.page: attributes.slug.unique: has no effect, because the type "uid" is always unique',
  ])
})

t.test('3.1.7: readonly closes an attribute to hooks and code, and is a warning; writable: false does not', async t => {
  const log = notes()
  const kernel = await boot(t, {
    contentTypes,
    logger: log,
    configure: ({ hooks }) => {
      hooks.on('preModel', { for: one => one.uid === uid('author') }, draft => {
        draft.attribute('stamp', { type: 'string', readonly: true })
        draft.attribute('seenAt', { type: 'datetime', readonly: true })
        draft.attribute('mark', { type: 'string', writable: false })
      })
      hooks.on('preWrite', { for: one => one.uid === uid('author'), actions: ['update'] }, ({ data }) => {
        data.mark = 'hook'
      })
    },
  })
  t.same(log.warnings, [
    'api::author.author: attributes.stamp: is readonly, so neither hooks nor code can set it; "writable: false" drops the values of callers only',
  ])
  const data = { mark: 'sent', stamp: 'sent' }
  const code = kernel.query(uid('author'))
  const caller = kernel.query(uid('author'), kernel.context(openAccess))
  t.match(await code.create({ data }), { mark: 'sent', stamp: null })
  const { id } = await caller.create({ data })
  t.match(await code.findOne(id), { mark: null, stamp: null })
  await caller.update(id, { data })
  t.match(await code.findOne(id), { mark: 'hook', stamp: null })
  const seenAt = new Date('2026-01-02T03:04:05.000Z')
  await kernel.stamp(uid('author'), 'seenAt', new Map([[id, seenAt]]))
  t.match(await code.findOne(id), { seenAt: seenAt.toISOString() })
})

t.test('3.1.8: a context of all rights writes what callers may not', async t => {
  const { code, of, kernel } = await start(t)
  const request = { headers: {} }
  const own = kernel.query(uid('author'), kernel.context(systemAccess, request))
  const { id } = await own.create({ data: { tenant: 'b' } })
  t.match(await code('author').findOne(id), { tenant: 'b' })
  const sent = await of('author').create({ data: { tenant: 'b' } })
  t.match(await code('author').findOne(sent.id), { tenant: 'a' })
})

t.test('3.1.9: internal closes a content type of a plugin', async t => {
  const kernel = await boot(t, {
    file: ':memory:',
    contentTypes,
    configure: ({ contentTypes }) => {
      contentTypes.add(type('vote', {}), { internal: true })
      contentTypes.add(type('poll', {}))
    },
  })
  const isInternal = (name: string) => kernel.contentTypes.require(uid(name)).internal
  t.same([isInternal('vote'), isInternal('poll')], [true, false])
  const names = kernel.actions.names
  t.ok(names.includes('api::poll.poll.find'))
  t.notOk(names.includes('api::vote.vote.find'))
})
