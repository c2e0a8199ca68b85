// What must hold for all interleavings of writes, on each database, with two kernels that stand for two processes: rows
// are locked before they are read for a change, in one order, and checks without an index run under advisory locks.

import { setTimeout as sleep } from 'node:timers/promises'
import { fresh, onEach } from '@plinth/test-tools/on-each'
import type { Test } from 'tap'
import {
  createKernel,
  definePlugin,
  type Kernel,
  type KernelOptions,
  NotFoundError,
  systemAccess,
  ValidationError,
} from '../../src/index.ts'
import { component, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, name: string, more = {}) => ({ type: 'relation', relation, target: uid(name), ...more })
const part = (key: string, repeatable: boolean) => ({ type: 'component', component: key, repeatable })

const contentTypes = [
  type('owner', {
    name: { type: 'string' },
    boxes: to('oneToMany', 'box', { mappedBy: 'owner' }),
    badge: to('oneToOne', 'badge', { mappedBy: 'owner' }),
  }),
  type('badge', { owner: to('oneToOne', 'owner', { inversedBy: 'badge' }) }),
  type('tag', { boxes: to('manyToMany', 'box', { mappedBy: 'tags' }) }),
  type('box', {
    name: { type: 'string' },
    owner: to('manyToOne', 'owner', { inversedBy: 'boxes' }),
    tags: to('manyToMany', 'tag', { inversedBy: 'boxes' }),
    many: part('part.many', true),
    one: part('part.one', false),
  }),
  type('folder', { title: { type: 'string' }, items: { type: 'relation', relation: 'morphToMany' } }),
  type('setting', { title: { type: 'string' } }, { kind: 'singleType' }),
]
const components = {
  'part.many': component('part.many', { label: { type: 'string' }, serial: { type: 'string', unique: true } }),
  'part.one': component('part.one', { inner: part('part.many', true) }),
}

/** Two kernels on one database. */
async function pair(t: Test, options: KernelOptions = {}): Promise<readonly [Kernel, Kernel]> {
  const { config } = await fresh(t)
  const one = await createKernel({ database: config, contentTypes, components, ...options })
  const two = await createKernel({ database: config, contentTypes, components, ...options })
  t.teardown(async () => {
    await one.close()
    await two.close()
  })
  return [one, two]
}

/** Runs `work` so many times at once, by both kernels in turn; gives the results, errors among them. */
function meet<T>(kernels: readonly Kernel[], times: number, work: (kernel: Kernel, i: number) => Promise<T>) {
  const each = Array.from({ length: times }, (_, i) => work(kernels[i % kernels.length]!, i))
  return Promise.all(each.map(one => one.catch((error: unknown) => error as Error)))
}

const failures = (results: readonly unknown[]) => results.filter(one => one instanceof Error)

/** The number that a statement counts, past the kernel. */
async function count({ database: { knex, dialect } }: Kernel, sql: string): Promise<number> {
  const answer = await knex.raw(dialect.name === 'mysql' ? sql.replaceAll('"', '`') : sql)
  const [row] = dialect.name === 'mysql' ? answer[0] : dialect.name === 'postgres' ? answer.rows : answer
  return Number(Object.values(row as object)[0])
}

await onEach('changes concurrent with a deletion leave no component behind', async t => {
  const kernels = await pair(t)
  const boxes = kernels[0].query(uid('box'))
  for (let round = 0; round < 12; round++) {
    const { id } = await boxes.create({ data: { name: 'a', many: [{ label: 'a' }] } })
    const results = await meet(kernels, 8, (kernel, i) => {
      const box = kernel.query(uid('box'))
      if (i === 4) return box.delete(id)
      const many = [{ label: `b${i}`, serial: `${round} ${i}` }]
      return box.update(id, { data: i % 2 === 0 ? { many } : { name: `b${i}`, one: { inner: many } } })
    })
    t.same(failures(results), [])
    t.ok(results[4], 'it was deleted')
  }
  const orphans = `SELECT COUNT(*) FROM components_part_manys WHERE id NOT IN (SELECT component_id FROM boxs_components
    WHERE component_type = 'part.many' UNION SELECT component_id FROM components_part_ones_components)`
  t.equal(await count(kernels[0], orphans), 0)
  t.equal(await count(kernels[0], 'SELECT COUNT(*) FROM components_part_ones'), 0)
  const { id } = await boxes.create({ data: { many: [{ serial: '0 2' }] } })
  t.ok(id, 'unique values of what was deleted are free')
})

await onEach('of several deletions of one entry one succeeds', async t => {
  const kernels = await pair(t)
  const boxes = kernels[0].query(uid('box'))
  for (let round = 0; round < 10; round++) {
    const { id } = await boxes.create({ data: { many: [{ label: 'a' }], one: {} } })
    const results = await meet(kernels, 8, kernel => kernel.query(uid('box')).delete(id))
    t.same(failures(results), [])
    t.equal(results.filter(one => one !== null).length, 1)
  }
})

await onEach('concurrent writes leave one entry on the one side of a relation', async t => {
  const kernels = await pair(t)
  const of = (name: string) => kernels[0].query(uid(name))
  for (let round = 0; round < 8; round++) {
    const { id: box } = await of('box').create({ data: {} })
    const owners = await Promise.all([1, 2, 3].map(() => of('owner').create({ data: {} })))
    const badges = await Promise.all([1, 2, 3].map(() => of('badge').create({ data: {} })))
    const results = await meet(kernels, 24, (kernel, i) => {
      const owner = owners[i % 3]!.id
      const badge = badges[Math.floor(i / 3) % 3]!.id
      if (i % 4 === 0) return kernel.query(uid('owner')).create({ data: { boxes: [box] } })
      if (i % 4 === 1) return kernel.query(uid('owner')).update(owner, { data: { boxes: { connect: [box] }, badge } })
      if (i % 4 === 2) return kernel.query(uid('badge')).update(badge, { data: { owner } })
      return kernel.query(uid('box')).update(box, { data: { owner } })
    })
    t.same(failures(results), [])
  }
  const several = (table: string, column: string) =>
    count(kernels[0], `SELECT COUNT(*) FROM (SELECT ${column} FROM ${table} GROUP BY ${column} HAVING COUNT(*) > 1) x`)
  t.equal(await several('boxs_owner_links', 'box_id'), 0)
  t.equal(await several('badges_owner_links', 'badge_id'), 0)
  t.equal(await several('badges_owner_links', 'owner_id'), 0)
})

await onEach('no link refers to a deleted entry', async t => {
  const kernels = await pair(t)
  const item = (id: number) => ({ id, __type: uid('tag') })
  for (let round = 0; round < 12; round++) {
    const { id } = await kernels[0].query(uid('tag')).create({ data: {} })
    const { id: kept } = await kernels[0].query(uid('tag')).create({ data: {} })
    const folder = await kernels[0].query(uid('folder')).create({ data: { items: [item(id), item(kept)] } })
    const results = await meet(kernels, 9, (kernel, i) => {
      if (i === 4) return kernel.query(uid('tag')).delete(id)
      if (i % 3 === 0) return kernel.query(uid('folder')).create({ data: { items: [item(id)] } })
      const items = i % 3 === 1 ? { connect: [item(kept)] } : [item(kept), item(id)]
      return kernel.query(uid('folder')).update(folder.id, { data: { items } })
    })
    for (const error of failures(results)) t.match(error, ValidationError, 'what is gone cannot be linked')
  }
  t.equal(
    await count(kernels[0], 'SELECT COUNT(*) FROM folders_items_morphs WHERE items_id NOT IN (SELECT id FROM tags)'),
    0,
  )
})

await onEach('links of one target never share a place', async t => {
  const kernels = await pair(t)
  const { id: tag } = await kernels[0].query(uid('tag')).create({ data: {} })
  const made = await meet(kernels, 30, (kernel, i) =>
    kernel.query(uid('box')).create({ data: { name: `${i}`, tags: [tag] } }),
  )
  t.same(failures(made), [])
  const ids = made.map(one => (one as { id: number }).id)
  const results = await meet(kernels, 20, (kernel, i) =>
    i % 5 === 0
      ? kernel
          .query(uid('tag'))
          .update(tag, { data: { boxes: { connect: [{ id: ids[i]!, position: { start: true } }] } } })
      : kernel.query(uid('box')).update(ids[i]!, { data: { tags: i % 2 === 0 ? [] : { connect: [tag] } } }),
  )
  t.same(failures(results), [])
  await meet(kernels, 20, kernel => kernel.query(uid('box')).create({ data: { tags: [tag] } }))
  const shared = 'SELECT COUNT(*) - COUNT(DISTINCT box_order) FROM boxs_tags_links'
  t.equal(await count(kernels[0], shared), 0)
})

await onEach('a single process numbers links with whole numbers, as v4 does', async t => {
  const [one, two] = await pair(t)
  await two.close()
  const { id: tag } = await one.query(uid('tag')).create({ data: {} })
  await meet([one], 30, kernel => kernel.query(uid('box')).create({ data: { tags: [tag] } }))
  t.equal(
    await count(one, 'SELECT COUNT(DISTINCT box_order) FROM boxs_tags_links WHERE box_order = FLOOR(box_order)'),
    30,
  )
})

await onEach('a unique value in components is written once, and others do not conflict', async t => {
  const kernels = await pair(t)
  for (let round = 0; round < 6; round++) {
    const results = await meet(kernels, 12, (kernel, i) => {
      const serial = i < 6 ? `same ${round}` : `own ${round} ${i}`
      return kernel.query(uid('box')).create({ data: { many: [{ serial }] } })
    })
    const refused = failures(results)
    for (const error of refused) t.match(error, ValidationError)
    t.equal(refused.length, 5)
  }
})

await onEach('writes of different unique values in components are not repeated', async t => {
  const texts: string[] = []
  const listen = (kernel: Kernel) => kernel.hooks.on('onStatement', text => void texts.push(text))
  const kernels = await pair(t, { configure: listen })
  const { id: tag } = await kernels[0].query(uid('tag')).create({ data: {} })
  texts.length = 0
  const results = await meet(kernels, 40, (kernel, i) =>
    kernel.query(uid('box')).create({ data: { tags: [tag], many: [{ serial: `a${i}` }, { serial: `b${i}` }] } }),
  )
  t.same(failures(results), [])
  t.equal(texts.filter(text => /^INSERT INTO .boxs. /.test(text)).length, 40)
  t.same(
    texts.filter(text => /SERIALIZABLE/.test(text)),
    [],
  )
})

await onEach('one of several writes creates a single type, and the others update it', async t => {
  const kernels = await pair(t)
  for (let round = 0; round < 8; round++) {
    const results = await meet(kernels, 10, (kernel, i) =>
      kernel.writer.put({
        uid: uid('setting'),
        data: { title: `${i}` },
        params: {},
        context: kernel.context({ key: 'all', user: null, can: () => true }),
      }),
    )
    t.same(failures(results), [])
    t.equal(await count(kernels[0], 'SELECT COUNT(*) FROM settings'), 1)
    const [setting] = await kernels[0].query(uid('setting')).findMany()
    await kernels[0].query(uid('setting')).delete(setting!.id)
  }
})

const looking = definePlugin({
  name: 'looking',
  register({ kernel }) {
    kernel.hooks.on('preWrite', { actions: ['update'] }, async write => void (await write.before()))
  },
})

await onEach('writes that read their entries first need one connection each', async t => {
  const [kernel] = await pair(t, { plugins: { looking: { plugin: looking } } })
  const owners = await Promise.all(Array.from({ length: 25 }, () => kernel.query(uid('owner')).create({ data: {} })))
  const began = performance.now()
  const results = await Promise.all(
    owners.map(({ id }) =>
      kernel
        .query(uid('owner'))
        .update(id, { data: { name: 'b' } })
        .catch((error: Error) => error),
    ),
  )
  t.same(failures(results), [])
  t.ok(performance.now() - began < 9000, 'no write waits for a connection that another one holds')
})

await onEach('an update of a deleted entry answers null', async t => {
  const [kernel] = await pair(t)
  const { id } = await kernel.query(uid('box')).create({ data: {} })
  await kernel.query(uid('box')).delete(id)
  const context = kernel.context({ key: 'all', user: null, can: () => true })
  for (const data of [{ name: 'a' }, { many: [{ label: 'a' }] }, { tags: [] }, { owner: null }])
    await t.rejects(
      kernel.writer.update({ uid: uid('box'), id, data, params: {}, context }),
      NotFoundError,
      JSON.stringify(data),
    )
})

await onEach('onCommit can change the same entry without blocking others', async t => {
  const listen = (kernel: Kernel) =>
    void kernel.hooks.on('onCommit', async ([write]) => {
      if (write!.context.state.own === true || write!.type.uid !== uid('box')) return
      const context = kernel.context(systemAccess)
      context.state.own = true
      await kernel.query(uid('tag')).create({ data: {} })
      await kernel.query(uid('box'), context).update(write!.id!, { data: { name: 'after' } })
    })
  const [kernel] = await pair(t, { configure: listen })
  const boxes = kernel.query(uid('box'))
  const work = async () => {
    const { id } = await boxes.create({ data: { name: 'a' } })
    await boxes.update(id, { data: { name: 'b' } })
    t.match(await boxes.findOne(id), { name: 'after' })
    t.ok(await boxes.delete(id))
    return 'ended'
  }
  const late = sleep(4000, 'still waits', { ref: false })
  t.equal(await Promise.race([work(), late]), 'ended')
})

await onEach('repeated writes of unique values in components do not deadlock with others', async t => {
  const listen = (kernel: Kernel) =>
    void kernel.hooks.on('preWrite', { actions: ['update'] }, async write => void (await write.before()))
  const kernels = await pair(t, { configure: listen })
  const { id } = await kernels[0].query(uid('box')).create({ data: { many: [{ serial: 'a' }] } })
  const made = await kernels[0].query(uid('box')).findOne(id, { populate: ['many'] })
  const [{ id: part } = { id: 0 }] = (made as unknown as { many: { id: number }[] }).many
  const began = performance.now()
  for (let round = 0; round < 3; round++) {
    const results = await meet(kernels, 8, (kernel, i) =>
      kernel.query(uid('box')).update(id, { data: { name: `${round} ${i}`, many: [{ id: part, serial: 'a' }] } }),
    )
    t.same(failures(results), [])
  }
  // PostgreSQL looks for a deadlock after a second: seven in each round would take 21.
  t.ok(performance.now() - began < 15_000)
})

await onEach('a write inside readWhereWritten releases its advisory locks', async t => {
  const kernels = await pair(t)
  const [one, two] = kernels
  const put = (kernel: Kernel) => kernel.query(uid('box')).create({ data: { many: [{ serial: 'a' }] } })
  await one.database.readWhereWritten(async () => void (await put(one)))
  // A lock that is kept would be waited for, until the write is answered 503.
  t.ok((await put(two).catch((error: unknown) => error)) instanceof ValidationError)
})

await onEach('an entry that another process deletes before the answer is read', async (t, client) => {
  // SQLite reads the answer before COMMIT.
  if (client === 'sqlite') return void t.pass('there is no such moment')
  let removals = 0
  const remover = definePlugin({
    name: 'remover',
    register({ kernel }) {
      const isSetting = ({ uid: own }: { readonly uid: string }) => own === uid('setting')
      kernel.hooks.on('preExecute', { for: isSetting, actions: ['update'] }, async ({ query }) => {
        if (query.stage === 'answer' && removals-- > 0) await other.query(uid('setting')).delete(id)
      })
    },
  })
  const [kernel, other] = await pair(t, { plugins: { remover: { plugin: remover } } })
  const context = { params: {}, context: kernel.context(systemAccess) }
  const put = (title: string) => kernel.writer.put({ uid: uid('setting'), data: { title }, ...context })
  let id = (await put('a')).rows.rows[0]![0] as number
  removals = 1
  const again = (await put('b')).rows.rows
  t.equal(again.length, 1, 'it is created again')
  t.not(again[0]![0], id)
  t.equal(await other.query(uid('setting')).count(), 1)
  id = again[0]![0] as number
  removals = 1
  const update = kernel.writer.update({ uid: uid('setting'), id, data: { title: 'c' }, ...context })
  await t.rejects(update, new NotFoundError(), 'an update finds no entry')
})
