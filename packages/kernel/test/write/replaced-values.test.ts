// Unique values are checked against what the same write replaces: an entry can be saved as it was read, and may move its
// values among its components. What another entry has is refused, also for writes that meet.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import type { Test } from 'tap'
import { createKernel, type Kernel, type KernelOptions, ValidationError } from '../../src/index.ts'
import { component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const sku = { type: 'string', unique: true }
const part = (many = false) => ({ type: 'component', component: 'a.part', repeatable: many })
const components = {
  'a.part': component('a.part', { label: { type: 'string' }, sku, serial: { type: 'integer', unique: true } }),
  'a.box': component('a.box', { lid: part(), parts: part(true) }),
}
const attributes = {
  code: { type: 'string' },
  main: part(),
  side: part(),
  parts: part(true),
  box: { type: 'component', component: 'a.box' },
  boxes: { type: 'component', component: 'a.box', repeatable: true },
  zone: { type: 'dynamiczone', components: ['a.part', 'a.box'] },
}
const contentTypes = [
  type('thing', attributes),
  type('draft', attributes, { options: { draftAndPublish: true } }),
  type('home', attributes, { kind: 'singleType' }),
]
const inZone = (one: object) => ({ __component: 'a.part', ...one })
const populate = {
  main: true,
  side: true,
  parts: true,
  zone: { populate: '*' },
  box: { populate: '*' },
  boxes: { populate: '*' },
}
const taken = 'This attribute must be unique'

type Things = ReturnType<ReturnType<typeof repositories>>

async function begin(t: Test, options: KernelOptions = {}) {
  const { config: database } = await fresh(t)
  const kernel = await createKernel({ database, contentTypes, components, ...options })
  t.teardown(() => kernel.close())
  return { kernel, database, things: repositories(kernel)('thing') }
}

/** Expects that the data is refused for the unique values at these paths. */
async function refuses(t: Test, things: Things, id: unknown, data: Record<string, unknown>, ...paths: string[]) {
  const error = await thrown(t, () => things.update(id as number, { data }))
  t.match(error, ValidationError)
  const { errors } = error.details as { errors: { path: string[]; message: string }[] }
  t.same(
    errors.map(one => `${one.path.join('.')}: ${one.message}`),
    paths.map(path => `${path}: ${taken}`),
  )
}

/** The entry with all components, which tests look into. */
async function read(things: Things, id: unknown): Promise<Stored> {
  return (await things.findOne(id as number, { populate })) as unknown as Stored
}

interface Part {
  readonly id: number
  readonly sku: string
}
interface Stored {
  readonly main: Part
  readonly side: Part
  readonly parts: readonly [Part, Part, Part]
  readonly box: { readonly id: number }
  readonly zone: readonly [Part]
}

function withoutIds<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (key, one) => (key === 'id' ? undefined : one))
}

/** Saves the entry as a client reads it, with and without the ids of its components. */
async function saveAgain(t: Test, things: Things, id: unknown): Promise<void> {
  for (const form of [(one: object) => one, withoutIds, (one: object) => one, withoutIds])
    t.ok(await things.update(id as number, { data: { ...form(await read(things, id)) } }))
}

const everything = { key: 'all', user: null, can: () => true }

await onEach('an entry is saved as it was read, with and without ids of components', async t => {
  const { things } = await begin(t)
  const { id } = await things.create({
    data: {
      main: { sku: 'a', serial: 1 },
      side: { sku: 'b' },
      parts: [{ sku: 'c', serial: 3 }, { sku: 'd' }, { sku: null }],
      box: { lid: { sku: 'e' }, parts: [{ sku: 'f' }, { sku: 'g' }] },
      boxes: [{ lid: { sku: 'h' } }, { parts: [{ sku: 'i' }] }],
      zone: [inZone({ sku: 'j' }), { __component: 'a.box', parts: [{ sku: 'k', serial: 9 }] }],
    },
  })
  const stored = withoutIds(await read(things, id))
  await saveAgain(t, things, id)
  t.match(withoutIds(await read(things, id)), { ...stored, updatedAt: String })
  const other = await things.create({ data: {} })
  await refuses(t, things, other.id, { main: { sku: 'k' } }, 'main.sku')
  await refuses(t, things, other.id, { side: { serial: 9 } }, 'side.serial')
  await refuses(t, things, other.id, { box: { lid: { sku: 'a' } } }, 'box.lid.sku')
})

await onEach('values move among the components of an entry', async t => {
  const { things } = await begin(t)
  const { id } = await things.create({
    data: {
      main: { sku: 'a' },
      side: { sku: 'b' },
      parts: [{ sku: 'c' }, { sku: 'd' }, { sku: 'e' }],
      box: { lid: { sku: 'f' }, parts: [{ sku: 'g' }] },
      zone: [inZone({ sku: 'h' })],
    },
  })
  const saves = (data: Record<string, unknown>, what: string) => t.resolves(things.update(id as number, { data }), what)
  let now = await read(things, id)
  const [c, d, e] = now.parts
  await saves({ parts: [{ id: c.id, sku: 'd' }, { id: d.id, sku: 'c' }, { id: e.id }] }, 'a swap')
  await saves(
    {
      parts: [
        { id: e.id, sku: 'd' },
        { id: c.id, sku: 'c' },
        { id: d.id, sku: 'e' },
      ],
    },
    'a rotation',
  )
  t.match((await read(things, id)).parts, [{ sku: 'd' }, { sku: 'c' }, { sku: 'e' }])
  await saves({ parts: [{ sku: 'e' }, { id: c.id, sku: 'd' }, { sku: 'c' }] }, 'new and old components')
  await saves({ main: { id: now.main.id, sku: 'b' }, side: { id: now.side.id, sku: 'a' } }, 'two attributes, in place')
  await saves({ main: { sku: 'a' }, side: { sku: 'b' } }, 'two attributes, anew')
  await saves({ main: { sku: 'h' }, zone: [inZone({ sku: 'a' })] }, 'an attribute and a zone')
  now = await read(things, id)
  await saves(
    { main: { id: now.main.id, sku: 'a' }, zone: [inZone({ id: now.zone[0].id, sku: 'h' })] },
    'back, in place',
  )
  await saves({ main: { sku: 'g' }, box: { lid: { sku: 'a' }, parts: [{ sku: 'f' }] } }, 'nested components')
  await saves({ side: null, boxes: [{ lid: { sku: 'b' } }] }, 'what a deleted component had')
  await saves({ zone: [{ __component: 'a.box', lid: { sku: 'h' } }] }, 'into a component of another type')
  now = await read(things, id)
  await saves({ box: { id: now.box.id, lid: null }, main: { sku: 'a' } }, 'what a nested component had')
  t.match(await read(things, id), {
    main: { sku: 'a' },
    side: null,
    box: { lid: null, parts: [{ sku: 'f' }] },
    boxes: [{ lid: { sku: 'b' } }],
    zone: [{ lid: { sku: 'h' } }],
  })
  await refuses(t, things, id, { main: { sku: 'f' } }, 'main.sku')
  await refuses(t, things, id, { side: { sku: 'h' }, main: { sku: 'x' } }, 'side.sku')
  await refuses(t, things, id, { parts: [{ sku: 'n' }, { sku: 'n' }, { sku: 'a' }] }, 'parts.1.sku', 'parts.2.sku')
})

await onEach('an entry keeps a value as often as it has it', async t => {
  const { things } = await begin(t)
  const twice = { parts: [{ sku: 'a' }, { sku: 'a' }], zone: [inZone({ sku: 'a' })] }
  const { id } = await things.create({ data: twice })
  await saveAgain(t, things, id)
  await refuses(t, things, id, { parts: [{ sku: 'a' }, { sku: 'a' }, { sku: 'a' }] }, 'parts.2.sku')
  await refuses(t, things, id, { main: { sku: 'a' } }, 'main.sku')
  await refuses(t, things, (await things.create({ data: {} })).id, { main: { sku: 'a' } }, 'main.sku')
  t.ok(await things.update(id as number, { data: { parts: [{ sku: 'a' }] } }))
  const [{ id: first }] = (await read(things, id)).parts
  await refuses(t, things, id, { parts: [{ sku: 'a' }, { id: first, sku: 'a' }] }, 'parts.0.sku')
  await refuses(t, things, id, { parts: [{ id: first }, { sku: 'a' }] }, 'parts.1.sku')
  t.ok(await things.update(id as number, { data: { zone: [], parts: [] } }))
  t.ok(await things.create({ data: { main: { sku: 'a' } } }), 'it is free when the entry has it no longer')
})

await onEach('a single type and a draft are saved twice', async t => {
  const { kernel } = await begin(t)
  const of = repositories(kernel)
  const data = { main: { sku: 'a' }, parts: [{ sku: 'b' }, { sku: 'c', serial: 4 }], zone: [inZone({ sku: 'd' })] }
  const put = (sent: Record<string, unknown>) =>
    kernel.writer.put({ uid: uid('home'), data: sent, params: {}, context: kernel.context(everything) })
  for (let i = 0; i < 3; i++) t.ok(await put(data))
  await refuses(t, of('thing'), (await of('thing').create({ data: {} })).id, { side: { sku: 'b' } }, 'side.sku')
  t.ok(await put({ main: { sku: 'b' }, parts: [{ sku: 'a' }] }))
  t.ok(await of('thing').create({ data: { main: { sku: 'c' } } }))
  const draft = await of('draft').create({ data: { parts: [{ sku: 'p' }, { sku: 'q' }], publishedAt: null } })
  for (const publishedAt of ['2024-01-01T00:00:00.000Z', null, '2024-01-01T00:00:00.000Z'])
    t.ok(await of('draft').update(draft.id, { data: { publishedAt, parts: [{ sku: 'q' }, { sku: 'p' }] } }))
})

await onEach('a value that was unique only later may stay', async t => {
  const { config: database } = await fresh(t)
  const names = {
    name: { type: 'string' },
    slug: { type: 'string' },
    row: { type: 'string' },
    seat: { type: 'integer' },
  }
  const plain = { type: 'string' }
  const before = { 'a.part': component('a.part', { label: plain, sku: plain }) }
  const first = await createKernel({
    database,
    contentTypes: [type('thing', { ...names, parts: part(true) })],
    components: before,
  })
  const same = { name: 'k', slug: 'k', row: 'a', seat: 1, parts: [{ sku: 'p' }, { sku: 'q' }] }
  const ids: number[] = []
  for (let i = 0; i < 2; i++) ids.push(Number((await repositories(first)('thing').create({ data: same })).id))
  await repositories(first)('thing').create({ data: { ...same, name: 'l', slug: 'l', seat: 2, parts: [{ sku: 'r' }] } })
  await first.close()
  const later = { ...names, name: { ...plain, unique: true }, slug: { type: 'uid' }, parts: part(true) }
  const after = { 'a.part': component('a.part', { label: plain, sku: { ...plain, unique: true } }) }
  const kernel = await createKernel({
    database,
    contentTypes: [type('thing', later)],
    components: after,
    configure: one =>
      one.hooks.on('preModel', draft => draft.uid === uid('thing') && draft.index(['row', 'seat'], { unique: true })),
  })
  t.teardown(() => kernel.close())
  const things = repositories(kernel)('thing')
  const [id] = ids as [number]
  t.ok(await things.update(id, { data: { name: 'k', slug: 'k', row: 'a', seat: 1 } }))
  t.ok(await things.update(id, { data: { row: 'a' } }), 'a value of several')
  for (const { id: _, createdAt, updatedAt, ...data } of [(await things.findOne(id, { populate: '*' }))!])
    t.ok(await things.update(id, { data }), 'the whole entry')
  t.ok(await things.update(id, { data: { parts: [{ sku: 'q' }, { sku: 'p' }] } }))
  await refuses(t, things, id, { name: 'l', slug: 'k', seat: 2 }, 'name', 'row')
  await refuses(t, things, id, { slug: 'l', parts: [{ sku: 'r' }] }, 'slug', 'parts.0.sku')
  t.ok(await things.update(id, { data: { name: 'm', slug: 'm', seat: 3, parts: [{ sku: 's' }] } }))
  await refuses(
    t,
    things,
    id,
    { name: 'k', slug: 'k', seat: 1, parts: [{ sku: 'p' }] },
    'name',
    'slug',
    'row',
    'parts.0.sku',
  )
})

await onEach('values move although the database has a unique index of its own', async t => {
  const { kernel, things } = await begin(t)
  await kernel.database.knex.schema.alterTable('components_a_parts', table => void table.unique(['sku']))
  const { id } = await things.create({
    data: { main: { sku: 'a' }, side: { sku: 'b' }, parts: [{ sku: 'c' }, { sku: 'd' }], zone: [inZone({ sku: 'e' })] },
  })
  await saveAgain(t, things, id)
  const now = await read(things, id)
  const [c, d] = now.parts
  await things.update(id as number, {
    data: {
      parts: [
        { id: c.id, sku: 'd' },
        { id: d.id, sku: 'c' },
      ],
    },
  })
  await things.update(id as number, { data: { main: { sku: 'b' }, side: { id: now.side.id, sku: 'a' } } })
  await things.update(id as number, {
    data: { main: { sku: 'e' }, zone: [inZone({ sku: 'c' })], parts: [{ sku: 'b' }] },
  })
  t.match(await things.findOne(id as number, { populate }), {
    main: { sku: 'e' },
    side: { sku: 'a' },
    parts: [{ sku: 'b' }],
    zone: [{ sku: 'c' }],
  })
  await refuses(t, things, (await things.create({ data: {} })).id, { main: { sku: 'a' } }, 'main.sku')
})

await onEach('of writes that meet, one gets a value that another entry gives up', async t => {
  const { config: database } = await fresh(t)
  const kernels: Kernel[] = []
  for (let i = 0; i < 2; i++) {
    const kernel = await createKernel({ database, contentTypes, components })
    t.teardown(() => kernel.close())
    kernels.push(kernel)
  }
  const all = repositories(kernels[0]!)('thing')
  const ids: number[] = []
  for (let i = 0; i < 6; i++)
    ids.push(Number((await all.create({ data: { parts: [{ sku: `${i}` }, { sku: `${i} b` }] } })).id))
  for (let round = 0; round < 12; round++) {
    const results = await Promise.allSettled(
      Array.from({ length: 24 }, (_, i) => {
        const things = repositories(kernels[i % 2]!)('thing')
        const skus = [`${(i + round) % 8}`, `${(i * 5 + round) % 7} b`]
        const parts = skus.slice(0, 1 + (i % 2)).map(one => ({ sku: one }))
        return things.update(ids[i % ids.length]!, { data: i % 3 === 0 ? { parts: [], main: parts[0] } : { parts } })
      }),
    )
    for (const one of results) if (one.status === 'rejected') t.match(one.reason, ValidationError)
    const { knex } = kernels[0]!.database
    const rows = await knex('components_a_parts').select('sku').whereNotNull('sku')
    const skus = rows.map(row => row.sku)
    t.same(skus.length, new Set(skus).size, `no value twice: ${skus}`)
  }
})
