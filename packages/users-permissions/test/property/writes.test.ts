// Random writes of random roles, with links: what is refused, and what is in the database afterwards, as a naive model
// expects it.

import { testClient } from '@plinth/test-tools/databases'
import type { Kernel } from '@plinth/kernel'
import t from 'tap'
import { Random } from './random.ts'
import { checksOf, hiddenOf, mayDo, type RandomRole, randomRole, randomUser, wheresOf } from './roles.ts'
import { fill, load, openGuarded, type Sight, sightOf } from './rounds.ts'
import { type Filter, fulfils, type UserRow } from './truth.ts'
import { emptyRow, isMany, link, type Name, names, pools, type Row, shapes, uidOf, type World } from './world.ts'

const cases = Number(process.env.PLINTH_CASES ?? (testClient() === 'sqlite' ? 600 : 200))
const first = Number(process.env.PLINTH_SEED ?? Date.now() % 2 ** 31)
const perRound = Math.min(cases, 300)

interface RandomWrite {
  readonly name: Name
  readonly action: 'create' | 'update' | 'delete'
  readonly id: number
  readonly data: Readonly<Record<string, unknown>>
}

function randomWrite(random: Random, world: World): RandomWrite {
  const name = random.pick(names)
  const action = random.pick(['create', 'update', 'update', 'update', 'delete'] as const)
  const data: Record<string, unknown> = {}
  const { scalars, joins } = shapes[name]
  for (const [key, family] of Object.entries(scalars))
    if (random.chance(0.4)) data[key] = random.chance(0.1) ? null : random.pick(pools[family])
  for (const [key, join] of Object.entries(joins)) {
    if (!random.chance(0.3)) continue
    const ids = [...world[join.to].keys()]
    const linked = random.some(ids, 0, isMany(join) ? 2 : 1)
    data[key] = isMany(join) ? linked : (linked[0] ?? null)
  }
  const id = random.pick([...world[name].keys(), 999])
  // Whether a missing link or the missing entry is reported first does not matter.
  if (id === 999 && action === 'update') for (const key of Object.keys(joins)) delete data[key]
  return { name, action, id, data }
}

/** What a write should come to: a status, with the content afterwards if it is 200. */
function expectation(one: RandomWrite, role: RandomRole, user: UserRow, world: World, sight: Sight): number {
  const { name, action, id, data } = one
  if (!mayDo(role, name, action)) return 403
  const row = world[name].get(id)
  const wheres = action === 'create' ? [] : wheresOf(role, name, action)
  const isFree = wheres.length === 0 || wheres.includes(null)
  // Where no rule asks for the entry, it is missed when it is to be changed, after the data has been judged.
  const isMissing = action !== 'create' && row === undefined
  if (!isFree && (isMissing || !wheres.some(where => fulfils(where as Filter, row!, user)))) return 404
  if (isMissing && action === 'delete') return 404
  if (action === 'delete') return 200
  const hidden = hiddenOf(role, name, action)
  const sent = Object.entries(data).filter(([key]) => isWritable(role, name, key))
  if (sent.some(([key]) => hidden.has(key))) return 403
  if (isMissing) return 404
  for (const [key, value] of sent) {
    const join = shapes[name].joins[key]
    if (
      join !== undefined &&
      [value].flat().some(linked => linked !== null && !sight.ids[join.to].has(linked as number))
    )
      return 400
  }
  return 200
}

/** Links to types that the caller may not find are left out of the data. */
function isWritable(role: RandomRole, name: Name, key: string): boolean {
  const join = shapes[name].joins[key]
  return join === undefined || mayDo(role, join.to, 'find')
}

/** Changes the world as the write should. */
function apply(world: World, { name, action, id, data }: RandomWrite, role: RandomRole, newId: number): Row | null {
  if (action === 'delete') {
    const row = world[name].get(id)!
    for (const key of Object.keys(shapes[name].joins)) relink(row, key, [])
    for (const other of names)
      for (const one of world[other].values())
        for (const [key, { to }] of Object.entries(shapes[other].joins))
          if (to === name) one.links[key] = one.links[key]!.filter(linked => linked !== row)
    world[name].delete(id)
    return null
  }
  const row = action === 'create' ? emptyRow(name, newId) : world[name].get(id)!
  if (action === 'create') {
    world[name].set(newId, row)
    for (const key of Object.keys(shapes[name].scalars)) row.values[key] = null
  }
  for (const [key, value] of Object.entries(data)) {
    const join = shapes[name].joins[key]
    if (join === undefined) row.values[key] = value as never
    else if (isWritable(role, name, key))
      relink(
        row,
        key,
        [value].flat().flatMap(one => (one === null ? [] : [world[join.to].get(one as number)!])),
      )
  }
  return row
}

function relink(row: Row, key: string, targets: readonly Row[]): void {
  const { inverse, kind, to } = shapes[row.name].joins[key]!
  for (const target of row.links[key]!) if (inverse !== null) remove(target.links[inverse]!, row)
  row.links[key] = []
  for (const target of targets) {
    // A target of oneToMany is taken from its former owner.
    if (kind === 'oneToMany')
      for (const owner of [...target.links[inverse!]!]) {
        remove(owner.links[key]!, target)
        remove(target.links[inverse!]!, owner)
      }
    link(row, key, target)
  }
  void to
}

function remove(list: Row[], row: Row): void {
  const at = list.indexOf(row)
  if (at !== -1) list.splice(at, 1)
}

/** The world as text, whatever the order of links. */
function textOf(world: World): string {
  return JSON.stringify(
    names.map(name =>
      [...world[name].values()].map(({ id, values, links }) => [
        id,
        Object.keys(shapes[name].scalars).map(key => values[key]),
        Object.keys(shapes[name].joins).map(key => links[key]!.map(one => one.id).sort((a, b) => a - b)),
      ]),
    ),
  )
}

/** Performs a write, and returns its status and what it answers. */
async function perform(
  kernel: Kernel,
  context: ReturnType<Kernel['context']>,
  { name, action, id, data }: RandomWrite,
) {
  const entries = kernel.query(uidOf(name), context)
  try {
    const entry =
      action === 'create'
        ? await entries.create({ data })
        : action === 'update'
          ? await entries.update(id, { data })
          : await entries.delete(id)
    return { status: entry === null ? 404 : 200, entry }
  } catch (error) {
    const { status } = error as { status?: number }
    if (status === undefined || status >= 500) throw error
    return { status, entry: null }
  }
}

t.test(`${cases} writes, PLINTH_SEED=${first}`, { timeout: 1_200_000 }, async t => {
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
        let status = expectation(one, role, user, world, sight)
        const found = await perform(kernel, as(role.type, user), one)
        const shown = JSON.stringify({ one, user, role })
        if (status === 200) {
          const row = apply(world, one, role, found.entry?.id ?? 0)
          const checks = row === null ? [] : checksOf(role, one.name, one.action)
          if (row !== null && checks.length > 0 && !checks.some(check => fulfils(check, row, user))) status = 403
        }
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
