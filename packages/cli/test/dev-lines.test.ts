// What `plinth dev` says of requests in the terminal: a line for each, and the reasons that clients are not told. JSON on
// request.

import rest from '@plinth/rest'
import { createServer, requestLines } from '@plinth/server'
import t from 'tap'
import { adviseOnList } from '../src/advice-package.ts'
import { application, noteSchema, Running, until } from './application.ts'

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
  await app.write('.env', 'LOG_FORMAT=logfmt\n')
  const stored = new Running(t, ['dev', '--dir', app.dir], { ...app.env, PORT: '0' })
  await stored.printed(/LOG_FORMAT must be "json" or "pretty", not "logfmt"/)
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

t.test('a slow list is printed with the attribute whose index it lacks', async t => {
  const lines: string[] = []
  const advised: (string | null)[] = []
  const print = (line: string) => void lines.push(line)
  const advise = async (...asked: Parameters<typeof adviseOnList>) => {
    const advice = await adviseOnList(...asked)
    advised.push(advice)
    return advice
  }
  const server = await createServer({
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    logger: false,
    contentTypes: [JSON.parse(noteSchema({ title: { type: 'string' }, rank: { type: 'integer', indexed: true } }))],
    // As `plinth dev` does, but for the time from which on a statement is slow.
    plugins: { rest: { plugin: rest }, lines: { plugin: requestLines({ slowAfter: 0, advise, print }) } },
  })
  t.teardown(() => server.close())
  const ask = async (url: string) => {
    lines.length = 0
    advised.length = 0
    await server.inject(url)
    await until(
      () => advised.length > 0,
      () => lines.join('\n'),
    )
    return { advised: [...advised], text: lines.join('\n') }
  }
  const index = `"indexed": true on notes.title, or in config/database: indexes: { 'api::note.note': ['title'] }`
  const { advised: lacking, text } = await ask('/api/notes?sort=title')
  t.match(text, /^GET \/api\/notes\?sort=title 200 .*\n {2}\d+ ms of SQL: .*notes/)
  t.same(lacking, [index])
  await until(
    () => lines.includes(`  an index is missing: ${index}`),
    () => lines.join('\n'),
  )
  t.same((await ask('/api/notes?sort=rank')).advised, [null], 'the index is there')
})
