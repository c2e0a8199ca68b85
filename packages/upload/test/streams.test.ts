// Uploads are streams: memory stays flat whatever their size and number, and a caller without the right is refused while it
// still sends.

import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { type Started, start } from './fixtures/boot.ts'

const head = '--b\r\ncontent-disposition: form-data; name="files"; filename="a.bin"\r\n\r\n'
const tail = '\r\n--b--\r\n'

const megabyte = Buffer.alloc(1_000_000, 0x80)

/** Sends a file of so many megabytes in pieces. Resolves with the status and the number of bytes that were sent. */
async function sendLarge({ base }: Started, megabytes: number, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(base)
  const sent = request({
    hostname,
    port,
    path: '/api/upload',
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'multipart/form-data; boundary=b', ...headers },
  })
  const answered = once(sent, 'response')
  let status: number | null = null
  void answered.then(([response]) => {
    status = response.statusCode
    response.resume()
  })
  sent.on('error', () => {})
  sent.write(head)
  let bytes = 0
  for (; bytes < megabytes * 1_000_000 && status === null && !sent.destroyed; bytes += megabyte.length)
    if (!sent.write(megabyte)) await Promise.race([once(sent, 'drain').catch(() => {}), answered])
  sent.end(tail)
  await answered
  return { status: status!, bytes }
}

/** The most memory that the process has while `work` runs, beyond what it had before, in megabytes. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 20)
  await work()
  clearInterval(timer)
  return (most - before) / 1_000_000
}

t.test('security.md row 83: 500 MB need no more memory than 50', async t => {
  const started = await start(t)
  t.equal((await sendLarge(started, 50)).status, 200)
  const small = await growth(() => sendLarge(started, 50))
  let answer: { readonly status: number } | undefined
  const large = await growth(async () => {
    answer = await sendLarge(started, 500)
  })
  t.equal(answer?.status, 200)
  t.comment(`memory grew by ${small.toFixed()} MB for 50 MB, and by ${large.toFixed()} MB for 500 MB`)
  t.ok(large < small + 100, `${large} MB`)
  t.match((await started.get('/api/upload/files?sort=id')).body.at(-1), { size: 500_000 })
})

t.test('security.md row 83: 100 uploads at once', async t => {
  const started = await start(t)
  const { form, stored, get } = started
  const content = Buffer.alloc(2_000_000, 0x80)
  const one = () => form('/api/upload', [{ name: 'files', filename: 'a.bin', content }])
  let answers: { readonly status: number }[] = []
  const grown = await growth(async () => {
    answers = await Promise.all(Array.from({ length: 100 }, one))
  })
  t.same(new Set(answers.map(each => each.status)), new Set([200]))
  // The client is this process, too, and has each file several times.
  t.comment(`memory grew by ${grown.toFixed()} MB, with the clients`)
  t.equal((await stored()).length, 100)
  t.equal((await get('/api/upload/files?fields=name')).body.length, 100)
})

t.test('a caller without the right is refused while it sends, and nothing is on disk', async t => {
  const started = await start(t)
  const { status, bytes } = await sendLarge(started, 100, { rights: 'none' })
  t.equal(status, 403)
  t.ok(bytes < 100_000_000, `after ${bytes} bytes`)
  t.same(await started.stored(), [])
})

t.test('an upload that takes too long ends', async t => {
  const started = await start(t, { config: { timeLimit: 1 } })
  const { hostname, port } = new URL(started.base)
  const sent = request({
    ...{ hostname, port, path: '/api/upload', method: 'POST' },
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  sent.on('error', () => {})
  sent.write(`${head}some`)
  const [response] = await once(sent, 'response')
  t.equal(response.statusCode, 408)
  response.resume()
  sent.destroy()
  await sleep(100)
  t.same(await started.stored(), [])
})
