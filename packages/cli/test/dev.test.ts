// `plinth dev`: what restarts the server, what it prints, and that nothing outlives it.

import { readFile, rename, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { application, exists, noteSchema, Running, schemaFile, until } from './application.ts'

const tellsProcess = (word: string) => `export default {
  register({ kernel }) {
    kernel.hooks.on('onMount', app => {
      app.get('/pid', async () => ({ pid: process.pid, word: '${word}' }))
      app.get('/hang', () => new Promise(() => {}))
    })
  },
}`

const asked = async (url: string) =>
  fetch(url).then(
    one => one.json() as Promise<{ pid: number; word: string }>,
    () => null,
  )

t.test('addresses, changes of schemas, settings and code, and faults', async t => {
  const app = await application(t, { 'src/index.mjs': tellsProcess('one'), 'lib/words.mjs': '' })
  const run = new Running(t, ['dev', '--dir', app.dir, '--watch', 'lib'], app.env)
  await run.printed(/health/)
  const { text } = run
  t.match(text, `REST     ${app.address}/api\n`)
  t.match(text, `GraphQL  ${app.address}/graphql\n`)
  t.match(text, `health   ${app.address}/_health\n`)
  t.notMatch(text, '\u001B', 'no colours without a terminal')

  let from = run.text.length
  await app.write(schemaFile, noteSchema({ title: { type: 'string' }, rank: { type: 'integer' } }))
  await run.printed(/note\/schema\.json.* changed\nRestarted in \d+ ms/, from)
  const response = await fetch(`${app.address}/api/notes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { rank: 3 } }),
  })
  t.match(await response.json(), { data: { attributes: { rank: 3 } } })

  from = run.text.length
  await app.write('src/index.mjs', tellsProcess('two'))
  await run.printed(/Restarted/, from)
  t.match(await asked(`${app.address}/pid`), { word: 'two' })

  from = run.text.length
  await app.write('lib/words.mjs', 'export {}')
  await run.printed(/lib\/words\.mjs.* changed\nRestarted/, from)

  from = run.text.length
  await app.write('src/index.mjs.new', tellsProcess('three'))
  await rename(join(app.dir, 'src/index.mjs.new'), join(app.dir, 'src/index.mjs'))
  await run.printed(/Restarted/, from)
  await until(
    async () => (await asked(`${app.address}/pid`))?.word === 'three',
    () => 'the replaced file',
  )

  from = run.text.length
  await app.write(schemaFile, noteSchema({ title: { type: 'strng' } }))
  await run.printed(
    /unknown attribute type "strng", did you mean "string"\?[^\n]*\nThe server ended with exit code 1/,
    from,
  )
  from = run.text.length
  await app.write('src/index.mjs', 'export default {\n  register( {\n')
  await app.write(schemaFile, noteSchema({ title: { type: 'string' } }))
  await run.printed(/src\/index\.mjs:3[\s\S]*The server ended/, from)
  from = run.text.length
  await rm(join(app.dir, 'src/index.mjs'))
  await run.printed(/Restarted/, from)

  from = run.text.length
  await app.write(
    'src/api/page/content-types/page/schema.json',
    noteSchema({ title: { type: 'string' } }).replaceAll('note', 'page'),
  )
  await run.printed(/Restarted/, from)
  await until(
    async () => (await fetch(`${app.address}/api/pages`)).status === 200,
    () => 'a new type',
  )

  from = run.text.length
  await app.write('config/server.json', JSON.stringify({ prot: 1 }))
  await run.printed(/prot is not known, did you mean "port"/, from)
  run.process.kill('SIGINT')
  t.equal(await run.ended, 0)
})

t.test('a first start that makes secrets, after one that failed', async t => {
  const tokens = { resolve: fileURLToPath(import.meta.resolve('@plinth/api-tokens')) }
  const app = await application(t, {
    'config/plugins.json': JSON.stringify({ rest: true, 'api-tokens': tokens }),
    [schemaFile]: noteSchema({ title: { type: 'strng' } }),
  })
  const run = new Running(t, ['dev', '--dir', app.dir], app.env)
  await run.printed(/did you mean "string"\?[\s\S]*The server ended/)
  let from = run.text.length
  await app.write(schemaFile, noteSchema({ title: { type: 'string' } }))
  await run.printed(/health/, from)
  t.match(run.text.slice(from), `${app.address}/api\n`, 'the addresses come with the first server')
  t.match(await readFile(join(app.dir, '.env'), 'utf8'), /^API_TOKEN_SALT=/)
  from = run.text.length
  t.notMatch(run.text, /\.env(?:\.lock)?\b[^\n]* changed/, 'what the start stores restarts nothing')
  // Also one that looks like what a start stores.
  for (const line of ['MINE=1', `PREVIEW_SECRET=${'x'.repeat(43)}`]) {
    from = run.text.length
    await app.write('.env', `${await readFile(join(app.dir, '.env'), 'utf8')}${line}\n`)
    await run.printed(/^\.env changed\nRestarted/m, from)
  }
})

t.test('many changes while the server starts restart it once', async t => {
  const app = await application(t, { 'src/index.mjs': tellsProcess('one') })
  const run = new Running(t, ['dev', '--dir', app.dir], app.env)
  await run.printed(/health/)
  const from = run.text.length
  await app.write('src/index.mjs', tellsProcess('two'))
  await run.printed(/changed/, from)
  for (const word of ['three', 'four', 'five']) await app.write('src/index.mjs', tellsProcess(word))
  await until(
    async () => (await asked(`${app.address}/pid`))?.word === 'five',
    () => run.text,
  )
  t.ok(run.text.slice(from).split(' changed\n').length - 1 <= 2, run.text)
})

t.test('a request that never ends delays neither a restart nor the end', async t => {
  const app = await application(t, { 'src/index.mjs': tellsProcess('one') })
  const run = new Running(t, ['dev', '--dir', app.dir], app.env)
  await run.printed(/health/)
  const hanging = fetch(`${app.address}/hang`).catch(() => null)
  const from = run.text.length
  await app.write('src/index.mjs', tellsProcess('two'))
  await run.printed(/Restarted/, from)
  await hanging
  const again = fetch(`${app.address}/hang`).catch(() => null)
  const { pid } = (await asked(`${app.address}/pid`))!
  const began = Date.now()
  run.process.kill('SIGINT')
  t.equal(await run.ended, 0)
  t.ok(Date.now() - began < 9000, `${Date.now() - began} ms`)
  t.notOk(exists(pid))
  await again
})

t.test('an open connection without a request does not delay a restart', async t => {
  const printsEnd = `export default { destroy: () => console.log('closed') }`
  const app = await application(t, { 'src/index.mjs': printsEnd })
  const run = new Running(t, ['dev', '--dir', app.dir], app.env)
  await run.printed(/health/)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const took: number[] = []
  // A server that waits for a next request takes a second. Other programs of the machine only add to a measurement.
  for (let i = 0; i < 10 && !took.some(time => time < 900); i++) {
    await new Promise(resolve => {
      get(`${app.address}/_health`, { agent }, response => response.resume().once('end', resolve))
    })
    const from = run.text.length
    await app.write('.env', `X=${i}`)
    await run.printed(/changed/, from)
    const began = performance.now()
    await run.printed(/closed/, from)
    took.push(performance.now() - began)
    await run.printed(/Restarted/, from)
  }
  t.ok(Math.min(...took) < 900, `${took}`)
})

t.test('a signal that arrives twice ends the command once', async t => {
  // It closes slowly enough for the second signal to arrive before the process ends by itself.
  const closesSlowly = `export default { destroy: () => new Promise(resolve => setTimeout(resolve, 800)) }`
  const app = await application(t, { 'src/index.mjs': closesSlowly })
  const run = new Running(t, ['dev', '--dir', app.dir], app.env)
  await run.printed(/health/)
  run.process.kill('SIGINT')
  // npm and pnpm pass on what the command has received from the terminal as well.
  await new Promise(resolve => setTimeout(resolve, 20))
  run.process.kill('SIGINT')
  t.equal(await run.ended, 0)
})

t.test('the server never outlives the command', async t => {
  const app = await application(t, { 'src/index.mjs': tellsProcess('one') })
  const run = new Running(t, ['develop', '--dir', app.dir], app.env)
  await run.printed(/health/)
  const { pid } = (await asked(`${app.address}/pid`))!
  run.process.kill('SIGKILL')
  await until(
    () => !exists(pid),
    () => `the end of ${pid}`,
  )
})

t.test('what databases, logs and editors write restarts nothing', async t => {
  const app = await application(t, {})
  const run = new Running(t, ['dev', '--dir', app.dir], app.env)
  await run.printed(/health/)
  const from = run.text.length
  for (const name of ['.data/x.db', 'src/y.db-wal', 'src/.z.swp', 'src/z~', 'debug.log', 'public/p.json', 'lib/q.mjs'])
    await app.write(name, 'x')
  await new Promise(resolve => setTimeout(resolve, 500))
  t.equal(run.text.slice(from), '')
  await app.write('.env', 'X=1')
  await run.printed(/\.env changed\nRestarted/, from)
})
