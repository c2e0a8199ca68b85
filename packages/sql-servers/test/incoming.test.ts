// What arrives from a server is counted; while there is no room for it, the connection is not read, and others like this read
// are told.

import { EventEmitter } from 'node:events'
import t from 'tap'
import { countIncoming } from '../src/connections/incoming.ts'
import { ServerUsage } from '../src/connections/usage.ts'

t.test('a read that must wait for room', async t => {
  const calls: string[] = []
  const stream = Object.assign(new EventEmitter(), {
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
  })
  const usage = new ServerUsage()
  countIncoming(stream, usage)
  let give: () => void = () => {}
  let left = 100
  const bytes = {
    add: (count: number) => {
      left -= count
      return left >= 0
    },
    room: () =>
      new Promise<void>(resolve => {
        give = resolve
      }),
  }
  usage.take({ shape: {}, bytes: bytes as never })
  usage.onPause = () => calls.push('told')
  usage.begin()
  stream.emit('data', Buffer.alloc(60))
  t.same(calls, [])
  stream.emit('data', Buffer.alloc(60))
  stream.emit('data', Buffer.alloc(60))
  t.same(calls, ['pause', 'told'])
  t.equal(usage.isWithoutRoom, true)
  give()
  await new Promise(setImmediate)
  t.same(calls, ['pause', 'told', 'resume'])
  t.equal(usage.isWithoutRoom, false)
})
