/**
 * What one client's dear requests do to the others: `node isolation/run.ts [sqlite|mysql|postgres] [attack]`. Prints, for each attack,
 * how much slower a light mix of requests is answered than in quiet, and the longest time of /_health.
 * SECS: seconds of each measurement (5). ARTICLES: entries (20,000).
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Opened } from '../connections.ts'
import { type Client, freshDatabase, type TestDatabase } from '../databases.ts'
import { type Attack, attacks } from './attacks.ts'
import { askLightly, type Noticed, percentile } from './others.ts'

const seconds = Number(process.env.SECS ?? 5)
const count = Number(process.env.ARTICLES ?? 20_000)
const [client = 'sqlite', only] = process.argv.slice(2) as [Client?, string?]

interface Running {
  readonly port: number
  readonly child: ChildProcess
}

async function serve({ config }: TestDatabase): Promise<Running> {
  const env = { ...process.env, DATABASE_CONFIG: JSON.stringify(config) }
  const child = fork(join(import.meta.dirname, 'server.ts'), { env })
  const [address] = (await once(child, 'message')) as [string]
  return { port: Number(new URL(address).port), child }
}

async function stop({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Articles, each with one of ten tags. */
async function fill(database: TestDatabase): Promise<void> {
  const numbers = {
    sqlite: `WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ${count}) INSERT INTO articles (title, body, locale, published_at) SELECT 'Article ' || i, 'Body ' || i, 'en', 1700000000000 FROM k`,
    mysql: `INSERT INTO articles (title, body, locale, published_at) WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ${count}) SELECT concat('Article ', i), concat('Body ', i), 'en', now() FROM k`,
    postgres: `INSERT INTO articles (title, body, locale, published_at) SELECT 'Article ' || i, 'Body ' || i, 'en', now() FROM generate_series(1, ${count}) i`,
  }
  const tags = Array.from({ length: 10 }, (_, i) => `('Tag ${i}')`).join(', ')
  const opened = await database.open()
  try {
    if (client === 'mysql') await opened.run(`SET max_recursive_iterations = ${count + 1}`).catch(() => {})
    await opened.run(`INSERT INTO tags (label) VALUES ${tags}`)
    await opened.run(numbers[client!])
    await opened.run(
      'INSERT INTO articles_tags_links (article_id, tag_id, tag_order, article_order) SELECT id, 1 + id % 10, 1, id FROM articles',
    )
  } finally {
    await opened.close()
  }
}

async function lock(opened: Opened): Promise<void> {
  await opened.run(client === 'sqlite' ? 'BEGIN IMMEDIATE' : 'BEGIN')
  await opened.run(`UPDATE articles SET title = 'Locked' WHERE id = 100`)
}

/** What the others notice of an attack, and what the attacker is answered. */
async function measure(database: TestDatabase, { port }: Running, name: string, attack: Attack) {
  const opened = attack.locksRow ? await database.open() : null
  if (opened !== null) await lock(opened)
  const worker = new Worker(new URL('attacks.ts', import.meta.url), { workerData: { port, attack: name } })
  const told = once(worker, 'message')
  await sleep(500)
  const noticed = await askLightly(port, seconds)
  worker.postMessage('stop')
  if (opened !== null) {
    await opened.run('ROLLBACK')
    await opened.close()
  }
  const [answers] = (await told) as [Record<string, number>]
  await worker.terminate()
  return { noticed, answers }
}

const ms = (time: number) => (time < 10 ? time.toFixed(1) : String(Math.round(time)))
const counts = (of: Readonly<Record<string, number>>) =>
  Object.entries(of)
    .map(([what, times]) => `${what} × ${times}`)
    .join(', ') || 'none'

function row(name: string, quiet: Noticed, { times, health, statuses }: Noticed, answers: string): string {
  const p99 = percentile(times, 0.99)
  const cells = [
    name,
    ms(percentile(times, 0.5)),
    ms(p99),
    (p99 / percentile(quiet.times, 0.99)).toFixed(1),
    ms(Math.max(...health)),
    counts(statuses),
    answers,
  ]
  return `| ${cells.join(' | ')} |`
}

const database = await freshDatabase(client)
let running = await serve(database)
try {
  await stop(running)
  await fill(database)
  running = await serve(database)
  await askLightly(running.port, 2)
  const quiet = await askLightly(running.port, seconds)
  console.log(`${client}, ${count} articles, ${seconds} s each; times in ms\n`)
  console.log('| attack | p50 | p99 | p99 by that of quiet | longest /_health | the others | the attacker |')
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  console.log(row('none', quiet, quiet, ''))
  for (const [name, attack] of Object.entries(attacks)) {
    if (only !== undefined && only !== name) continue
    const { noticed, answers } = await measure(database, running, name, attack)
    const { exitCode, signalCode } = running.child
    const isOver = exitCode !== null || signalCode !== null
    console.log(row(name, quiet, noticed, `${counts(answers)}${isOver ? '; the server ended' : ''}`))
    // What an attack left under way must not be taken for the next one's.
    await stop(running)
    running = await serve(database)
    await askLightly(running.port, 1)
  }
} finally {
  await stop(running)
  await database.drop()
}
