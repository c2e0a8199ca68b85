// Hooks of writes and the transaction: what an error in onWrite rolls back, which writes onCommit receives, and which
// values hooks read.

import t from 'tap'
import {
  type ContentType,
  type Context,
  type Kernel,
  StaleRowError,
  systemAccess,
  toEntries,
  type Write,
} from '../../src/index.ts'
import { dump, full, start } from '../fixtures/articles.ts'
import { boot, client, notes, raw, repositories, thrown, type, uid } from '../fixtures/boot.ts'

t.test('an error of onWrite rolls back entry, components and links', async t => {
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

t.test('onWrite writes in the same transaction, and onCommit runs after it', async t => {
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

t.test('an onWrite hook can read the entry before the change in a repeated transaction', async t => {
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

t.test('onCommit runs once per transaction, with all its writes', async t => {
  const commits: string[][] = []
  const kernel = await boot(t, {
    contentTypes: [type('tag', {})],
    configure: kernel =>
      kernel.hooks.on('onCommit', writes => {
        commits.push(writes.map(one => `${one.action} ${one.id}`))
      }),
  })
  const tags = repositories(kernel)('tag')
  await kernel.transaction(async () => {
    await tags.create({ data: {} })
    await tags.update(1, { data: {} })
  })
  t.same(commits, [['create 1', 'update 1']])
})

t.test('onCommit listeners receive the writes that they asked for, in one call and in their order', async t => {
  const calls: string[] = []
  const record = (name: string) => (writes: readonly Write[]) =>
    void calls.push(`${name}: ${writes.map(one => `${one.action} ${one.type.singularName}`).join(', ')}`)
  const logger = notes()
  const kernel = await boot(t, {
    contentTypes: [type('tag', {}), type('log', {}), type('note', {})],
    logger,
    configure: ({ hooks }) => {
      const isTag = (one: { uid: string }) => one.uid === uid('tag')
      hooks.on('onCommit', { order: 'post' }, record('all'))
      hooks.on('onCommit', { for: isTag, actions: ['update', 'delete'] }, record('changed tags'))
      hooks.on('onCommit', { for: isTag, order: 'pre' }, () => {
        calls.push('fails')
        throw new Error('no')
      })
      hooks.on('onCommit', { actions: ['delete'] }, () => Promise.reject(new Error('neither')))
    },
  })
  const of = repositories(kernel)
  await of('log').create({ data: {} })
  t.same(calls.splice(0), ['all: create log'])
  await kernel.transaction(async () => {
    await of('log').create({ data: {} })
    await of('tag').create({ data: {} })
    await of('tag').update(1, { data: {} })
    await of('note').create({ data: {} })
    await of('tag').delete(1)
  })
  t.same(calls.splice(0), [
    'fails',
    'changed tags: update tag, delete tag',
    'all: create log, create tag, update tag, create note, delete tag',
  ])
  t.match(logger.errors, [{ message: 'Several hooks failed', errors: [{ message: 'no', hook: 'onCommit' }, {}] }])
})

t.test('onCommit receives writes of read hooks that run for write.before()', async t => {
  const committed: string[] = []
  const kernel = await boot(t, {
    contentTypes: [type('tag', {}), type('log', {})],
    configure: kernel => {
      kernel.hooks.on('preWrite', { for: one => one.uid === uid('tag'), actions: ['update'] }, async write => {
        await write.before()
      })
      kernel.hooks.on('onExecute', { for: one => one.uid === uid('tag') }, async () => {
        await kernel.query(uid('log')).create({ data: {} })
      })
      kernel.hooks.on('onCommit', writes => void committed.push(...writes.map(one => one.type.singularName)))
    },
  })
  const of = repositories(kernel)
  await of('tag').create({ data: {} })
  await of('tag').update(1, { data: {} })
  t.equal(committed.filter(one => one === 'log').length, await of('log').count())
})

t.test('write.before() has private values', async t => {
  let before: unknown
  const kernel = await boot(t, {
    contentTypes: [type('safe', { pin: { type: 'string', private: true } })],
    configure: kernel =>
      kernel.hooks.on('preWrite', { actions: ['update'] }, async write => {
        before = await write.before()
      }),
  })
  const safes = repositories(kernel)('safe')
  await safes.create({ data: { pin: '1234' } })
  await safes.update(1, { data: {} })
  t.match(before, { pin: '1234' }, '"all scalars, past every read rule"')
})

t.test(
  'a hook of onCommit with `when` listens to the types that are switched on, and costs the others nothing',
  async t => {
    const on = new Set<string>()
    const seen: string[] = []
    let asked = 0
    const { of, kernel } = await start(t, kernel => {
      const when = (type: ContentType) => {
        asked++
        return on.has(type.uid)
      }
      kernel.hooks.on('onCommit', { actions: ['create', 'update', 'delete'], when }, writes => {
        for (const { type, action, id } of writes) seen.push(`${action} ${type.singularName} ${id}`)
      })
    })
    await of('tag').create({ data: { label: 'a' } })
    t.same(seen, [], 'nothing is switched on')
    t.ok(asked > 0)
    on.add(uid('tag'))
    await of('tag').create({ data: { label: 'b' } })
    await of('tag').update(2, { data: { label: 'c' } })
    await of('article').create({ data: full('first') })
    await of('tag').delete(2)
    t.same(seen, ['create tag 2', 'update tag 2', 'delete tag 2'])
    const refused = await thrown(t, async () =>
      kernel.transaction(async () => {
        await of('tag').create({ data: { label: 'd' } })
        throw new RangeError('no')
      }),
    )
    t.ok(refused instanceof RangeError)
    t.equal(seen.length, 3, 'nothing after a rollback')
    on.clear()
    await of('tag').create({ data: { label: 'e' } })
    t.equal(seen.length, 3, 'switched off')
  },
)

/** Writes one tag three times, and returns the statements of the creation and of the update. */
async function writeTag(kernel: Kernel, state: Record<string, unknown>): Promise<string[]> {
  const statements: string[] = []
  kernel.hooks.on('onStatement', text => void statements.push(text))
  const about = { uid: uid('tag'), params: {}, context: { ...kernel.context(systemAccess), state } }
  const { rows } = await kernel.writer.create({ ...about, data: { label: 'a' } })
  const { id } = toEntries(rows)[0]!
  await kernel.writer.update({ ...about, id, data: { label: 'b' } })
  const changes = [...statements]
  await kernel.writer.delete({ ...about, id })
  return changes
}

t.test('a hook of onWrite with `when` listens to some writes, and costs the others nothing', async t => {
  const seen: string[] = []
  const when = (_type: ContentType, { state }: Context) => state.marked === true
  const { kernel } = await start(t, kernel => {
    kernel.hooks.on('onWrite', { when }, ({ action, id }) => void seen.push(`${action} ${id}`))
    kernel.hooks.on('onWrite', { actions: ['delete'] }, ({ action, id }) => void seen.push(`always: ${action} ${id}`))
  })
  const { kernel: bare } = await start(t)
  t.same(await writeTag(kernel, {}), await writeTag(bare, {}), 'the same statements as without the hook')
  t.same(seen.splice(0), ['always: delete 1'])
  await writeTag(kernel, { marked: true })
  t.same(seen, ['create 2', 'update 2', 'delete 2', 'always: delete 2'])
})

t.test('onLock runs before anything is changed, and what it throws refuses the write', async t => {
  const seen: string[] = []
  let refused: string | null = null
  const { kernel, of } = await start(t, kernel => {
    const isArticle = { for: (one: ContentType) => one.uid === uid('article') }
    kernel.hooks.on('onLock', isArticle, async write => {
      const before = await write.before()
      seen.push(`${write.action} ${before?.title} ${await of('article').count()} ${write.tx !== null}`)
      if (write.action === refused) throw new RangeError('no')
    })
  })
  await of('tag').create({ data: { label: 'a' } })
  await of('article').create({ data: full('first') })
  const before = await dump(kernel)
  const works = {
    create: () => of('article').create({ data: full('second') }),
    update: () => of('article').update(1, { data: { seo: { title: 'y' }, tags: [], author: null } }),
    delete: () => of('article').delete(1),
  }
  seen.length = 0
  for (const [action, work] of Object.entries(works)) {
    refused = action
    t.match(await thrown(t, work), { message: 'no', plugin: 'app', hook: 'onLock' }, action)
    t.equal(await dump(kernel), before, action)
    refused = null
  }
  t.same(seen, ['create undefined 1 true', 'update first 1 true', 'delete first 1 true'])
  await works.update()
  t.not(await dump(kernel), before, 'the same work, unhindered, changes something')
})

t.test('of writes at the same time, onLock checks each by what the one before has stored', async t => {
  const { of } = await start(t, kernel =>
    kernel.hooks.on('onLock', { actions: ['update'] }, async ({ tx, data, id }) => {
      const [row] = await tx!.all(`SELECT label FROM tags WHERE id = ${id}`, [])
      if (row![0] !== 'a') throw new RangeError(`${data.label} comes after ${row![0]}`)
    }),
  )
  await of('tag').create({ data: { label: 'a' } })
  const labels = ['b', 'c', 'd', 'e', 'f']
  const results = await Promise.allSettled(labels.map(label => of('tag').update(1, { data: { label } })))
  t.equal(results.filter(one => one.status === 'fulfilled').length, 1)
})

t.test('a hook of onLock with `when` costs other writes nothing', async t => {
  const seen: string[] = []
  const when = (_type: ContentType, { state }: Context) => state.marked === true
  const { kernel } = await start(t, kernel => {
    kernel.hooks.on('onLock', { when }, ({ action, id }) => void seen.push(`${action} ${id}`))
    kernel.hooks.on('onWrite', { when: () => false }, () => void seen.push('never'))
  })
  const { kernel: bare } = await start(t)
  t.same(await writeTag(kernel, {}), await writeTag(bare, {}), 'the same statements as without the hook')
  t.same(seen, [])
  await writeTag(kernel, { marked: true })
  t.same(seen, ['create null', 'update 2', 'delete 2'])
})

t.test('`when` belongs to hooks in transactions and to onCommit alone', async t => {
  const error = await thrown(t, () => start(t, kernel => kernel.hooks.on('preWrite', { when: () => true }, () => {})))
  t.match(error, { code: 'PLINTH_HOOK_INVALID', message: /when has no effect on this hook/ })
})

t.test('a deletion runs again if a hook finds that the entry is not as another hook had read it', async t => {
  const { kernel, of } = await start(t, kernel => {
    kernel.hooks.on('preWrite', { actions: ['delete'] }, async write => {
      attempts++
      write.state.own = JSON.stringify(await kernel.writer.entries.read(write.type.uid, write.id!, write.context))
      if (attempts === 1 || isHopeless) await of('tag').update(write.id!, { data: { label: `changed ${attempts}` } })
    })
    kernel.hooks.on('onWrite', { actions: ['delete'] }, async write => {
      if (write.state.own !== JSON.stringify(await write.before())) throw new StaleRowError()
    })
  })
  let attempts = 0
  let isHopeless = false
  await of('tag').create({ data: { label: 'a' } })
  t.match(await of('tag').delete(1), { label: 'changed 1' })
  t.equal(attempts, 2)
  const { id } = await of('tag').create({ data: { label: 'b' } })
  isHopeless = true
  await t.rejects(of('tag').delete(id as number), { status: 503, message: /changed too often/ })
  t.equal(attempts, 12)
  t.equal(await kernel.query(uid('tag')).count(), 1)
})
