// What `plinth dev` says of requests in the terminal: a line for each, and the reasons that clients are not told. JSON on
// request.

import t from 'tap'
import { application, Running } from './application.ts'

t.setTimeout(120_000)

const fails = `export default {
  register({ kernel }) {
    kernel.hooks.on('onMount', app => {
      app.get('/fails', async () => { throw new TypeError('of a library') })
    })
  },
}`

t.test('a line for each request, and reasons', async t => {
  const app = await application(t, { 'src/index.mjs': fails })
  const run = new Running(t, ['dev', '--dir', app.dir], app.env)
  await run.printed(/health/)
  await fetch(`${app.address}/api/notes?pagination[pagesize]=1`)
  await run.printed(
    /GET \/api\/notes\?pagination\[pagesize\]=1 200 \d+ ms, \d statements?\n {2}pagination: unknown parameter "pagesize", did you mean "pageSize"\?\n/,
  )
  await fetch(`${app.address}/api/notes?filters[titel]=x`)
  await run.printed(/ 400 \d+ ms, 0 statements\n {2}400: filters: no attribute "titel", did you mean "title"\?\n/)
  await fetch(`${app.address}/fails`)
  await run.printed(/error: GET \/fails: TypeError: of a library\n {4}at /)
  await run.printed(/GET \/fails 500 /)
  t.notMatch(run.text, '\u001B', 'no colours without a terminal')
})

t.test('LOG_FORMAT=json, and LOG_LEVEL', async t => {
  const app = await application(t)
  for (const env of [{ LOG_FORMAT: 'json' }, { LOG_LEVEL: 'info' }] as Record<string, string>[]) {
    const run = new Running(t, ['dev', '--dir', app.dir], { ...app.env, ...env })
    await run.printed(/health/)
    const from = run.text.length
    await fetch(`${app.address}/api/notes`)
    await run.printed(/^\{.*"msg":"request completed"\}$/m, from)
    t.notMatch(run.text.slice(from), /^GET /m)
    run.process.kill('SIGINT')
    await run.ended
  }
  const pretty = new Running(t, ['dev', '--dir', app.dir], { ...app.env, LOG_FORMAT: 'pretty', LOG_LEVEL: 'info' })
  await pretty.printed(/health/)
  await fetch(`${app.address}/api/notes`)
  await pretty.printed(/^GET \/api\/notes 200 /m)
  t.notMatch(pretty.text, /incoming request/)
  pretty.process.kill('SIGINT')
  await pretty.ended
  const wrong = new Running(t, ['dev', '--dir', app.dir], { ...app.env, LOG_FORMAT: 'xml' })
  await wrong.printed(/LOG_FORMAT must be "json" or "pretty", not "xml"/)
})

t.test('colours are those of a terminal', async t => {
  const app = await application(t)
  const run = new Running(t, ['dev', '--dir', app.dir], { ...app.env, FORCE_COLOR: '1', NO_COLOR: '' })
  await run.printed(/health/)
  await fetch(`${app.address}/api/notes?popluate=x`)
  await run.printed(/\u001b\[32m200\u001b\[39m/)
  await run.printed(/\u001b\[33munknown parameter "popluate", did you mean "populate"\?/)
  const plain = new Running(t, ['dev', '--dir', app.dir], { ...app.env, NO_COLOR: '1', PORT: '0' })
  await plain.printed(/health/)
  t.notMatch(plain.text, '\u001B')
})
