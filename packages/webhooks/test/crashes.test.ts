// Two processes that write and deliver are killed at each of their steps: no event of a committed write is lost, the events of
// an entry come in order, and nothing comes again that was settled. ROUNDS=60 for the long run.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runUntilKilled } from '@plinth/test-tools/killed'
import t from 'tap'
import { drained, endClaims, fresh, start } from './fixtures/boot.ts'
import { receive } from './fixtures/receiver.ts'

const rounds = Number(process.env.ROUNDS ?? 4)
/** So many steps make a few writes and deliveries. */
const mostSteps = 90

t.test(`killed at a step, ${rounds} times`, async t => {
  const database = await fresh(t)
  const folder = await mkdtemp(join(tmpdir(), 'plinth-webhooks-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'notes')
  /** The deliveries that are settled, by the number of requests that had come by then at the latest. */
  const settledBefore = new Map<string, number>()
  const { url, all } = await receive(t)
  const hooks = { site: { url } }
  await (await start(t, { on: database, hooks })).close()
  const victim = join(import.meta.dirname, 'fixtures/victim.ts')
  const kill = (step: number) => runUntilKilled(victim, JSON.stringify(database.config), url, String(step), file)
  const linesOf = async (word: string) => {
    const text = await readFile(file, 'utf8').catch(() => '')
    return text.split('\n').flatMap(line => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []))
  }
  for (let round = 0; round < rounds; round++) {
    // Each step once in a long run, and steps of the other process beside it.
    const first = 1 + Math.floor((round * mostSteps) / rounds)
    const steps = [first, mostSteps + 1 - first]
    await Promise.all(steps.map(kill))
    for (const id of await linesOf('settled')) if (!settledBefore.has(id)) settledBefore.set(id, all.length)
    const { kernel, notes, close } = await start(t, { on: database, hooks })
    await endClaims(kernel)
    await drained(kernel)
    const stored = (await notes.findMany()) as unknown as readonly { readonly id: number; readonly n: number }[]
    await close()
    const what = `round ${round}, killed at the steps ${steps.join(' and ')}`
    const seen = new Map<string, number[]>()
    const ids = new Set<string>()
    for (const { id, body } of all) {
      if (ids.has(id)) continue
      ids.add(id)
      const key = String(body.entry.id)
      seen.set(key, [...(seen.get(key) ?? []), body.entry.n])
    }
    const expected = new Map(stored.map(one => [String(one.id), Array.from({ length: one.n + 1 }, (_, n) => n)]))
    t.same(
      Object.fromEntries(seen),
      Object.fromEntries(expected),
      `${what}: each change once, in order, and no other one`,
    )
    for (const line of await linesOf('wrote')) {
      const [id = '', n] = line.split(' ')
      t.ok(seen.get(id)?.includes(Number(n)), `${what}: ${line} is not lost`)
    }
    const again = [...settledBefore].filter(([id, count]) => all.slice(count).some(one => one.id === id))
    t.same(again, [], `${what}: what is settled does not come again`)
    t.ok(all.length - ids.size <= 2 * (round + 1) * 10, `${what}: as many twice as were under way`)
  }
})
