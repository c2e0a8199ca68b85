// kernel.observe: each caller's observer receives that caller's statements, while others read and write at the same time,
// and no statement is another one because it is observed.

import t, { type Test } from 'tap'
import type { Kernel, StatementObserver } from '../../src/index.ts'
import { boot, client, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const hasOneWriter = client() === 'sqlite'

const components = { 'a.seo': component('a.seo', { title: { type: 'string' } }) }
const contentTypes = [
  type('tag', { label: { type: 'string', unique: true } }),
  type('place', { name: { type: 'string' } }),
  type('article', {
    title: { type: 'string' },
    seo: { type: 'component', component: 'a.seo' },
    tags: { type: 'relation', relation: 'manyToMany', target: uid('tag') },
  }),
]

async function start(t: Test, configure?: (kernel: Kernel) => void) {
  const kernel = await boot(t, { contentTypes, components, ...(configure === undefined ? {} : { configure }) })
  return { kernel, of: repositories(kernel) }
}

/** Keeps the statements that it receives. */
function observer() {
  const texts: string[] = []
  const seen = { texts, begun: 0, running: 0 }
  const recorder: StatementObserver = {
    onStatement: text => void texts.push(text),
    onBegin: () => {
      seen.begun++
      seen.running++
    },
    onEnd: () => void seen.running--,
  }
  return { seen, recorder }
}

/** What `work` returns, and the statements that its observer received. */
async function observed<T>(kernel: Kernel, work: () => Promise<T>) {
  const { seen, recorder } = observer()
  const value = await kernel.observe(recorder, work)
  return { value, ...seen }
}

const isBracket = (text: string) => /^(BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/.test(text)

/** Every kind of read and write, one after the other. */
const works = (kernel: Kernel): readonly (readonly [name: string, work: () => Promise<unknown>])[] => {
  const of = repositories(kernel)
  const data = { title: 'a', seo: { title: 'a' }, tags: [1] }
  return [
    ['create', () => of('tag').create({ data: { label: 'a' } })],
    ['create of a tree', () => of('article').create({ data, populate: '*' })],
    ['list', () => of('article').findMany({ populate: '*' })],
    ['page', () => of('article').findPage({ populate: 'tags', pagination: { page: 1, pageSize: 1 } })],
    ['page again', () => of('article').findPage({ populate: 'tags', pagination: { page: 1, pageSize: 1 } })],
    ['entry', () => of('article').findOne(1)],
    ['count', () => of('article').count()],
    ['update', () => of('tag').update(1, { data: { label: 'b' } })],
    ['update of a tree', () => of('article').update(1, { data: { seo: { title: 'b' }, tags: [] } })],
    [
      'transaction',
      () =>
        kernel.transaction(async tx => {
          await of('place').create({ data: { name: 'a' } })
          await tx.all('SELECT 1', [])
          await of('place').findMany()
        }),
    ],
    ['refusal', () => thrown(t, () => of('tag').create({ data: { label: 'b' } }))],
    ['delete', () => of('article').delete(1)],
  ]
}

t.test('an observer receives the statements that listeners receive', async t => {
  const received: string[] = []
  const { kernel } = await start(t, kernel => kernel.hooks.on('onStatement', text => void received.push(text)))
  for (const [name, work] of works(kernel)) {
    received.length = 0
    const { texts, begun, running } = await observed(kernel, work)
    t.ok(texts.length > 0, name)
    t.same(texts, received, `${name}: the same texts`)
    t.ok(begun > 0 && begun <= texts.length, `${name}: at most one round trip for each`)
    t.equal(running, 0, `${name}: what begins ends`)
  }
  received.length = 0
  const { seen, recorder } = observer()
  kernel.observe(recorder, () => {})
  await kernel.query(uid('tag')).findMany()
  t.same([received.length, seen.texts.length], [1, 0], 'others are not observed')
})

t.test('numbers of statements', async t => {
  const { kernel, of } = await start(t)
  const create = await observed(kernel, () => of('place').create({ data: { name: 'a' } }))
  t.match(create.value, { name: 'a' })
  t.equal(create.texts.filter(text => !isBracket(text)).length, 1)
  const update = await observed(kernel, () => of('place').update(1, { data: { name: 'b' } }))
  t.match(update.value, { name: 'b' })
  // A private write takes the short way of SQLite, without BEGIN and COMMIT, although it is observed.
  if (hasOneWriter) t.equal(update.texts.length, 1)
  await of('tag').create({ data: { label: 'a' } })
  await of('article').create({ data: { title: 'a', tags: [1] } })
  const list = await observed(kernel, () => of('article').findMany({ populate: 'tags' }))
  t.match(list.value, [{ title: 'a', tags: [{ label: 'a' }] }])
  t.equal(list.texts.length, 2, 'the entries, and one branch')
})

t.test('callers at the same time', async t => {
  const { kernel, of } = await start(t)
  for (const label of ['x', 'y']) await of('tag').create({ data: { label } })
  const made = (name: string) => () => of('place').create({ data: { name } })
  const recorder = await Promise.all([
    observed(kernel, made('a')),
    observed(kernel, () => of('tag').create({ data: { label: 'z' } })),
    observed(kernel, () => of('article').create({ data: { title: 'a', seo: { title: 'a' }, tags: [1, 2] } })),
    observed(kernel, () => of('tag').findMany()),
    observed(kernel, () => thrown(t, () => of('tag').create({ data: { label: 'x' } }))),
    observed(kernel, made('b')),
    observed(kernel, () => of('article').findMany({ populate: '*' })),
    observed(kernel, () => kernel.transaction(made('c'))),
    made('d')(),
  ])
  const own = [/\bplaces\b/, /\btags\b/, /articles|components_a_seos|\btags\b/, /\btags\b/, /\btags\b/, /\bplaces\b/]
  const [place, tag, article, tags, refused, second, articles, joined] = recorder
  for (const [i, one] of [place, tag, article, tags, refused, second].entries()) {
    const words = one.texts.filter(text => !isBracket(text))
    t.ok(words.length > 0, `caller ${i}`)
    for (const text of words) t.match(text, own[i]!, `caller ${i} receives its own`)
    t.equal(one.running, 0, `caller ${i}`)
  }
  const count = ({ texts }: { readonly texts: readonly string[] }, what: RegExp) =>
    texts.filter(text => what.test(text)).length
  t.equal(count(place, /^INSERT/), 1)
  t.equal(count(second, /^INSERT/), 1)
  t.equal(count(joined, /^INSERT/), 1)
  t.equal(count(tags, /./), 1)
  t.ok(count(articles, /^SELECT/) > 0)
  // The BEGIN and COMMIT of a group commit belong to all its writes.
  if (hasOneWriter) t.same([count(place, /^BEGIN/), count(place, /^COMMIT/)], [1, 1])
  t.equal(await of('place').count(), 4)
})

t.test('an observer within another, and after it', async t => {
  const { kernel, of } = await start(t)
  const { seen, recorder } = observer()
  let inner: readonly string[] = []
  await kernel.observe(recorder, async () => {
    await of('tag').findMany()
    inner = (await observed(kernel, () => of('place').findMany())).texts
    await of('tag').findMany()
  })
  t.equal(inner.length, 1)
  t.match(inner[0], /places/)
  t.same(
    seen.texts.map(text => /tags|places/.exec(text)?.[0]),
    ['tags', 'places', 'tags'],
    'the outer one receives all',
  )
})

t.test('statements of tx.knex', async t => {
  const { kernel, of } = await start(t)
  await of('tag').create({ data: { label: 'x' } })
  const { texts, running } = await observed(kernel, () =>
    kernel.transaction(async tx => void (await tx.knex('tags').where({ label: 'x' }).update({ label: 'w' }))),
  )
  t.equal(texts.filter(text => /^update/i.test(text)).length, 1)
  t.equal(running, 0)
})
