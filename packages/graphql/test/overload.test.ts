// An operation whose field is refused because there is too much to do is answered 200, as in v4, and still counts: its
// connection is paused like that of a refused request of REST. Reasons are told with the context of the caller.

import type { Socket } from 'node:net'
import { type Context, ForbiddenError, UnavailableError } from '@plinth/kernel'
import { until } from '@plinth/test-tools/command'
import { stopClock } from '@plinth/test-tools/stopped-clock'
import t from 'tap'
import { start } from './fixtures/boot.ts'

t.test('connections of refused operations are paused', async t => {
  const remarks: { readonly reason: string; readonly key: string | undefined }[] = []
  let error: Error = new UnavailableError('Too much to do', { isOverload: true })
  const { app } = await start(t, {
    configure: kernel => {
      kernel.hooks.on('preExecute', () => Promise.reject(error))
      kernel.hooks.on('onRemark', (reason, context) => remarks.push({ reason, key: (context as Context).access?.key }))
    },
  })
  const sockets: Socket[] = []
  app.server.on('connection', (socket: Socket) => sockets.push(socket))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = async () => {
    const answer = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ tags { data { id } } }' }),
    })
    return { status: answer.status, body: (await answer.json()) as { readonly errors: readonly { message: string }[] } }
  }
  let isPaused = false
  const first = await ask()
  t.equal(first.status, 200)
  t.match(first.body.errors[0]!.message, 'Too much to do')
  // A hundred refusals a second are too many. The clock stands still until a connection is paused, because a busy machine
  // refuses fewer.
  const { resume } = stopClock(t)
  const asking = (async () => {
    for (let i = 0; i < 2000 && !isPaused; i++) await ask()
  })()
  await until(
    () => {
      isPaused ||= sockets.some(socket => socket.isPaused())
      return isPaused
    },
    () => 'a paused connection',
  )
  resume()
  await asking
  t.ok(isPaused)
  error = new ForbiddenError().withReason('the test says so')
  await ask()
  t.same(remarks, [{ reason: '403: the test says so', key: 'open' }])
})
