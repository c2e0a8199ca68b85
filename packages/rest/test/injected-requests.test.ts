// Injected requests, which have no connection: tests and adapters for serverless platforms send them.

import { definePlugin } from '@plinth/kernel'
import t from 'tap'
import { start } from './fixtures/boot.ts'

t.test('reads of an injected request are not cancelled', async t => {
  const seen: (boolean | undefined)[] = []
  const looks = definePlugin({
    name: 'looks',
    register: ({ kernel }) => kernel.hooks.on('preReply', ({ context }) => void seen.push(context.isAbandoned?.())),
  })
  const { app } = await start(t, { plugins: { looks: { plugin: looks } } })
  t.equal((await app.inject('/api/tags')).statusCode, 200)
  t.strictSame(seen, [false])
})
