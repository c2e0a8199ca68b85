// Replacements of one file that meet each other, a deletion, a storage that fails and a process that is gone: record and
// content are always those of one write in the end, and what was answered 200 is what is stored.

import { UnavailableError } from '@plinth/kernel'
import t, { type Test } from 'tap'
import { Files } from '../src/files.ts'
import { fresh, picture, type Started, start } from './fixtures/boot.ts'
import { GatedProvider } from './fixtures/gated.ts'

const form = (content: string | Buffer, filename = 'a.txt') => [{ name: 'files', filename, content }]
const minute = 61_000

/** Two servers on one database and one storage, and a file in it. */
async function two(t: Test) {
  const provider = new GatedProvider()
  const options = { on: await fresh(t), config: { provider } }
  const servers = [await start(t, options), await start(t, options)] as const
  const made = await servers[0].uploaded('a.txt', 'first')
  const key = `${made.hash}.txt`
  const replace = (content: string, server: Started = servers[0]) =>
    server.form(`/api/upload?id=${made.id}`, form(content))
  return { provider, servers, id: made.id as number, key, replace }
}

const linesOf = ({ kernel }: Started) => kernel.knex('upload_journal')

/** Makes the journal look as if so much time had passed. */
const age = ({ kernel }: Started, ms: number) =>
  kernel.transaction(async tx => void (await tx.knex('upload_journal').decrement('noted_at', ms)))

/** Waits until a line of the journal has work that moves content. */
async function noted(server: Started, count: number) {
  for (;;) {
    const lines = await linesOf(server).whereNot({ state: 'storing' })
    const hasCome = lines.some(({ work }) => JSON.parse(work).remove.length >= count)
    if (hasCome) return
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

/** Does what the rounds of a third process would do, at a time after now. */
const recover = ({ kernel }: Started, provider: GatedProvider, after = 0) =>
  new Files(kernel, { name: provider.name, provider }, []).journal.recover(Date.now() + after)

t.test('the later of two replacements in two processes is stored last', async t => {
  const { provider, servers, key, id, replace } = await two(t)
  const gate = provider.hold()
  const first = replace('second')
  await gate.reached
  const later = replace('third, and longer', servers[1])
  await noted(servers[0], 1)
  t.same(provider.seen, [], 'it waits for the first')
  gate.open()
  t.same([(await first).status, (await later).status], [200, 200])
  t.same(provider.seen, ['second', 'third, and longer'])
  t.same([...provider.files], [[key, 'third, and longer']])
  t.match((await servers[0].get(`/api/upload/files/${id}`)).body, { size: 0.02, hash: key.slice(0, -4) })
  t.same(await linesOf(servers[0]), [])
})

t.test('what a later replacement makes needless is not stored', async t => {
  const { provider, servers, key, replace } = await two(t)
  const gate = provider.hold()
  const all = [replace('second')]
  await gate.reached
  for (const content of ['third', 'fourth', 'fifth']) {
    all.push(replace(content, servers[1]))
    await noted(servers[0], all.length - 1)
  }
  gate.open()
  t.same(
    (await Promise.all(all)).map(one => one.status),
    [200, 200, 200, 200],
  )
  t.same(provider.seen, ['second', 'fifth'])
  t.same([...provider.files], [[key, 'fifth']])
})

t.test('a file that is deleted while its content arrives is gone', async t => {
  const { provider, servers, id, replace } = await two(t)
  const gate = provider.hold()
  const replaced = replace('second')
  await gate.reached
  const deleted = servers[1].delete(`/api/upload/files/${id}`)
  await noted(servers[0], 1)
  gate.open()
  t.same([(await replaced).status, (await deleted).status], [200, 200])
  t.same([...provider.files], [])
  t.same(await linesOf(servers[0]), [])
})

t.test('a storage that fails after COMMIT', async t => {
  const { provider, servers, key, replace } = await two(t)
  provider.failure = new UnavailableError()
  t.equal((await replace('second')).status, 503, 'it is not told as done')
  t.equal(provider.files.get(key), 'first', 'the earlier content is still there')
  await recover(servers[0], provider)
  t.equal(provider.files.get(key), 'first')
  t.equal((await replace('third')).status, 503)
  provider.failure = null
  await recover(servers[1], provider)
  t.equal(provider.files.get(key), 'third', 'the last one follows')
  provider.files.set(key, 'second')
  await recover(servers[0], provider, minute)
  t.same([...provider.files], [[key, 'third']], 'also if an earlier attempt arrived late')
  t.same(await linesOf(servers[0]), [])
})

t.test('a storage that reads something else does not make it the content', async t => {
  const { provider, servers, key, replace } = await two(t)
  provider.wrong = '<html>Log in</html>'
  t.equal((await replace('second')).status, 500)
  t.equal(provider.files.get(key), 'first')
  await recover(servers[0], provider, minute)
  t.same([...provider.files], [[key, 'second']])
})

t.test('a start long after a failure leaves nothing to be done', async t => {
  const { provider, servers, key, replace } = await two(t)
  provider.failure = new Error('cut off')
  t.equal((await replace('second')).status, 500)
  provider.failure = null
  await recover(servers[0], provider, minute)
  t.same([[...provider.files], await linesOf(servers[0])], [[[key, 'second']], []])
})

t.test('a failed attempt, then a replacement that succeeds', async t => {
  const { provider, servers, key, replace } = await two(t)
  provider.failure = new Error('cut off')
  t.equal((await replace('second')).status, 500)
  provider.failure = null
  t.equal((await replace('third')).status, 200)
  t.equal(provider.files.get(key), 'third')
  await servers[0].delete(`/api/upload/files/${(await servers[0].get('/api/upload/files')).body[0].id}`)
  provider.files.set(key, 'second')
  await recover(servers[0], provider, minute)
  t.same([[...provider.files], await linesOf(servers[0])], [[], []], 'a deletion outlasts what arrives late, too')
})

t.test('a process that is silent loses its turn, and cannot undo what follows', async t => {
  const { provider, servers, key, replace } = await two(t)
  const gate = provider.hold()
  const silent = replace('second')
  await gate.reached
  await recover(servers[1], provider)
  t.same(provider.seen, [], 'a turn that lasts is left alone')
  await age(servers[0], 25_000)
  const taken = await replace('third', servers[1])
  t.equal(taken.status, 200, taken.text)
  t.equal(provider.files.get(key), 'third')
  gate.open()
  t.equal((await silent).status, 200)
  t.equal(provider.files.get(key), 'second', 'it was not dead')
  await recover(servers[1], provider, minute)
  t.same([...provider.files], [[key, 'third']])
  t.same(await linesOf(servers[0]), [])
})

t.test('the turn of a killed process is taken over while the server runs', async t => {
  const { provider, servers, key, replace } = await two(t)
  const gate = provider.hold()
  const killed = replace('second')
  await gate.reached
  await age(servers[0], minute)
  await recover(servers[1], provider)
  t.same([...provider.files], [[key, 'second']])
  t.same(await linesOf(servers[0]), [], 'nothing of it can arrive any more')
  gate.open()
  t.equal((await killed).status, 200)
})

t.test('a deletion removes the files that the record has when it is deleted', async t => {
  const large = await picture(800, 600)
  const servers: Started[] = []
  const server = await start(t, {
    configure: ({ hooks }) =>
      hooks.on('preWrite', { for: ({ uid }) => uid === 'plugin::upload.file', actions: ['delete'] }, async ({ id }) => {
        const { status } = await servers[0]!.form(`/api/upload?id=${id}`, form(large, 'a.png'))
        t.equal(status, 200)
      }),
  })
  servers.push(server)
  const { id } = await server.uploaded('a.png', await picture(10, 10))
  t.equal((await server.delete(`/api/upload/files/${id}`)).status, 200)
  t.same(await server.stored(), [])
})

t.test('replacements and deletions at once, on the disk', async t => {
  const on = await fresh(t)
  const one = await start(t, { on })
  const servers = [one, await start(t, { on, folder: one.folder })] as const
  const contents = await Promise.all([picture(10, 10), picture(300, 200), picture(800, 600)])
  for (let round = 0; round < 4; round++) {
    const { id } = await one.uploaded('a.png', contents[round % 3]!)
    const all = Array.from({ length: 6 }, (_, i) =>
      i === 5 && round % 2 === 1
        ? servers[1].delete(`/api/upload/files/${id}`)
        : servers[i % 2]!.form(`/api/upload?id=${id}`, form(contents[i % 3]!, 'a.png')),
    )
    for (const { status } of await Promise.all(all)) t.ok(status === 200 || status === 404, `${status}`)
  }
  const expected: string[] = []
  for (const { hash, ext, size, formats } of await one.kernel.query('plugin::upload.file').findMany()) {
    expected.push(`${hash}${ext}`)
    const content = await (await fetch(`${one.base}/uploads/${hash}${ext}`)).arrayBuffer()
    t.equal(Math.round(content.byteLength / 10) / 100, Number(size))
    for (const format of Object.values(
      (formats ?? {}) as Record<string, { hash: string; ext: string; sizeInBytes: number }>,
    )) {
      expected.push(`${format.hash}${format.ext}`)
      const content = await (await fetch(`${one.base}/uploads/${format.hash}${format.ext}`)).arrayBuffer()
      t.equal(content.byteLength, format.sizeInBytes)
    }
  }
  t.same(await one.stored(), expected.sort())
  t.same(await linesOf(one), [])
})
