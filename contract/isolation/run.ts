/**
 * Measures what expensive requests of one client do to the others: `node isolation/run.ts [sqlite|mysql|postgres]
 * [attack]`. For each attack it prints by which factor a mix of cheap requests becomes slower, and the longest time of
 * /_health. SECS: seconds of each measurement (5). ARTICLES: number of entries (20,000).
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenConnection } from '@plinth/test-tools/connections'
import { type Client, freshDatabase, type TestDatabase } from '@plinth/test-tools/databases'
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

async function lock(opened: OpenConnection): Promise<void> {
  await opened.run(client === 'sqlite' ? 'BEGIN IMMEDIATE' : 'BEGIN')
  await opened.run(`UPDATE articles SET title = 'Locked' WHERE id = 100`)
}

/** Measures the other clients during an attack, and counts the responses to the attacker. */
async function measure(database: TestDatabase, { port }: Running, name: string, attack: Attack) {
  const opened = attack.locksRow ? await database.open() : null
  if (opened !== null) await lock(opened)
  const attacker = fork(join(import.meta.dirname, 'attacks.ts'), [String(port), name])
  const answered = once(attacker, 'message')
  await sleep(500)
  const noticed = await askLightly(port, seconds)
  attacker.send('stop')
  if (opened !== null) {
    await opened.run('ROLLBACK')
    await opened.close()
  }
  const [answers] = (await answered) as [Record<string, number>]
  return { noticed, answers }
}

const ms = (time: number) => (time < 10 ? time.toFixed(1) : String(Math.round(time)))
const counts = (of: Readonly<Record<string, number>>) =>
  Object.entries(of)
    .map(([what, times]) => `${what} × ${times}`)
    .join(', ') || 'none'

function row(name: string, quiet: Noticed, noticed: Noticed, answers: string): string {
  const [before, meanwhile] = [quiet, noticed].map(({ times }) => [percentile(times, 0.5), percentile(times, 0.99)])
  const cells = [
    name,
    ...before!.map(ms),
    ...meanwhile!.map(ms),
    (meanwhile![1]! / before![1]!).toFixed(1),
    ms(Math.max(...noticed.health)),
    counts(noticed.statuses),
    answers,
  ]
  return `| ${cells.join(' | ')} |`
}

const database = await freshDatabase(client)
let running = await serve(database)
try {
  await stop(running)
  await fill(database)
  console.log(`${client}, ${count} articles, ${seconds} s each; times in ms\n`)
  console.log(
    '| attack | quiet p50 | p99 | p50 meanwhile | p99 | p99 / quiet | longest /_health | the others | the attacker |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const [name, attack] of Object.entries(attacks)) {
    if (only !== undefined && only !== name) continue
    // Statements that an attack left running must not be counted for the next one.
    running = await serve(database)
    await askLightly(running.port, 2)
    const quiet = await askLightly(running.port, seconds)
    const { noticed, answers } = await measure(database, running, name, attack)
    const { exitCode, signalCode } = running.child
    const isOver = exitCode !== null || signalCode !== null
    console.log(row(name, quiet, noticed, `${counts(answers)}${isOver ? '; the server ended' : ''}`))
    await stop(running)
  }
} finally {
  await stop(running)
  await database.drop()
}
