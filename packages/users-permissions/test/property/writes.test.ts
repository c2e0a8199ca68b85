// Random writes of random roles, with links: what is refused, and what is in the database afterwards, as a naive model
// expects it.

import type { Context, Kernel } from '@plinth/kernel'
import { casesOf } from '@plinth/test-tools/cases'
import { testClient } from '@plinth/test-tools/databases'
import t from 'tap'
import { Random } from './random.ts'
import { hiddenOf, randomRole, randomUser } from './roles.ts'
import { fill, load, openGuarded, sightOf } from './rounds.ts'
import { names, uidOf } from './world.ts'
import { expect, perform, type RandomWrite, randomWrite, textOf } from './written.ts'

const cases = casesOf(testClient() === 'sqlite' ? 600 : 200)
const first = Number(process.env.PLINTH_SEED ?? Date.now() % 2 ** 31)
const perRound = Math.min(cases, 300)

/** Performs a write, and returns its status and what it answers. */
async function attempt(kernel: Kernel, context: Context, one: RandomWrite) {
  try {
    const entry = await perform(kernel, context, one)
    return { status: entry === null ? 404 : 200, entry }
  } catch (error) {
    const { status } = error as { status?: number }
    if (status === undefined || status >= 500) throw error
    return { status, entry: null }
  }
}

t.test(`${cases} writes, PLINTH_SEED=${first}`, async t => {
  for (let done = 0, round = 0; done < cases; round++) {
    await t.test(`round ${round}`, async t => {
      const random = new Random(first + round)
      const roles = Array.from({ length: 5 }, (_, i) => randomRole(random, `role${i}`))
      const { kernel, as } = await openGuarded(t, roles)
      await fill(kernel, random)
      const counts = new Map<number, number>()
      const lastIds = new Map(names.map(name => [name, 0]))
      for (let i = 0; i < perRound; i++, done++) {
        const world = await load(kernel)
        const before = textOf(world)
        for (const name of names) lastIds.set(name, Math.max(lastIds.get(name)!, ...world[name].keys()))
        const role = random.pick(roles)
        const user = randomUser(random)
        const one = randomWrite(random, world)
        const sight = sightOf(role, user, world)
        const found = await attempt(kernel, as(role.type, user), one)
        const shown = JSON.stringify({ one, user, role })
        // A creation that was refused would have had the next id; 0 is a value that rules compare with.
        const newId = found.entry?.id ?? lastIds.get(one.name)! + 1
        const status = expect(one, world, { role, user, sight, newId })
        counts.set(status, (counts.get(status) ?? 0) + 1)
        if (found.status !== status) {
          t.equal(found.status, status, shown)
          return
        }
        const after = textOf(await load(kernel))
        const expected = status === 200 ? textOf(world) : before
        if (after !== expected) {
          t.equal(after, expected, shown)
          return
        }
        for (const key of Object.keys(found.entry ?? {}))
          if (hiddenOf(role, one.name, 'find').has(key)) t.fail(`${key} is answered: ${shown}`)
        // What is deleted is made again, so that there is something to ask about.
        if (one.action === 'delete' && status === 200) await kernel.query(uidOf(one.name)).create({ data: {} })
      }
      t.ok(
        [200, 400, 403, 404].every(status => (counts.get(status) ?? 0) > 0),
        JSON.stringify([...counts]),
      )
    })
  }
})
