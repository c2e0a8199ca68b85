// The bytes of rows count for a share while they arrive: a read that has no room waits, with its rows on the database's side or
// without them, and ends with the error of its share.

import { freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { createContext, openAccess, type RowShare, UnavailableError } from '../../src/index.ts'
import { boot, client, thrown, type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('post', {
    title: { type: 'string' },
    text: { type: 'text' },
    tags: { type: 'relation', relation: 'oneToMany', target: uid('tag'), mappedBy: 'post' },
  }),
  type('tag', {
    label: { type: 'text' },
    post: { type: 'relation', relation: 'manyToOne', target: uid('post'), inversedBy: 'tags' },
  }),
]

const kb = 1024
const posts = 120
const textLength = 100_000

/** A share with room for `most` bytes, which records what it is told. */
class TestShare implements RowShare {
  most: number
  bytes = 0
  mostBytes = 0
  reads = 0
  refused = 0
  readonly waiting: { resolve(): void; reject(error: unknown): void }[] = []
  onWait: () => void = () => {}

  constructor(most = Number.POSITIVE_INFINITY) {
    this.most = most
  }

  beginRead(): void {
    this.reads++
  }

  endRead(): void {
    this.reads--
  }

  addRows(bytes: number): boolean {
    this.bytes += bytes
    this.mostBytes = Math.max(this.bytes, this.mostBytes)
    return this.bytes <= this.most
  }

  removeRows(bytes: number): void {
    this.bytes -= bytes
  }

  get rowsLeft(): number {
    return this.most - this.bytes
  }

  roomForRows(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject })
      this.onWait()
    })
  }

  refuseRows(): UnavailableError {
    this.refused++
    return new UnavailableError('no room')
  }

  /** Resolves when a read waits for room. */
  waits(): Promise<void> {
    return new Promise(resolve => {
      this.onWait = resolve
      if (this.waiting.length > 0) resolve()
    })
  }
}

/** A kernel over 12 MB of posts. */
async function start(t: Test) {
  const database = await freshDatabase(client())
  t.teardown(() => database.drop())
  const kernel = await boot(t, { database: database.config, contentTypes })
  const [first] = await Promise.all(
    Array.from({ length: posts }, (_, i) =>
      kernel.query(uid('post')).create({ data: { title: `post ${i}`, text: 'x'.repeat(textLength) } }),
    ),
  )
  const of = (name: string, share: RowShare) => kernel.query(uid(name), { ...createContext(openAccess), share })
  return { kernel, first: first!.id, of }
}

t.test('bytes of rows', async t => {
  const { kernel, first, of } = await start(t)
  const all = { fields: ['title', 'text'], pagination: { limit: posts } }
  const whole = posts * textLength

  await t.test('all bytes count, and little more', async t => {
    const share = new TestShare()
    for (let i = 0; i < 2; i++) {
      share.bytes = 0
      t.equal((await of('post', share).findMany(all)).length, posts)
      t.ok(share.bytes >= whole && share.bytes < 1.1 * whole, String(share.bytes))
    }
    share.bytes = 0
    await of('post', share).findMany({ fields: ['title'], pagination: { limit: 25 } })
    t.ok(share.bytes > 25 * 7 && share.bytes < 8 * kb, String(share.bytes))
    t.equal(share.reads, 0, 'each read that began has ended')
  })

  await t.test('a read without room waits, without most of its rows, and goes on when there is room', async t => {
    const share = new TestShare(300 * kb)
    const read = of('post', share).findMany(all)
    await share.waits()
    t.ok(share.mostBytes < 3 * 1024 * kb || client() === 'sqlite', 'the rest is not here yet')
    share.most = Number.POSITIVE_INFINITY
    share.waiting.shift()!.resolve()
    t.equal((await read).length, posts)
    t.ok(share.bytes >= whole && share.bytes < 1.1 * whole, String(share.bytes))
    t.equal(share.reads, 0)
  })

  await t.test('a statement that had many bytes is not fetched to its end where there is no room', async t => {
    const share = new TestShare(300 * kb)
    const read = of('post', share).findMany(all)
    await share.waits()
    t.ok(share.mostBytes < 3 * 1024 * kb, String(share.mostBytes))
    share.waiting.shift()!.reject(new UnavailableError('no room'))
    t.match(await thrown(t, () => read), { name: 'ServiceUnavailableError', message: 'no room' })
    t.equal(share.reads, 0)
  })

  // Only SQLite reads on the event loop.
  if (client() === 'sqlite')
    await t.test('of many reads that begin in vain, a turn of the event loop has only some', async t => {
      const shares = Array.from({ length: 60 }, () => new TestShare(9 * 1024 * kb))
      const refusal = new UnavailableError('no room')
      for (const share of shares) share.onWait = () => share.waiting.shift()!.reject(refusal)
      let ended = 0
      const reads = shares.map(share =>
        thrown(t, () => of('post', share).findMany(all)).then(error => {
          ended++
          return error
        }),
      )
      await new Promise(resolve => setImmediate(resolve))
      t.ok(ended < shares.length, `${ended} reads in the first turn`)
      for (const error of await Promise.all(reads)) t.equal(error, refusal)
    })

  await t.test(
    'a read that is refused ends with the error of the share, and leaves its connection to others',
    async t => {
      for (let i = 0; i < 12; i++) {
        const share = new TestShare(200 * kb)
        const read = thrown(t, () => of('post', share).findMany(all))
        await share.waits()
        share.waiting.shift()!.reject(new UnavailableError(`refused ${i}`, { retryAfter: 2 }))
        t.match(await read, { status: 503, retryAfter: 2, message: `refused ${i}` })
      }
      t.equal((await of('post', new TestShare()).findMany(all)).length, posts)
      t.equal(kernel.connections.busy, 0)
    },
  )

  await t.test('a share that promises room and has none ends the read, and not the event loop', async t => {
    if (client() !== 'sqlite') return
    const share = new TestShare(200 * kb)
    share.roomForRows = () => Promise.resolve()
    t.match(await thrown(t, () => of('post', share).findMany(all)), { status: 503, message: 'no room' })
    t.equal(share.reads, 0)
  })

  await t.test('what was read below counts, too', async t => {
    await kernel.query(uid('tag')).create({ data: { label: 'y'.repeat(textLength), post: first } })
    const share = new TestShare()
    await of('post', share).findOne(first, { fields: ['title'], populate: { tags: true } })
    t.ok(share.bytes > textLength, String(share.bytes))
    // On a server one chunk may hold everything: then nothing is left to wait for.
    if (client() !== 'sqlite') return
    const none = new TestShare(20 * kb)
    const read = thrown(t, () => of('post', none).findOne(first, { fields: ['title'], populate: { tags: true } }))
    await none.waits()
    none.waiting.shift()!.reject(new UnavailableError('no room'))
    t.match(await read, { status: 503 })
  })

  await t.test('a read within a transaction does not wait, because others wait for what it has locked', async t => {
    const share = new TestShare(300 * kb)
    const error = await thrown(t, () => kernel.transaction(() => of('post', share).findMany(all)))
    t.match(error, { status: 503, message: 'no room' })
    t.equal(share.waiting.length, 0)
    t.equal(share.refused, 1)
    t.equal(share.bytes, 0, 'its rows are let go')
  })
})
