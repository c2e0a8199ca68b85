// `plinth start`: an application without a server file, in one process and in several.

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort } from '@plinth/test-tools/free-port'
import t from 'tap'
import { application, exists, noteSchema, Running, schemaFile, until } from './application.ts'
import { plinthProcess } from './plinth.ts'

const health = (address: string) =>
  fetch(`${address}/_health`).then(
    ({ status }) => status,
    () => 0,
  )

/** A module that answers with its process, and one that ends it. */
const tellsProcess = `export default {
  register({ kernel }) {
    kernel.hooks.on('onMount', app => {
      app.get('/pid', { config: {} }, async () => ({ pid: process.pid }))
      app.get('/slow', async () => { await new Promise(r => setTimeout(r, 700)); return { slow: true } })
    })
  },
}`

t.test('it serves until SIGTERM, and answers what is in progress', async t => {
  const app = await application(t, { 'src/index.mjs': tellsProcess })
  const run = new Running(t, ['start', '--dir', app.dir], app.env)
  await until(
    async () => (await health(app.address)) === 204,
    () => run.text,
  )
  t.match(await (await fetch(`${app.address}/api/notes`)).json(), { data: [], meta: {} })
  const answer = fetch(`${app.address}/slow`).then(one => one.json())
  await new Promise(resolve => setTimeout(resolve, 200))
  run.process.kill('SIGTERM')
  t.same(await answer, { slow: true })
  t.equal(await run.ended, 0, run.text)
})

t.test('faults of a start end it with exit code 1', async t => {
  const wrong = await application(t, { [schemaFile]: noteSchema({ title: { type: 'strng' } }) })
  t.match(await plinthProcess(['start', '--dir', wrong.dir], wrong.env), {
    code: 1,
    err: /note\/schema\.json: attributes\.title\.type: unknown attribute type "strng", did you mean "string"\? \[PLINTH_\w+\]/,
  })
  const torn = await application(t, { 'src/index.mjs': 'export default {\n  register( {\n' })
  t.match(
    await plinthProcess(['start', '--dir', torn.dir], torn.env),
    { code: 1, err: /src\/index\.mjs:3/ },
    'with its line',
  )
  const several = await plinthProcess(['start', '--dir', wrong.dir, '--processes', '3'], wrong.env)
  t.match(several, { code: 1, err: /did you mean "string"/ })
  t.equal(several.err.split('did you mean').length, 2, 'said once')
  const sound = await application(t)
  for (const words of [['start'], ['start', '--processes', '2']])
    t.match(await plinthProcess([...words, '--dir', sound.dir], { ...sound.env, LOG_FORMAT: 'prety' }), {
      code: 1,
      err: /^The environment variable LOG_FORMAT must be "json" or "pretty", not "prety" \[PLINTH_CONFIG_INVALID\]\n$/,
    })
  for (const count of ['0', 'two', '1.5'])
    t.match(await plinthProcess(['start', `--processes=${count}`, '--dir', wrong.dir], wrong.env), {
      code: 1,
      err: new RegExp(`--processes must be a number from 1 to 256, or "max", not "${count}"`),
    })
})

t.test('security.md row 89: what throws at the start ends it at once, in one line, and no port stays open', async t => {
  const thrown = {
    'a file of the configuration': [
      { 'config/server.mjs': `\nthrow new Error('no settings today')` },
      /config\/server\.mjs:2: no settings today/,
    ],
    'a function of the configuration': [
      { 'config/server.mjs': `export default () => { throw new Error('no settings today') }` },
      /config\/server\.mjs:1: no settings today/,
    ],
    'a plugin': [
      {
        'config/plugins.json': JSON.stringify({ rest: true, late: { resolve: './plugins/late.mjs' } }),
        'plugins/late.mjs': `import { definePlugin } from '${import.meta.resolve('@plinth/kernel')}'
        export default definePlugin({ name: 'late', register() {}, bootstrap() { throw new Error('no settings today') } })`,
      },
      /plugin late: .*no settings today \(.*plugins\/late\.mjs:2:\d+\)/,
    ],
  } as const
  for (const [name, [files, place]] of Object.entries(thrown)) {
    const { dir, env, address } = await application(t, files)
    const run = new Running(t, ['start', '--dir', dir], env)
    await run.printed(/no settings today/)
    const printed = Date.now()
    t.equal(await run.ended, 1, name)
    t.ok(Date.now() - printed < 9_000, 'nothing keeps the process')
    t.equal(run.text.split('no settings today').length, 2, 'said once')
    const told = run.text.split('\n').filter(line => line.includes('no settings today') || /^\s+at /.test(line))
    t.equal(told.length, 1, 'in one line, without a stack')
    t.match(told[0], place, 'with the place')
    t.equal(await health(address), 0, 'nothing listens')
  }
})

t.test('a server file of the application is named, because it is not run', async t => {
  const app = await application(t, {
    'src/server.mjs': 'throw new Error("run")',
    [schemaFile]: noteSchema({ title: { type: 'strng' } }),
  })
  t.match(
    (await plinthProcess(['start', '--dir', app.dir], app.env)).err,
    /src\/server\.mjs is not run: .* node src\/server\.mjs/,
  )
})

t.test('several processes: a process that dies is replaced, and SIGTERM ends all of them', async t => {
  const app = await application(t, { 'src/index.mjs': tellsProcess })
  const run = new Running(t, ['start', '--dir', app.dir, '--processes', '2'], app.env)
  const pids = new Set<number>()
  const ask = async () => {
    const found = await fetch(`${app.address}/pid`, { headers: { connection: 'close' } })
      .then(one => one.json() as Promise<{ pid: number }>)
      .catch(() => null)
    if (found !== null) pids.add(found.pid)
    return found
  }
  const both = async () => {
    await ask()
    return pids.size === 2
  }
  await until(both, () => `two processes in ${run.text}`)
  const [first] = pids
  process.kill(first!, 'SIGKILL')
  await run.printed(new RegExp(`process ${first} ended by SIGKILL; another one starts in \\d+ ms`))
  pids.delete(first!)
  await until(both, () => `another process in ${run.text}`)
  t.notOk(pids.has(first!))
  const answer = fetch(`${app.address}/slow`).then(one => one.json())
  await new Promise(resolve => setTimeout(resolve, 200))
  run.process.kill('SIGTERM')
  t.same(await answer, { slow: true })
  t.equal(await run.ended, 0, run.text)
  for (const pid of pids) t.notOk(exists(pid), 'no process is left')
})

t.test('SIGTERM does not wait for the starts of further processes', async t => {
  const app = await application(t, {
    'src/index.mjs': `export default {
  async register() {
    if (process.env.NODE_APP_INSTANCE === '0') return
    console.log('begins its start')
    await new Promise(resolve => setTimeout(resolve, 3_600_000))
  },
}`,
  })
  const run = new Running(t, ['start', '--dir', app.dir, '--processes', '3'], app.env)
  await run.printed(/begins its start[\s\S]*begins its start/)
  t.equal(await health(app.address), 204)
  run.process.kill('SIGTERM')
  t.equal(await run.ended, 0, run.text)
})

t.test('a signal to all processes of a group may reach some whose program is not loaded', async t => {
  const app = await application(t, {
    'wait.mjs': `if ((process.env.NODE_APP_INSTANCE ?? '0') !== '0') {
  console.log('is not loaded:', process.pid)
  await new Promise(resolve => setTimeout(resolve, 3_600_000))
}`,
  })
  const env = { ...app.env, NODE_OPTIONS: `--import ${pathToFileURL(join(app.dir, 'wait.mjs'))}` }
  const run = new Running(t, ['start', '--dir', app.dir, '--processes', '3'], env)
  await run.printed(/is not loaded: \d+[\s\S]*is not loaded: \d+\n/)
  const pids = [...run.text.matchAll(/is not loaded: (\d+)/g)].map(([, pid]) => Number(pid))
  for (const pid of [run.process.pid!, ...pids]) process.kill(pid, 'SIGTERM')
  t.equal(await run.ended, 0, run.text)
  for (const pid of pids) t.notOk(exists(pid), 'no process is left')
})

t.test(
  'each of several processes has the numbers of its own, and a process that replaces it has them there',
  async t => {
    const app = await application(t, { 'src/index.mjs': tellsProcess })
    const port = await freePort(2)
    const metrics = { resolve: fileURLToPath(import.meta.resolve('@plinth/metrics')), config: { port } }
    await app.write('config/plugins.json', JSON.stringify({ rest: true, metrics }))
    const run = new Running(t, ['start', '--dir', app.dir, '--processes', '2'], app.env)
    /** The number of requests that the process of a port has answered at /pid, or null if nothing answers. */
    const answered = async (of: number) => {
      const text = await fetch(`http://127.0.0.1:${of}/metrics`).then(
        one => one.text(),
        () => null,
      )
      const [, count] = /request_duration_seconds_count\{[^}]*route="\/pid"[^}]*\} (\d+)/.exec(text ?? '') ?? []
      return text === null ? null : Number(count ?? 0)
    }
    const both = async () => (await answered(port)) !== null && (await answered(port + 1)) !== null
    await until(both, () => run.text)
    const pids: number[] = []
    for (let i = 0; i < 20; i++) {
      const answer = await fetch(`${app.address}/pid`, { headers: { connection: 'close' } })
      pids.push(((await answer.json()) as { pid: number }).pid)
    }
    const counts = [await answered(port), await answered(port + 1)]
    t.equal(counts[0]! + counts[1]!, 20, 'no request is counted twice, and none is missing')
    const [first] = pids
    process.kill(first!, 'SIGKILL')
    await run.printed(new RegExp(`process ${first} ended by SIGKILL`))
    await until(both, () => `both ports again in ${run.text}`)
    const left = [await answered(port), await answered(port + 1)].toSorted((a, b) => a! - b!)
    t.same(left, [0, pids.filter(pid => pid !== first).length], 'the new process begins at 0')
  },
)

t.test('with `--processes max` there is one for each core, and none outlives a killed primary', async t => {
  const app = await application(t, { 'src/index.mjs': tellsProcess })
  const run = new Running(t, ['start', '--dir', app.dir, '--processes', 'max'], app.env)
  const pids = new Set<number>()
  const all = async () => {
    const answer = await fetch(`${app.address}/pid`, { headers: { connection: 'close' } }).catch(() => null)
    if (answer !== null) pids.add(((await answer.json()) as { pid: number }).pid)
    return pids.size === availableParallelism()
  }
  await until(all, () => `one process for each core in ${run.text}`)
  run.process.kill('SIGKILL')
  await until(
    () => ![...pids].some(exists),
    () => `the end of ${[...pids]}`,
  )
})
