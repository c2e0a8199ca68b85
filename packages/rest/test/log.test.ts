// What the log says of an error that a hook throws: the client gets a bare 500, the owner the plugin and the hook.

import { PassThrough } from 'node:stream'
import { definePlugin } from '@plinth/kernel'
import { plainLog } from '@plinth/server'
import t from 'tap'
import { start } from './fixtures/boot.ts'

const lamp = definePlugin({
  name: 'lamp',
  register: ({ kernel }) =>
    kernel.hooks.on('preWrite', () => {
      throw new RangeError('too dark')
    }),
})

t.test('a 500 of a hook names the plugin in the log, and nobody in the answer', async t => {
  const stream = new PassThrough()
  const plugins = { lamp: { plugin: lamp } }
  const { app } = await start(t, { plugins, logger: { level: 'error', stream } })
  const answer = await app.inject({ method: 'POST', url: '/api/tags', payload: { data: {} } })
  const error = { status: 500, name: 'InternalServerError', message: 'Internal Server Error' }
  t.strictSame([answer.statusCode, answer.json()], [500, { data: null, error }])
  t.match(JSON.parse(String(stream.read())), {
    msg: 'plugin lamp: hook preWrite: too dark',
    err: { type: 'RangeError', message: 'too dark', plugin: 'lamp', hook: 'preWrite' },
  })
})

t.test('in lines for people, too, once', async t => {
  const lines: string[] = []
  const { write } = process.stderr
  t.teardown(() => {
    process.stderr.write = write
  })
  process.stderr.write = ((text: string) => lines.push(text) > 0) as typeof write
  const err = { message: 'too dark', stack: 'RangeError: too dark\n  at x', plugin: 'lamp', hook: 'preWrite' }
  const { stream } = plainLog()
  for (const msg of ['plugin lamp: hook preWrite: too dark', 'too dark', 'after commit'])
    stream.write(JSON.stringify({ level: 50, msg, err }))
  process.stderr.write = write
  t.same(lines, [
    'error: plugin lamp: hook preWrite: RangeError: too dark\n  at x\n',
    'error: plugin lamp: hook preWrite: RangeError: too dark\n  at x\n',
    'error: plugin lamp: hook preWrite: after commit: RangeError: too dark\n  at x\n',
  ])
})
