// Changing what a caller may not see changes no byte of any answer, no status and no number of statements. What rules
// look at stays as it is: a change of that is a change of what the caller may see.

import { testClient } from '@plinth/test-tools/databases'
import type { Context, Kernel } from '@plinth/kernel'
import t from 'tap'
import { randomQuestion } from './questions.ts'
import { Random } from './random.ts'
import { mayDo, type RandomRole, randomRole, randomUser } from './roles.ts'
import { fill, load, openGuarded, outcome, type Sight, sightOf } from './rounds.ts'
import type { UserRow } from './truth.ts'
import { type Name, names, pools, shapes, uidOf, type World } from './world.ts'

const cases = Number(process.env.PLINTH_CASES ?? (testClient() === 'sqlite' ? 500 : 100))
const first = Number(process.env.PLINTH_SEED ?? Date.now() % 2 ** 31)
const perRound = Math.min(cases, 250)

/** One value of one entry. */
interface Place {
  readonly name: Name
  readonly id: number
  readonly key: string
}

/** The values that the caller does not see. */
function hiddenPlaces(world: World, { isHidden, ids }: Sight, role: RandomRole): Place[] {
  return names.flatMap(name => {
    const isClosed = !mayDo(role, name, 'find')
    return [...world[name].keys()].flatMap(id =>
      Object.keys(shapes[name].scalars)
        .filter(key => isClosed || !ids[name].has(id) || isHidden(name, key))
        .map(key => ({ name, id, key })),
    )
  })
}

const textOf = ({ ids }: Sight) => JSON.stringify(names.map(name => [...ids[name]]))

/** Writes a value past all hooks, so that not even the time of the change can be seen. */
async function write(kernel: Kernel, { name, id, key }: Place, value: unknown): Promise<void> {
  await kernel.transaction(
    async tx =>
      void (await tx
        .knex(`${name}s`)
        .where({ id })
        .update({ [key]: value })),
  )
}

/** The answer to a question, and the statements that it took. */
async function ask(kernel: Kernel, root: Name, params: object, context: Context) {
  const statements: string[] = []
  const observer = { onStatement: (text: string) => void statements.push(text), onBegin: () => {}, onEnd: () => {} }
  const answer = await kernel.observe(observer, () =>
    outcome(() => kernel.query(uidOf(root), context).findPage(params)),
  )
  return { answer, statements }
}

t.test(`${cases} changes, PLINTH_SEED=${first}`, { timeout: 1_200_000 }, async t => {
  for (let done = 0, round = 0; done < cases; round++) {
    await t.test(`round ${round}`, async t => {
      const random = new Random(first + round)
      const roles = Array.from({ length: 5 }, (_, i) => randomRole(random, `role${i}`))
      const { kernel, as } = await openGuarded(t, roles)
      await fill(kernel, random)
      let changes = 0
      for (let tries = 0; tries < perRound; tries++, done++) {
        const role = random.pick(roles)
        const user: UserRow = randomUser(random)
        const world = await load(kernel)
        const sight = sightOf(role, user, world)
        const roots = names.filter(name => mayDo(role, name, 'find'))
        const places = hiddenPlaces(world, sight, role)
        if (roots.length === 0 || places.length === 0) continue
        const place = random.pick(places)
        const row = world[place.name].get(place.id)!
        const value = random.pick([...pools[shapes[place.name].scalars[place.key]!], null])
        const before = row.values[place.key] ?? null
        row.values[place.key] = value
        if (value === before || textOf(sightOf(role, user, world)) !== textOf(sight)) continue
        const root = random.pick(roots)
        const params = randomQuestion(random, root)
        const context = as(role.type, user)
        // Each question follows a COMMIT, after which totals are counted again.
        const askWith = async (one: typeof before) => {
          await write(kernel, place, one)
          return ask(kernel, root, params, context)
        }
        const compare = async () => {
          const [left, right] = [await askWith(before), await askWith(value)]
          return JSON.stringify(left) === JSON.stringify(right) ? null : { left, right }
        }
        await askWith(before)
        changes++
        // A busy machine takes a read that lasts too long back and runs it elsewhere, so a difference must show again.
        if ((await compare()) === null || (await compare()) === null) continue
        const differ = await compare()
        if (differ === null) continue
        t.same(
          differ.right,
          differ.left,
          JSON.stringify({ place, before, value, root, params, user, rules: role.rules }),
        )
        return
      }
      t.ok(changes > perRound / 20, `${changes} changes`)
    })
  }
})
