// Kernels for random cases: one with the random roles, and for a role one that holds nothing but what the role may see.

import { type Context, createKernel, definePlugin, type Kernel, openAccess, Type } from '@plinth/kernel'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import { freshDatabase, testClient } from '@plinth/test-tools/databases'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { secretAttributes } from '../../src/accounts/user-type.ts'
import { type Roles, registerRoles, startRoles, userUid } from '../../src/roles/index.ts'
import type { User } from '../../src/roles/role.ts'
import { ruleSchema } from '../../src/rules/schema.ts'
import type { Random } from './random.ts'
import { hiddenOf, mayDo, type RandomRole, wheresOf } from './roles.ts'
import { type Filter, type UserRow, visible } from './truth.ts'
import {
  emptyRow,
  emptyWorld,
  isMany,
  link,
  type Name,
  names,
  pools,
  schemas,
  shapes,
  uidOf,
  type World,
} from './world.ts'

const users = {
  kind: 'collectionType',
  collectionName: 'up_users',
  info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
  attributes: {
    nick: { type: 'string' },
    level: { type: 'integer' },
    team: { type: 'relation', relation: 'manyToOne', target: uidOf('team') },
    labels: { type: 'relation', relation: 'manyToMany', target: uidOf('label') },
    role: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.role', inversedBy: 'users' },
  },
}

const limits = { maxCost: 100_000, maxRows: 1e12 }

/** Starts a kernel on a fresh database; a test closes it. */
async function open(t: Test, contentTypes: object[], plugins: object): Promise<Kernel> {
  const database = await freshDatabase(testClient())
  const kernel = await createKernel({
    database: database.config,
    contentTypes,
    plugins: plugins as never,
    ...limits,
  }).catch(async error => {
    await database.drop()
    throw error
  })
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  return kernel
}

/** A plugin with the roles, and the callers that have them. */
function rolesPlugin(all: readonly RandomRole[]) {
  let roles: Roles | undefined
  const config = {
    permissions: Object.fromEntries(all.map(({ type, permissions }) => [type, permissions])),
    rules: Object.fromEntries(all.map(({ type, rules }) => [type, rules])),
  }
  const access = (type: string, user: UserRow) => {
    const role = roles!.all.find(one => one.type === type)!
    return roles!.accessOf(role, user as User | null)
  }
  const plugin = definePlugin({
    name: 'users-permissions',
    config: Type.Object({
      permissions: Type.Record(Type.String(), Type.Array(Type.String())),
      rules: Type.Record(Type.String(), Type.Array(ruleSchema)),
    }),
    register({ kernel, config }) {
      kernel.contentTypes.add(users, { uid: userUid, routes: 'own' })
      roles = registerRoles(kernel, config, { secretAttributes })
      // The caller of a request is what its header says.
      kernel.auth.use({
        name: 'named',
        authenticate: ({ headers }) => {
          const { type, user } = JSON.parse(decodeURIComponent(String(headers['x-caller'])))
          return access(type, user)
        },
      })
    },
    bootstrap: ({ config }) => startRoles(roles!, config),
  })
  return { access, plugins: { 'users-permissions': { plugin, config } } }
}

/** The kernel with the roles. */
export interface Guarded {
  readonly kernel: Kernel
  readonly as: (role: string, user: UserRow) => Context
}

export async function openGuarded(t: Test, all: readonly RandomRole[]): Promise<Guarded> {
  const { access, plugins } = rolesPlugin(all)
  const kernel = await open(t, schemas(), plugins)
  return { kernel, as: (type, user) => kernel.context(access(type, user)) }
}

/** The same with the REST API. */
export interface Served extends Guarded {
  readonly app: FastifyInstance
}

export async function openServed(t: Test, all: readonly RandomRole[]): Promise<Served> {
  const database = await freshDatabase(testClient())
  t.teardown(() => database.drop())
  const { access, plugins } = rolesPlugin(all)
  const app: FastifyInstance = await createServer({
    database: database.config,
    contentTypes: schemas(),
    plugins: { rest: { plugin: rest }, ...plugins } as never,
    logger: false,
    ...limits,
  })
  t.teardown(() => app.close())
  const { kernel } = app
  return { app, kernel, as: (type, user) => kernel.context(access(type, user)) }
}

/** Random content, written through the kernel. */
export async function fill(kernel: Kernel, random: Random): Promise<void> {
  const counts: Readonly<Record<Name, number>> = { team: 3, label: 5, person: 6, article: 10, comment: 10 }
  for (const name of names) {
    for (let i = 0; i < counts[name]; i++) {
      const data: Record<string, unknown> = {}
      for (const [key, family] of Object.entries(shapes[name].scalars))
        data[key] = random.chance(0.2) ? null : random.pick(pools[family])
      for (const [key, join] of Object.entries(shapes[name].joins)) {
        if (!join.isOwner || key === 'lead') continue
        const before = Array.from({ length: join.to === name ? i : counts[join.to] }, (_, at) => at + 1)
        const linked = random.some(before, 0, isMany(join) ? 3 : random.chance(0.75) ? 1 : 0)
        data[key] = isMany(join) ? linked : (linked[0] ?? null)
      }
      await kernel.query(uidOf(name)).create({ data })
    }
  }
  for (const id of [1, 2]) await kernel.query(uidOf('team')).update(id, { data: { lead: random.between(1, 6) } })
  await freezeTimes(kernel)
}

/** Two databases were not filled at the same time. */
export async function freezeTimes(kernel: Kernel): Promise<void> {
  const time = testClient() === 'sqlite' ? 1_700_000_000_000 : '2024-01-01 00:00:00'
  await kernel.transaction(async tx => {
    for (const name of names) await tx.knex(`${name}s`).update({ created_at: time, updated_at: time })
  })
}

/** Reads everything, with the rights of the system. */
export async function load(kernel: Kernel): Promise<World> {
  const world = emptyWorld()
  const pending: (() => void)[] = []
  for (const name of names) {
    const { scalars, joins } = shapes[name]
    const owned = Object.entries(joins).filter(([, join]) => join.isOwner)
    const populate = Object.fromEntries(owned.map(([key]) => [key, { fields: ['id'] }]))
    for (const entry of await kernel.query(uidOf(name)).findMany({ sort: 'id', populate })) {
      const row = emptyRow(name, entry.id)
      for (const key of Object.keys(scalars)) row.values[key] = entry[key] as never
      world[name].set(row.id, row)
      for (const [key, { to }] of owned)
        for (const one of [entry[key]].flat() as ({ id: number } | null)[])
          if (one !== null) pending.push(() => link(row, key, world[to].get(one.id)!))
    }
  }
  for (const one of pending) one()
  return world
}

/** What a caller may see: the attributes of each type, and the ids of the entries. */
export interface Sight {
  readonly isHidden: (name: Name, attribute: string) => boolean
  readonly ids: Readonly<Record<Name, ReadonlySet<number>>>
}

export function sightOf(role: RandomRole, user: UserRow, world: World): Sight {
  const hidden = new Map(names.map(name => [name, hiddenOf(role, name, 'find')]))
  const isHidden = (name: Name, attribute: string) => {
    const join = shapes[name].joins[attribute]
    return hidden.get(name)!.has(attribute) || (join !== undefined && !mayDo(role, join.to, 'find'))
  }
  const wheres = (name: Name) => wheresOf(role, name, 'find') as Filter[]
  const ids = Object.fromEntries(names.map(name => [name, visible(world, name, wheres(name), user)]))
  return { isHidden, ids: ids as unknown as Sight['ids'] }
}

/** A kernel without roles on a database that holds only what a caller may see. */
export async function openBare(t: Test, { isHidden, ids }: Sight, random: Random): Promise<Kernel> {
  const kernel = await open(t, schemas(isHidden), {})
  await fill(kernel, random)
  await kernel.transaction(async tx => {
    for (const name of names) {
      const gone = await tx
        .knex(`${name}s`)
        .whereNotIn('id', [...ids[name]])
        .pluck('id')
      // Removed link by link, as foreign keys would.
      if (gone.length > 0) await tx.knex(`${name}s`).whereIn('id', gone).del()
      for (const key of Object.keys(shapes[name].scalars))
        if (isHidden(name, key)) await tx.knex(`${name}s`).update({ [key]: null })
    }
  })
  return kernel
}

export const openContext = (kernel: Kernel) => kernel.context(openAccess)

/** What a caller gets: the answer, or the error as a client would see it. */
export async function outcome(work: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await work())
  } catch (error) {
    const { status, name, message } = error as Error & { status?: number }
    if (status === undefined || status >= 500) throw error
    return JSON.stringify({ status, name, message })
  }
}
