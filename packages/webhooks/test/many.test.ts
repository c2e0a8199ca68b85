// Ten thousand events and two processes, of which one is killed and replaced: none is lost, those of an entry come in order,
// and no more come twice than the killed process had under way.

import { join } from 'node:path'
import { RunningProgram, until } from '@plinth/test-tools/command'
import t from 'tap'
import { laneOf, Outbox } from '../src/outbox.ts'
import { drained, fresh, start, uid } from './fixtures/boot.ts'
import { receive } from './fixtures/receiver.ts'

const [entries, perEntry, concurrency] = [2000, 5, 20]

t.test(`${entries * perEntry} events`, async t => {
  const database = await fresh(t)
  const { url, all } = await receive(t)
  const { kernel } = await start(t, { on: database, hooks: { site: { url, enabled: false } } })
  const outbox = new Outbox(kernel, 1000)
  // Those of an entry one after the other, so that nothing but the claims keeps them in order.
  const events = Array.from({ length: entries * perEntry }, (_, i) => {
    const entry = { id: Math.floor(i / perEntry) + 1, n: i % perEntry }
    const body = JSON.stringify({ event: 'entry.update', model: 'note', uid, entry })
    return { hook: 'site', lane: laneOf('site', uid, entry.id), event: 'entry.update', uid, entry: entry.id, body }
  })
  await kernel.transaction(tx => outbox.add(tx, events))
  const file = join(import.meta.dirname, 'fixtures/deliverer.ts')
  const run = () => new RunningProgram(t, [file, JSON.stringify(database.config), url], {})
  const [first, second] = [run(), run()]
  /** Waits for so many events, and for each of them at most a minute. */
  const came = async (count: number, others: readonly RunningProgram[]) => {
    while (all.length < count) {
      const before = all.length
      await until(
        () => all.length > before,
        () => `${count} events, found ${all.length}: ${others.map(one => one.text).join('\n')}`,
      )
    }
  }
  await came(3000, [first, second])
  first.process.kill('SIGKILL')
  await first.ended
  const third = run()
  await came(entries * perEntry, [second, third])
  await drained(kernel)
  const ids = new Set<string>()
  const last = new Map<number, number>()
  for (const { id, body } of all) {
    if (ids.has(id)) continue
    ids.add(id)
    const { id: entry, n } = body.entry
    if (n !== (last.get(entry) ?? -1) + 1) t.fail(`${n} of ${entry} follows ${last.get(entry)}`)
    last.set(entry, n)
  }
  t.equal(ids.size, entries * perEntry, 'none is lost')
  t.ok(all.length - ids.size <= concurrency, `${all.length - ids.size} came twice`)
})
