// One write, one transaction; several, joined (kernel.transaction): what is rolled back, who sees what, and what happens
// after the commit. Objection's models and tx.knex take part.

import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Kernel, Write } from '../../src/index.ts'
import { boot, client, component, notes, raw, repositories, tableNames, thrown, type, uid } from '../fixtures/boot.ts'

/** Where one writes at a time; servers let many. */
const hasOneWriter = client() === 'sqlite'

const tags = { type: 'relation', relation: 'manyToMany', target: uid('tag'), inversedBy: 'articles' }
const author = { type: 'relation', relation: 'manyToOne', target: uid('tag'), useJoinTable: false }
const contentTypes = [
  type('tag', {
    label: { type: 'string' },
    articles: { type: 'relation', relation: 'manyToMany', target: uid('article'), mappedBy: 'tags' },
  }),
  type('article', {
    title: { type: 'string' },
    readTime: { type: 'integer' },
    seo: { type: 'component', component: 'a.seo' },
    tags,
    author,
  }),
]
const components = { 'a.seo': component('a.seo', { title: { type: 'string' } }) }
const model = { contentTypes, components }

/** Contents of every table. */
async function dump(kernel: Kernel): Promise<string> {
  const { quote } = kernel.database.dialect
  const rows = []
  for (const name of await tableNames(kernel)) rows.push(await raw(kernel, `SELECT * FROM ${quote(name)} ORDER BY id`))
  return JSON.stringify(rows)
}

async function start(t: Test, listen?: (kernel: Kernel) => void) {
  const logger = notes()
  const kernel = await boot(t, { ...model, logger, ...(listen === undefined ? {} : { configure: listen }) })
  return { kernel, of: repositories(kernel), logger }
}

const full = (title: string) => ({ title, seo: { title }, tags: [1], author: 1 })

t.test('an onWrite hook that throws takes entry, components and links back', async t => {
  let fail: string | null = null
  const { kernel, of } = await start(t, kernel =>
    kernel.hooks.on('onWrite', async write => {
      if (write.type.uid === uid('article') && write.action === fail) {
        t.ok((await write.tx!.all('SELECT COUNT(*) FROM articles', []))[0]![0] !== undefined, 'after its SQL')
        throw new RangeError('no')
      }
    }),
  )
  await of('tag').create({ data: { label: 'a' } })
  await of('article').create({ data: full('first') })
  const before = await dump(kernel)
  const works = {
    create: () => of('article').create({ data: full('second') }),
    update: () => of('article').update(1, { data: { title: 'x', seo: { title: 'y' }, tags: [], author: null } }),
    delete: () => of('article').delete(1),
  }
  for (const [action, work] of Object.entries(works)) {
    fail = action
    const error = await thrown(t, work)
    t.ok(error instanceof RangeError, 'keeps its class')
    t.match(error, { message: 'no', plugin: 'app', hook: 'onWrite' })
    t.equal(await dump(kernel), before, action)
    fail = null
  }
  await works.update()
  t.not(await dump(kernel), before, 'the same work, unhindered, changes something')
})

t.test('onWrite writes along in the same transaction, onCommit runs after it', async t => {
  const seen: unknown[] = []
  const { of, kernel, logger } = await start(t, kernel => {
    kernel.hooks.on('onWrite', { for: one => one.uid === uid('article'), actions: ['create'] }, async write => {
      await kernel.query(uid('tag')).create({ data: { label: `of ${(await write.after())!.title}` } })
      if (write.data.title === 'bad') throw new Error('no')
    })
    kernel.hooks.on('onCommit', async (writes: readonly Write[]) => {
      const outside = await raw(kernel, 'SELECT COUNT(*) AS n FROM articles')
      seen.push([...writes.map(one => `${one.action} ${one.type.singularName} ${one.id}`), outside[0]!.n])
      if (writes.some(one => one.type.uid === uid('article'))) throw new Error('onCommit failed')
    })
  })
  t.match(
    await of('article').create({ data: { title: 'good' } }),
    { id: 1, title: 'good' },
    'its throw is not the caller’s',
  )
  t.same(
    seen.map(one => (one as unknown[]).at(-1)),
    seen.map(() => 1),
    'the commit is visible',
  )
  t.ok(seen.flat().includes('create article 1'))
  t.match(logger.errors, [{ message: 'onCommit failed' }])
  seen.length = 0
  await thrown(t, () => of('article').create({ data: { title: 'bad' } }))
  t.same(seen, [], 'nothing was committed')
  t.same(
    (await of('tag').findMany()).map(one => one.label),
    ['of good'],
  )
  t.same(await raw(kernel, 'SELECT title FROM articles'), [{ title: 'good' }])
})

t.test('kernel.transaction joins what runs inside', async t => {
  const commits: unknown[] = []
  const { kernel, of } = await start(t, kernel => kernel.hooks.on('onCommit', writes => void commits.push(...writes)))
  const result = await kernel.transaction(async tx => {
    await of('tag').create({ data: { label: 'a' } })
    t.equal(kernel.database.current, tx)
    await kernel.transaction(async () => {
      t.equal(await of('tag').count(), 1)
      await of('tag').create({ data: { label: 'b' } })
    })
    t.equal(await of('tag').count(), 2, 'reads inside see its writes')
    t.match(await of('tag').findPage({ pagination: { pageSize: 1 } }), { pagination: { total: 2 } })
    t.same(commits, [])
    return 'done'
  })
  t.equal(result, 'done')
  t.equal(commits.length, 2)
  const error = await thrown(t, () =>
    kernel.transaction(async () => {
      await of('tag').create({ data: { label: 'c' } })
      await of('tag').delete(1)
      throw new TypeError('back')
    }),
  )
  t.ok(error instanceof TypeError)
  t.same(
    (await of('tag').findMany()).map(one => one.label),
    ['a', 'b'],
    'rolled back',
  )
  t.equal(commits.length, 2)
  t.equal(kernel.database.current, undefined)
})

t.test('parts asked for at once fail alone', async t => {
  const { kernel, of } = await start(t)
  await of('tag').create({ data: { label: 'a' } })
  const results = await kernel.transaction(() =>
    Promise.allSettled([
      of('article').create({ data: full('one') }),
      of('article').create({ data: { ...full('two'), tags: { connect: [{ id: 1, position: { before: 9 } }] } } }),
      of('article').create({ data: full('three') }),
    ]),
  )
  t.same(
    results.map(one => one.status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  t.match(await raw(kernel, 'SELECT title FROM articles'), [{ title: 'one' }, { title: 'three' }])
  t.equal((await raw(kernel, 'SELECT * FROM components_a_seos')).length, 2)
})

t.test('a part that still runs when the whole fails is taken back with it, and touches nobody else', async t => {
  const { kernel, of } = await start(t)
  await of('tag').create({ data: { label: 'a' } })
  const broken = { ...full('broken'), tags: { connect: [{ id: 1, position: { before: 9 } }] } }
  for (let time = 0; time < 5; time++) {
    const failing = kernel.transaction(() =>
      Promise.all([
        of('article').create({ data: broken }),
        of('article').create({ data: full('with it') }),
        of('article').create({ data: { ...full('with it, too'), tags: [1] } }),
      ]),
    )
    const stranger = failing.catch(() =>
      kernel.transaction(() => of('article').create({ data: { ...full(`stranger ${time}`), tags: [1] } })),
    )
    await t.rejects(failing)
    await stranger
  }
  t.same(
    (await raw(kernel, 'SELECT title FROM articles ORDER BY id')).map(row => row.title),
    [0, 1, 2, 3, 4].map(time => `stranger ${time}`),
  )
  t.equal((await raw(kernel, 'SELECT * FROM articles_tags_links')).length, 5)
})

t.test('what outlives its transaction cannot write any more', async t => {
  const { kernel, of } = await start(t)
  const { late } = await kernel.transaction(async tx => {
    await of('tag').create({ data: { label: 'a' } })
    return { late: () => tx.run("UPDATE tags SET label = 'late'", []) }
  })
  t.throws(late, { message: 'the transaction has ended' })
  t.match(await raw(kernel, 'SELECT label FROM tags'), [{ label: 'a' }])
})

t.test("knex's own transactions inside one are parts of it", async t => {
  const { kernel, of } = await start(t)
  const failing = kernel.transaction(async tx => {
    await of('tag').create({ data: { label: 'a' } })
    await tx.knex.transaction(trx => trx('tags').insert({ label: 'b' }))
    throw new Error('no')
  })
  await t.rejects(failing, { message: 'no' })
  t.same(await raw(kernel, 'SELECT label FROM tags'), [])
  await kernel.transaction(async tx => {
    await of('tag').create({ data: { label: 'a' } })
    const part = tx.knex.transaction(async trx => {
      await trx('tags').insert({ label: 'b' })
      throw new Error('alone')
    })
    await t.rejects(part, { message: 'alone' })
    await tx.knex.transaction(trx => trx('tags').insert({ label: 'c' }))
  })
  t.match(await raw(kernel, 'SELECT label FROM tags ORDER BY id'), [{ label: 'a' }, { label: 'c' }])
})

t.test('readers outside see nothing of a running transaction, and do not wait for it', async t => {
  const { kernel, of } = await start(t)
  const page = { pagination: { pageSize: 1 } }
  await of('tag').create({ data: { label: 'a' } })
  t.match(await of('tag').findPage(page), { pagination: { total: 1 } })
  const opened = Promise.withResolvers<void>()
  const closing = Promise.withResolvers<void>()
  const work = kernel.transaction(async () => {
    await of('tag').create({ data: { label: 'b' } })
    await of('tag').update(1, { data: { label: 'A' } })
    opened.resolve()
    await closing.promise
  })
  await opened.promise
  t.match(await of('tag').findPage(page), { entries: [{ label: 'a' }], pagination: { total: 1 } })
  closing.resolve()
  await work
  t.match(
    await of('tag').findPage(page),
    { entries: [{ label: 'A' }], pagination: { total: 2 } },
    'a remembered total is forgotten',
  )
})

if (hasOneWriter) {
  t.test('transactions do not mix: where one writes at a time, one after the other', async t => {
    const { kernel, of } = await start(t)
    const works = Array.from({ length: 20 }, (_, i) =>
      kernel.transaction(async () => {
        const before = await of('tag').count()
        await sleep(1)
        await of('tag').create({ data: { label: `${i}` } })
        await sleep(1)
        if ((await of('tag').count()) !== before + 1) throw new Error('somebody else wrote')
        if (i % 4 === 0) throw new Error('back')
      }),
    )
    const results = await Promise.allSettled(works)
    t.same(
      results.map(one => one.status),
      works.map((_, i) => (i % 4 === 0 ? 'rejected' : 'fulfilled')),
    )
    t.equal(await of('tag').count(), 15)
  })
}

t.test('tx.knex and Objection models work inside', async t => {
  const { kernel, of } = await start(t)
  const Tag = kernel.models.get(uid('tag'))
  const Article = kernel.models.get(uid('article'))
  await kernel.transaction(async tx => {
    await tx.knex('tags').insert({ label: 'by knex' })
    await Tag.query(tx.knex).insert({ label: 'by model' } as object)
    t.same(
      (await of('tag').findMany()).map(one => one.label),
      ['by knex', 'by model'],
    )
    const update = { readTime: 5 } as object
    await Article.query(tx.knex).insert({ title: 'a', readTime: 4 } as object)
    t.equal(await Article.query(tx.knex).patch(update).where('title', 'a'), 1)
  })
  t.match(await raw(kernel, 'SELECT title, read_time FROM articles'), [{ title: 'a', read_time: 5 }], 'by column names')
  await thrown(t, () =>
    kernel.transaction(async tx => {
      await tx.knex('tags').del()
      await Article.query(tx.knex).delete()
      throw new Error('back')
    }),
  )
  t.equal((await Tag.query()).length, 2)
  await of('article').update(1, { data: { tags: [2, 1], author: 2 } })
  t.match(await Article.query().findById(1).withGraphFetched('[tags, author]'), {
    title: 'a',
    readTime: 5,
    author: { label: 'by model' },
  })
  t.match(await Tag.query().findById(1).withGraphFetched('articles'), { articles: [{ readTime: 5 }] })
  const [tag] = (await Tag.query().joinRelated('articles').where('articles.title', 'a').orderBy('tags.id')) as object[]
  t.match(tag, { id: 1, label: 'by knex' })
  await Article.relatedQuery('tags').for(1).unrelate().where('tags.id', 1)
  t.match(await of('article').findOne(1, { populate: 'tags' }), { tags: [{ id: 2 }] })
  t.throws(() => kernel.models.get('api::tga.tag'), { message: /did you mean "api::tag\.tag"/ })
})

if (hasOneWriter) {
  t.test('updates that arrive together share one COMMIT', async t => {
    const heard: string[] = []
    const { of } = await start(t, kernel => kernel.hooks.on('onStatement', text => heard.push(text)))
    for (let i = 0; i < 8; i++) await of('article').create({ data: { title: `a${i}`, readTime: 0 } })
    heard.length = 0
    const ids = [1, 2, 3, 4, 99, 5, 6, 7, 8]
    const ends = await Promise.allSettled(ids.map(id => of('article').update(id, { data: { readTime: id } })))
    t.equal(heard.filter(text => text === 'COMMIT').length, 1)
    t.same(
      ends.map(one => one.status === 'fulfilled' && one.value !== null),
      ids.map(id => id !== 99),
    )
    const rows = await of('article').findMany()
    t.same(
      rows.map(one => one.readTime),
      rows.map(one => one.id),
    )
  })
}

t.test('an onWrite hook that looks at the entry, in a transaction that is run again', async t => {
  const code = { sqlite: 'SQLITE_BUSY', mysql: 'ER_LOCK_DEADLOCK', postgres: '40001' }[client()]
  let attempts = 0
  const { of } = await start(t, kernel =>
    kernel.hooks.on('onWrite', { actions: ['update'] }, async write => {
      await write.before()
      if (++attempts === 1) throw Object.assign(new Error('met'), { code })
    }),
  )
  await of('article').create({ data: { title: 'a', readTime: 1 } })
  t.match(await of('article').update(1, { data: { readTime: 2 } }), { title: 'a', readTime: 2 })
  t.ok(attempts > 1)
})

t.test('both sides of a relation of a type with itself, in one write', async t => {
  const person = type('person', {
    children: { type: 'relation', relation: 'oneToMany', target: uid('person'), mappedBy: 'parent' },
    parent: { type: 'relation', relation: 'manyToOne', target: uid('person'), inversedBy: 'children' },
  })
  const kernel = await boot(t, { contentTypes: [person] })
  const of = repositories(kernel)('person')
  for (let i = 0; i < 4; i++) await of.create({ data: {} })
  await of.update(2, { data: { children: [3, 4], parent: 2 } })
  const found = await of.findOne(2, { populate: ['children', 'parent'] })
  t.match(found, { children: [{ id: 3 }, { id: 4 }, { id: 2 }], parent: { id: 2 } })
})

// Where nobody hears of statements, writes that arrive together do without what serves those who do.
for (const [name, listen] of [
  ['unheard', undefined],
  ['heard', (kernel: Kernel) => kernel.hooks.on('onStatement', () => {})],
] as const) {
  t.test(`writes that arrive together fail alone, ${name}`, async t => {
    const { kernel, of } = await start(t, listen)
    for (const label of ['x', 'y']) await of('tag').create({ data: { label } })
    const made = (title: string, tags: number[]) => of('article').create({ data: { ...full(title), tags } })
    const ends = await Promise.allSettled([made('a', [1, 2]), made('b', [2, 77]), made('c', [2]), made('d', [77])])
    t.same(
      ends.map(one => one.status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    )
    const articles = await of('article').findMany({ populate: '*', sort: 'title' })
    t.match(articles, [
      { title: 'a', seo: { title: 'a' }, tags: [{ id: 1 }, { id: 2 }], author: { id: 1 } },
      { title: 'c', seo: { title: 'c' }, tags: [{ id: 2 }], author: { id: 1 } },
    ])
    t.equal((await raw(kernel, 'SELECT id FROM components_a_seos')).length, 2, 'nothing of the others is left')
    const [tag] = await of('tag').findMany({ filters: { id: 2 }, populate: 'articles' })
    const linked = (tag!.articles as { title: string }[]).map(one => one.title)
    // Where many write at a time, either may be the first.
    t.same(hasOneWriter ? linked : linked.toSorted(), ['a', 'c'], 'new links go behind the others of their target')
    const ids = articles.map(one => one.id as number)
    const changed = await Promise.allSettled([
      of('article').update(ids[0]!, { data: { readTime: 1 } }),
      of('article').update(9999, { data: { readTime: 2 } }),
      of('article').update(ids[1]!, { data: { readTime: 'no number' } }),
      of('article').update(ids[1]!, { data: { readTime: 3, title: 'c!' } }),
      of('article').update(ids[1]!, { data: { tags: [77] } }),
    ])
    t.same(
      changed.map(one => one.status === 'fulfilled' && one.value !== null),
      [true, false, false, true, false],
    )
    t.match(await of('article').findMany({ populate: 'tags', sort: 'title' }), [
      { readTime: 1, title: 'a' },
      { readTime: 3, title: 'c!', tags: [{ id: 2 }] },
    ])
  })
}

if (hasOneWriter) {
  t.test('texts of statements are remembered up to a number, and made again after it', async t => {
    const names = Array.from({ length: 11 }, (_, i) => `n${i}`)
    const attributes = Object.fromEntries(names.map(name => [name, { type: 'integer' as const }]))
    const kernel = await boot(t, { contentTypes: [type('wide', attributes)] })
    const of = repositories(kernel)('wide')
    await of.create({ data: {} })
    for (let set = 1; set < 2 ** names.length; set++) {
      const sent = Object.fromEntries(names.flatMap((name, i) => ((set >> i) & 1 ? [[name, set]] : [])))
      const answer = await of.update(1, { data: sent, fields: Object.keys(sent) })
      if (!Object.keys(sent).every(name => answer?.[name] === set)) t.same(answer, sent)
    }
    t.match(await of.create({ data: { n3: 5 }, fields: ['n3'] }), { n3: 5 })
    t.match(await of.findOne(1), { n10: 2 ** names.length - 1, n0: 2 ** names.length - 1 })
  })
}
