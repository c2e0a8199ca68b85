/**
 * SIGTERM under load (security.md F10): requests in progress are answered, connections that stay open are told to close,
 * and the process ends within ten seconds.
 */

import { readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { answers, application, ask, begin, hammer, type Served, serve, subscribe, uploadSlowly } from './load.ts'

const bin = join(import.meta.dirname, '../../packages/cli/src/bin.ts')

/**
 * Keeps a server busy, ends it by `stop`, and checks that nothing was lost. The connections that reach several processes
 * are accepted by the one that started them, which Node gives no way to close first: those that it holds when the last
 * process ends are reset, as docs/deployment.md says. One process leaves none.
 */
async function endUnderLoad(t: Test, served: Served, stop: () => void, processes = 1): Promise<void> {
  const { port } = served
  let isOver = false
  const load = hammer(port, 20, () => isOver)
  const { closed } = await subscribe(port)
  const slow = Array.from({ length: 5 }, () => begin({ port, path: '/slow' }))
  const uploads = Array.from({ length: 3 }, () => uploadSlowly(port, 2500))
  const requests = [...slow, ...uploads]
  await Promise.all(requests.map(one => one.begun))
  await delay(1000)
  const began = performance.now()
  stop()
  const results = await Promise.allSettled(requests.map(one => one.reply))
  t.same(
    results.map(one => (one.status === 'fulfilled' ? one.value.status : String(one.reason))),
    results.map(() => 200),
    'slow requests and uploads are answered',
  )
  t.type(await closed, 'number', 'the subscription ends')
  const code = await served.ended
  const took = performance.now() - began
  isOver = true
  const { answered, lost, unseen, late } = await load
  t.same(lost, [], `none of ${answered} requests is lost`)
  if (processes === 1) t.same(unseen, [], 'and no connection')
  t.ok(answered > 50, `${answered} requests were answered, ${late.length} clients were late`)
  t.equal(code, 0, served.text())
  t.ok(took < 10_000, `it ended after ${Math.round(took)} ms`)
  for (let i = 0; i < 40 && (await answers(port)); i++) await delay(50)
  t.notOk(await answers(port), 'no process is left')
}

for (const count of [1, 3]) {
  t.test(`SIGTERM to plinth start with ${count} process(es)`, async t => {
    const served = await serve(t, await application(t), [process.execPath, bin, 'start', '--processes', String(count)])
    await delay(1000)
    await endUnderLoad(t, served, () => served.process.kill('SIGTERM'), count)
  })

  t.test(`SIGTERM to all ${count} process(es) of a group, twice in a moment`, async t => {
    // As systemd signals all processes of a unit, while npm forwards the signal that it has got itself.
    const served = await serve(t, await application(t), [process.execPath, bin, 'start', '--processes', String(count)])
    await delay(1000)
    const twice = () => {
      process.kill(-served.process.pid!, 'SIGTERM')
      setTimeout(() => process.kill(-served.process.pid!, 'SIGTERM'), 100)
    }
    await endUnderLoad(t, served, twice, count)
  })
}

t.test('/_health/ready answers 503 on open connections while requests are in progress', async t => {
  const served = await serve(t, await application(t), [process.execPath, bin, 'start'])
  const { port } = served
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const slow = ask({ port, path: '/slow', agent: false })
  t.equal((await ask({ port, path: '/_health/ready', agent })).status, 204)
  await delay(200)
  served.process.kill('SIGTERM')
  let ready = await ask({ port, path: '/_health/ready', agent })
  // A process that others keep from running receives the signal later.
  while (ready.status === 204) ready = await ask({ port, path: '/_health/ready', agent })
  const { status, headers } = ready
  t.equal(status, 503)
  t.equal(headers.connection, 'close', 'and the connection is told to close')
  t.equal((await slow).status, 200)
  t.equal(await served.ended, 0)
})

const document = await readFile(join(import.meta.dirname, '../../docs/deployment.md'), 'utf8')
const recommended = {
  systemd: /^ExecStart=\/srv\/library\/(.+)$/m.exec(document)![1]!.split(' '),
  containers: JSON.parse(/^CMD (\[.+\])$/m.exec(document)![1]!) as string[],
}

for (const [where, words] of Object.entries(recommended))
  t.test(`SIGTERM to the command that docs/deployment.md recommends for ${where}`, async t => {
    t.equal(words.at(-1), 'start')
    const [program, ...rest] = words as [string, ...string[]]
    const served = await serve(t, await application(t), [program === 'node' ? process.execPath : program, ...rest])
    await endUnderLoad(t, served, () => served.process.kill('SIGTERM'))
  })
