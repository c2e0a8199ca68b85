// Reads of several statements in one snapshot (`consistentReads`): the statements and messages that they take, that their
// connections come back without a transaction, and that answers stay the same.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import type { Test } from 'tap'
import type { Session } from '../../src/connection/session.ts'
import { createContext, createKernel, type Kernel, openAccess } from '../../src/index.ts'
import { component, thrown, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, name: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: uid(name),
  ...more,
})
const contentTypes = [
  type('person', { name: { type: 'string' } }),
  type('tag', { label: { type: 'string' }, owner: to('manyToOne', 'person') }),
  type('file', { name: { type: 'string' }, related: { type: 'relation', relation: 'morphToMany' } }),
  type('page', {
    title: { type: 'string' },
    author: to('manyToOne', 'person'),
    tags: to('manyToMany', 'tag'),
    files: to('morphMany', 'file', { morphBy: 'related' }),
    subject: { type: 'relation', relation: 'morphToOne' },
    parts: { type: 'component', component: 'a.part', repeatable: true },
    zone: { type: 'dynamiczone', components: ['a.part', 'a.note'] },
  }),
]
const components = {
  'a.part': component('a.part', { text: { type: 'string' }, tag: to('manyToOne', 'tag') }),
  'a.note': component('a.note', { text: { type: 'string' } }),
}

/** What a session runs to know its connection, to wait, and, elsewhere, to end it and to see that no transaction is open. */
const servers = {
  postgres: {
    own: 'SELECT pg_backend_pid()',
    wait: 'SELECT pg_sleep(100)',
    end: (id: unknown) => `SELECT pg_terminate_backend(${id})`,
    open: (id: unknown) => `SELECT COUNT(*) AS n FROM pg_stat_activity WHERE pid = ${id} AND state <> 'idle'`,
  },
  mysql: {
    own: 'SELECT CONNECTION_ID()',
    wait: 'SELECT SLEEP(100)',
    end: (id: unknown) => `KILL ${id}`,
    open: (id: unknown) => `SELECT COUNT(*) AS n FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = ${id}`,
  },
}

async function fill(kernel: Kernel): Promise<void> {
  const create = (name: string, data: object) => kernel.query(uid(name)).create({ data: { ...data } })
  await create('person', { name: 'Ann' })
  for (let i = 1; i <= 4; i++) await create('tag', { label: `t${i}`, owner: i % 2 === 0 ? 1 : null })
  await create('file', { name: 'f' })
  for (let i = 1; i <= 5; i++) {
    const parts = Array.from({ length: i - 1 }, (_, n) => ({ text: `p${n}`, tag: n === 0 ? 1 : null }))
    const zone = [{ __component: 'a.note', text: 'n' }, ...parts.map(part => ({ __component: 'a.part', ...part }))]
    const subject = i === 1 ? null : { __type: uid(i % 2 === 0 ? 'tag' : 'person'), id: 1 }
    await create('page', {
      title: `${i}`,
      author: 1,
      tags: [1, 2, 3, 4].slice(0, i - 1),
      files: [1],
      parts,
      zone,
      subject,
    })
  }
}

/** Questions whose number of messages is the same in a snapshot. */
const questions: Readonly<Record<string, object>> = {
  flat: {},
  relations: { populate: ['author', 'tags'] },
  deep: {
    populate: { author: true, tags: { populate: ['owner'] }, parts: { populate: { tag: { populate: ['owner'] } } } },
  },
  zone: { populate: { zone: { populate: '*' } } },
  polymorphic: { populate: { subject: true, files: true } },
  'lists with pages': { populate: { tags: { limit: 3, sort: ['id'] }, parts: { limit: 2 } } },
  everything: { populate: '*' },
}

/** SQLite asks for the version of the database when a busy machine made it choose a process for a read. */
const isVersion = (text: string) => text === 'PRAGMA data_version'

/**
 * The messages to the server that `work` took, and its statements, without those that choose where it runs, and without
 * those of an attempt of SQLite that took too long: the read begins again in a process, with its first statement.
 */
async function observed<T>(kernel: Kernel, work: () => Promise<T>) {
  let messages = 0
  let mayBeginAgain = false
  let texts: string[] = []
  const observer = {
    onStatement(text: string) {
      if (isVersion(text)) {
        mayBeginAgain = true
        messages--
      } else if (mayBeginAgain && text === texts[0]) [messages, texts] = [0, [text]]
      else texts.push(text)
    },
    onBegin: () => void messages++,
    onEnd: () => {},
  }
  const value = await kernel.observe(observer, work)
  return { value, messages, texts }
}

const isBracket = (text: string) => /^(BEGIN|START|SET|COMMIT|ROLLBACK)/.test(text)

/** Two kernels with one connection each on one database: reads of the first have snapshots. */
async function start(t: Test) {
  const database = await fresh(t)
  const open = async (consistentReads: boolean) => {
    const config = { ...database.config, consistentReads, pool: { max: 1 }, statementTimeout: 120_000 }
    const kernel = await createKernel({ database: config, contentTypes, components, maxRows: 100 })
    t.teardown(() => kernel.close())
    return kernel
  }
  const kernels = { on: await open(true), off: await open(false) }
  await fill(kernels.off)
  const other = await database.open()
  t.teardown(() => other.close())
  return { ...kernels, other }
}

await onEach('answers are the same in snapshots, which take no message more', async (t, client) => {
  const { on, off } = await start(t)
  for (const [name, more] of Object.entries(questions)) {
    for (const pagination of [{ limit: 2 }, { limit: 10 }, { start: 3, limit: 1 }]) {
      const params = { ...more, sort: ['id'], pagination }
      const ask = (kernel: Kernel) => observed(kernel, () => kernel.query(uid('page')).findPage(params))
      // Blocks of MariaDB are prepared when they come again; a full page is expected from the second time on.
      for (let i = 0; i < 3; i++) t.same((await ask(on)).value, (await ask(off)).value, name)
      const [inSnapshot, plain] = [await ask(on), await ask(off)]
      const what = `${name}, ${JSON.stringify(pagination)}`
      t.same(inSnapshot.value, plain.value, what)
      t.equal(inSnapshot.messages, plain.messages, `${what}: messages`)
      t.same(
        inSnapshot.texts.filter(text => !isBracket(text)),
        plain.texts,
        `${what}: statements`,
      )
      const brackets = inSnapshot.texts.filter(isBracket)
      if (client === 'sqlite' || plain.texts.length === 1) t.same(brackets, [], `${what}: no snapshot`)
      else t.equal(brackets.at(-1), 'COMMIT', `${what}: a snapshot that ends with the last statements`)
    }
  }
})

await onEach('a read of one statement has no snapshot', async (t, client) => {
  const { on, off } = await start(t)
  const asks: readonly ((kernel: Kernel) => Promise<unknown>)[] = [
    kernel => kernel.query(uid('page')).findOne(1),
    kernel => kernel.query(uid('page')).findMany({ fields: ['title'] }),
    kernel => kernel.query(uid('page')).findPage({ pagination: { limit: 10 } }),
    kernel => kernel.query(uid('page')).count({}),
  ]
  for (const ask of asks) {
    const { texts } = await observed(on, () => ask(on))
    t.same(texts, (await observed(off, () => ask(off))).texts)
    if (client !== 'sqlite') t.equal(texts.length, 1)
  }
})

await onEach('pages that turn out to be full, or not to be', async t => {
  const { on } = await start(t)
  const pages = on.query(uid('page'))
  for (const populate of [{}, { populate: ['tags'] }])
    for (const start of [0, 4, 2, 0, 4, 6]) {
      const { entries, pagination } = await pages.findPage({
        ...populate,
        sort: ['id'],
        pagination: { start, limit: 2 },
      })
      t.equal(entries.length, Math.max(0, Math.min(2, 5 - start)))
      t.equal(pagination.total, 5)
    }
})

await onEach('a read begins again if the end of its snapshot was sent too early', async (t, client) => {
  const { on, off } = await start(t)
  // Lists are asked for plainly first; these do not come whole.
  const params = { populate: { tags: { limit: 1, sort: ['id'] } }, sort: ['id'], pagination: { limit: 5 } }
  const ask = (kernel: Kernel) => observed(kernel, () => kernel.query(uid('page')).findPage(params))
  for (let i = 0; i < 4; i++) {
    const { value, texts } = await ask(on)
    t.same(value, (await ask(off)).value)
    const begins = texts.filter(text => /^(BEGIN|START)/.test(text)).length
    if (client !== 'sqlite') t.equal(begins, i === 0 ? 2 : 1, 'then the branch knows it')
  }
})

await onEach('more rows than a request may fetch are refused in a snapshot, too', async t => {
  const { on, other } = await start(t)
  for (let id = 10; id < 80; id++) {
    await other.run(`INSERT INTO tags (id, label) VALUES (${id}, 'x')`)
    await other.run(`INSERT INTO pages_tags_links (page_id, tag_id) VALUES (5, ${id}), (4, ${id})`)
  }
  const read = () => on.query(uid('page'), createContext(openAccess)).findMany({ populate: ['tags'] })
  t.match(await thrown(t, read), { status: 400, details: { maxRows: 100 } })
  t.equal((await on.query(uid('page')).findPage({ populate: ['author'] })).pagination.total, 5)
})

await onEach('a connection comes back without a transaction, whatever happens to its read', async (t, client) => {
  // The package of SQLite tests its own.
  if (client === 'sqlite') return
  const { on, other } = await start(t)
  const { own, wait, end, open } = servers[client]
  const { database } = on
  const count = { text: 'SELECT COUNT(*) FROM pages', values: [] }
  const broken = { text: 'SELECT nothing FROM nowhere', values: [] }
  const inSnapshot = (work: (session: Session) => unknown) => async (session: Session) => {
    session.beginSnapshot!()
    return work(session)
  }
  const works: Readonly<Record<string, (session: Session) => unknown>> = {
    'no statement': () => null,
    'no statement, and an error': () => Promise.reject(new Error('of the work')),
    'no end': session => session.all(count.text, []),
    'no end, and an error': async session => {
      await session.all(count.text, [])
      throw new Error('of the work')
    },
    'its end': session => session.batch([count, count], true),
    'the first statement fails': session => session.all(broken.text, []),
    'a later statement fails': async session => {
      await session.all(count.text, [])
      await session.batch([count, broken])
    },
    'the last statement fails': async session => {
      await session.all(count.text, [])
      await session.batch([count, broken], true)
    },
    'an error that is handled': async session => {
      try {
        await session.batch([broken, count], true)
      } catch {
        // The read goes on without these rows.
      }
    },
  }
  const [[id] = []] = await database.read(session => session.all(own, []))
  let number = 5
  for (const round of ['once', 'again', 'a third time'])
    for (const [name, work] of Object.entries(works)) {
      const read = async () => database.read(inSnapshot(work))
      const isFailing = /fails|error$/.test(name)
      if (isFailing) await t.rejects(read(), `${name} ${round}`)
      else await t.resolves(read(), `${name} ${round}`)
      const [[later] = []] = await database.read(session => session.all(own, []))
      t.equal(later, id, `${name} ${round}: the connection is used again`)
      t.same(await other.all(open(id)), [{ n: client === 'mysql' ? 0 : '0' }], `${name} ${round}: no transaction`)
      await on.query(uid('page')).create({ data: { title: name } })
      t.equal(
        (await on.query(uid('page')).findPage({ populate: ['tags'], pagination: { limit: 1 } })).pagination.total,
        ++number,
      )
    }
  t.equal(database.connections.busy, 0)

  await t.test('a client that has gone', async t => {
    const gone = database.read(
      inSnapshot(async session => session.batch([{ text: wait, values: [] }], true)),
      {
        isAbandoned: () => true,
      },
    )
    t.match(await thrown(t, () => gone), { status: 503 })
    t.equal(await on.query(uid('page')).count({}), number)
  })

  await t.test('a connection that is lost', async t => {
    const lost = database.read(
      inSnapshot(async session => {
        const [[lostId] = []] = await session.all(own, [])
        await other.run(end(lostId))
        await session.all(count.text, [])
      }),
    )
    t.match(await thrown(t, () => lost), { status: 503 })
    t.equal((await on.query(uid('page')).findPage({ populate: ['tags'] })).pagination.total, number)
  })
})

await onEach('reads in a transaction belong to it, and reads after a write see it', async (t, client) => {
  const { on } = await start(t)
  const pages = on.query(uid('page'))
  const { texts, value } = await observed(on, () =>
    on.transaction(async () => {
      await pages.create({ data: { title: 'x', tags: [1] } })
      return pages.findPage({ populate: ['tags'], pagination: { limit: 2 } })
    }),
  )
  t.equal(value.pagination.total, 6)
  t.equal(texts.filter(text => /^(BEGIN|START)/.test(text)).length, 1, `one transaction (${client})`)
  for (let total = 7; total < 30; total++) {
    await Promise.all([pages.create({ data: { title: 'x' } }), pages.findPage({ populate: '*' })])
    t.equal((await pages.findPage({ populate: ['tags'], pagination: { limit: 1 } })).pagination.total, total)
  }
})
