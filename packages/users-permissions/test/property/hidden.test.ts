// Changing what a caller may not see, values and links, changes no byte of any answer, no status and no number of
// statements, of reads and writes, by code and over REST. What rules look at stays as it is: a change of that is a change
// of what the caller may see. Unique values and ids that are skipped are excepted, so there are none, and so are the
// statements of a write that replaces the changed links.

import { casesOf } from '@plinth/test-tools/cases'
import { testClient } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { type Asker, ask, type RandomRequest, randomRead, writeRequest } from './asking.ts'
import { Blindness, type Change, put, randomChange } from './changes.ts'
import { Random } from './random.ts'
import { lastIdOf, putBack, take } from './restored.ts'
import { mayDo, type RandomRole, randomRole, randomUser } from './roles.ts'
import { fill, load, openServed, type Served, type Sight, sightOf } from './rounds.ts'
import type { UserRow } from './truth.ts'
import { names, shapes } from './world.ts'
import { expect, type RandomWrite, randomWrite } from './written.ts'

const cases = casesOf(testClient() === 'sqlite' ? 600 : 100)
const first = Number(process.env.PLINTH_SEED ?? Date.now() % 2 ** 31)
const perRound = Math.min(cases, 200)

const textOf = ({ ids }: Sight) => JSON.stringify(names.map(name => [...ids[name]]))

/** A caller of a server. */
interface Caller extends Served {
  readonly role: RandomRole
  readonly user: UserRow
}

/** A change, what is requested with it and without it, and how the one becomes the other. */
interface Case {
  readonly change: Change
  readonly request: RandomRequest
  readonly put: (side: 'before' | 'after') => Promise<void>
  readonly end: () => Promise<void>
}

/** A change that a read cannot show; null if there is none, or if a rule looks at what is changed. */
async function caseOfRead(random: Random, { kernel, role, user }: Caller): Promise<Case | null> {
  const roots = names.filter(name => mayDo(role, name, 'find'))
  if (roots.length === 0) return null
  const world = await load(kernel)
  const sight = sightOf(role, user, world)
  const change = randomChange(random, world, new Blindness(sight, role))
  if (change === null) return null
  await put(kernel, change, 'after')
  const isSeen = textOf(sightOf(role, user, await load(kernel))) !== textOf(sight)
  // Each question follows a COMMIT, after which totals are counted again.
  const one: Case = {
    change,
    request: randomRead(random, random.pick(roots), change),
    put: side => put(kernel, change, side),
    end: async () => {},
  }
  return isSeen ? null : one
}

/** A change that a write cannot show, neither before nor after it. */
async function caseOfWrite(random: Random, { kernel, role, user }: Caller): Promise<Case | null> {
  const content = await take(kernel)
  const write = randomWrite(random, await load(kernel))
  const newId = lastIdOf(content, write.name) + 1
  // The answer of a write shows the entry also where rules hide it.
  const shown = { name: write.name, id: write.action === 'create' ? newId : write.id }
  const before = await foresee(write, { kernel, role, user, newId })
  const change = randomChange(random, await load(kernel), new Blindness(before.sight, role, shown))
  if (change === null) return null
  await put(kernel, change, 'after')
  const after = await foresee(write, { kernel, role, user, newId })
  await putBack(kernel, content, write.name)
  if (after.text !== before.text || !new Blindness(before.later, role, shown).covers(change)) return null
  return {
    change,
    request: writeRequest(random, write),
    async put(side) {
      await putBack(kernel, content, write.name)
      await put(kernel, change, side)
    },
    end: () => putBack(kernel, content, write.name),
  }
}

/** What the naive model expects of a write, and what the caller sees before it and afterwards. */
async function foresee(write: RandomWrite, about: Pick<Caller, 'kernel' | 'role' | 'user'> & { newId: number }) {
  const { kernel, role, user, newId } = about
  const world = await load(kernel)
  const sight = sightOf(role, user, world)
  const status = expect(write, world, { role, user, sight, newId })
  const later = status === 200 ? sightOf(role, user, world) : sight
  return { sight, later, text: `${status} ${textOf(sight)} ${textOf(later)}` }
}

/** Whether a write sends the links that are changed, from either side. It removes them, seen or not. */
function replaces({ name, data }: RandomWrite, { kind, at }: Change): boolean {
  if (kind !== 'links') return false
  return Object.keys(data).some(key => {
    const join = shapes[name].joins[key]
    return (name === at.name && key === at.key) || (join?.to === at.name && join.inverse === at.key)
  })
}

/** The difference that a change makes; null if it makes none. */
async function difference(app: Caller['app'], { change, request, put }: Case, asker: Asker) {
  const askWith = async (side: 'before' | 'after') => {
    await put(side)
    return ask(app, request, asker)
  }
  const isReplaced = request.kind === 'write' && replaces(request.write, change)
  const compare = async () => {
    const [left, right] = [await askWith('before'), await askWith('after')].map(one =>
      isReplaced ? one.answer.replace(/desc=\\"\d+ statements?\\"/, '') : one,
    )
    return JSON.stringify(left) === JSON.stringify(right) ? null : { left, right }
  }
  await askWith('before')
  // A busy machine takes a read that lasts too long back and runs it elsewhere, so a difference must show again.
  return (await compare()) && (await compare()) && (await compare())
}

async function round(t: Test, seed: number, count: number): Promise<void> {
  const random = new Random(seed)
  const roles = Array.from({ length: 5 }, (_, i) => randomRole(random, `role${i}`))
  const served = await openServed(t, roles)
  await fill(served.kernel, random)
  const made = new Map<string, number>()
  for (let i = 0; i < count; i++) {
    const [role, user] = [random.pick(roles), randomUser(random)]
    const caller = { ...served, role, user }
    const one = await (random.chance(0.6) ? caseOfRead(random, caller) : caseOfWrite(random, caller))
    if (one === null) continue
    const { change, request } = one
    for (const kind of [change.kind, `${request.kind}${request.isRest ? ' over REST' : ''}`])
      made.set(kind, (made.get(kind) ?? 0) + 1)
    const differ = await difference(served.app, one, { context: served.as(role.type, user), type: role.type, user })
    await one.end()
    if (differ === null) continue
    t.same(differ.right, differ.left, JSON.stringify({ change, request, user, role }))
    return
  }
  const kinds = ['scalar', 'links', ...['page', 'one', 'write'].flatMap(kind => [kind, `${kind} over REST`])]
  const absent = kinds.filter(kind => !made.has(kind))
  t.ok(absent.length === 0 || count < 100, JSON.stringify({ made: [...made], absent }))
}

t.test(`${cases} changes, PLINTH_SEED=${first}`, async t => {
  for (let done = 0; done < cases; done += perRound)
    await t.test(`round ${done / perRound}`, t => round(t, first + done / perRound, perRound))
})
