// Measures how long `plinth dev` takes from a change to the answer that shows it, for a schema and for code, beside a process
// that only imports Fastify. `node restarts.ts` prints the medians; the wish is less than a second. Knows no database server.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { table } from './report.ts'
import { quantile } from './turns.ts'

/** Restarts after each kind of change. */
const RESTARTS = Number(process.env.RUNS ?? 10)

/** Milliseconds after which a restart has failed. */
const PATIENCE = 60_000

const PORT = Number(process.env.PORT ?? 41_337)
const ADDRESS = `http://127.0.0.1:${PORT}`

const PLUGINS = ['rest', 'graphql', 'draft-publish', 'i18n', 'upload']
const SCHEMA = 'src/api/note/content-types/note/schema.json'
const CODE = 'src/index.mjs'

const schemaWith = (attribute: string) =>
  JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { title: { type: 'string' }, [attribute]: { type: 'string' } },
  })

const codeWith = (word: string) => `export default {
  register({ kernel }) {
    kernel.hooks.on('onMount', app => void app.get('/word', async () => '${word}'))
  },
}`

const isAnswered = async (path: string, body: string) => {
  const response = await fetch(`${ADDRESS}${path}`).catch(() => null)
  return response?.status === 200 && (await response.text()).includes(body)
}

/** A kind of change: what is written for the n-th time, and whether it is served. */
interface Change {
  readonly path: string
  text(n: number): string
  isServed(n: number): Promise<boolean>
}

const changes: Readonly<Record<string, Change>> = {
  schema: {
    path: SCHEMA,
    text: n => schemaWith(`a${n}`),
    isServed: n => isAnswered(`/api/notes?fields=a${n}`, 'data'),
  },
  code: { path: CODE, text: n => codeWith(`word ${n}`), isServed: n => isAnswered('/word', `word ${n}`) },
}

/** Milliseconds until `isDone`. Throws an error if that takes too long, or if the command ends. */
async function timeUntil(isDone: () => Promise<boolean>, command: ChildProcess): Promise<number> {
  const began = performance.now()
  while (!(await isDone())) {
    if (command.exitCode !== null) throw new Error(`plinth dev ended with ${command.exitCode}`)
    if (performance.now() - began > PATIENCE) throw new Error(`The change was not served within ${PATIENCE} ms`)
    await delay(5)
  }
  return performance.now() - began
}

/** Milliseconds that a process takes which imports Fastify and ends. */
async function timeOfImport(): Promise<number> {
  const fastify = createRequire(createRequire(import.meta.url).resolve('@plinth/server')).resolve('fastify')
  const began = performance.now()
  await promisify(execFile)(process.execPath, ['-e', `require(${JSON.stringify(fastify)})`])
  return performance.now() - began
}

function makeApplication(): string {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-bench-restarts-'))
  const files = {
    'config/plugins.json': JSON.stringify(Object.fromEntries(PLUGINS.map(name => [name, true]))),
    [SCHEMA]: schemaWith('text'),
    [CODE]: codeWith('none'),
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return dir
}

const dir = makeApplication()
const bin = join(dirname(fileURLToPath(import.meta.resolve('@plinth/cli/package.json'))), 'src/bin.ts')
const command = spawn(process.execPath, [bin, 'dev', '--dir', dir], {
  env: {
    ...process.env,
    PORT: String(PORT),
    DATABASE_CLIENT: 'sqlite',
    DATABASE_FILENAME: join(dir, '.data/bench.db'),
  },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const ended = once(command, 'exit')
try {
  await timeUntil(() => isAnswered('/word', 'none'), command)
  const rows: string[][] = []
  for (const [name, { path, text, isServed }] of Object.entries(changes)) {
    const times: { readonly restart: number; readonly reference: number }[] = []
    for (let n = 0; n < RESTARTS; n++) {
      const reference = await timeOfImport()
      writeFileSync(join(dir, path), text(n))
      times.push({ restart: await timeUntil(() => isServed(n), command), reference })
    }
    const median = quantile(
      times.map(one => one.restart),
      0.5,
    )
    const ratio = quantile(
      times.map(one => one.restart / one.reference),
      0.5,
    )
    rows.push([name, median.toFixed(0), ratio.toFixed(1)])
  }
  console.log(table([['change', 'ms until it is served', 'times a process that imports Fastify'], ...rows]))
} finally {
  command.kill('SIGTERM')
  await ended
  rmSync(dir, { recursive: true, force: true })
}
