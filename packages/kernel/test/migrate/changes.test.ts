// Steps that may lose something are done only by name, steps that cannot be done name the rows, and no value is lost on
// the way.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import { createKernel } from '../../src/index.ts'
import { planMigrations } from '../../src/migrate/index.ts'
import { component, raw, thrown, type, uid } from '../fixtures/boot.ts'
import { apply, open, planned } from '../fixtures/migrate.ts'
import { one, reopen, step, things, valuesIn } from '../fixtures/retyped-entries.ts'

await onEach('text to integer, if all rows can be converted', async t => {
  const database = await things(t, 'text', ['7', '-12', ' 0042 ', '+5', null, '2147483647'])
  const kernel = await reopen(t, database, 'integer')
  t.same(await planned(kernel), [`lossy ${step}`])
  t.same(await apply(kernel), [], 'is not done unasked')
  await apply(kernel, [step])
  t.same(await planned(kernel), [])
  t.same(await valuesIn(kernel), [7, -12, 42, 5, null, 2147483647])
  const { id } = await kernel.query(uid('thing')).create({ data: { value: 8 } })
  t.equal((await kernel.query(uid('thing')).findOne(id as number))?.value, 8)
})

await onEach('text to integer, if some rows cannot be converted', async t => {
  const values = ['7', 'seven', '', '1.5', '2147483648', '12abc', '8', '99999999999999999999999', '-', '1e3']
  const database = await things(t, 'text', values)
  const kernel = await reopen(t, database, 'integer')
  t.same(await planned(kernel), [`blocked ${step}`])
  const { steps } = await planMigrations(kernel)
  t.match(steps[0]!.why, /^8 rows have values .*: id 2, 3, 4, 5, 6, 8, 9, 10$/)
  t.same(await apply(kernel), [])
  t.match((await thrown(t, () => apply(kernel, [step]))).message, /cannot run: 8 rows/)
  const before = await reopen(t, database, 'text')
  t.same(await valuesIn(before), values, 'nothing is lost')
  await before.query(uid('thing')).update(2, { data: { value: '77' } })
  for (const id of [3, 4, 5, 6, 8, 9, 10]) await before.query(uid('thing')).update(id, { data: { value: null } })
  await apply(kernel, [step])
  t.same(await valuesIn(kernel), [7, 77, null, null, null, null, 8, null, null, null])
})

await onEach('an unknown conversion is blocked', async t => {
  const database = await things(t, 'datetime', ['2024-02-29T10:00:00.000Z'])
  const kernel = await reopen(t, database, 'integer')
  const { steps } = await planMigrations(kernel)
  t.match(steps, [{ risk: 'blocked', why: /values cannot be converted .* migration file/ }])
})

await onEach('a converted column keeps its indexes', async t => {
  const { config: database } = await fresh(t)
  const model = (kind: string) => one({ value: { type: kind, unique: true }, other: { type: 'text', indexed: true } })
  const before = await createKernel({ database, ...model('string') })
  for (const value of ['1', '2']) await before.query(uid('thing')).create({ data: { value, other: 'long' } })
  await before.close()
  const kernel = await open(t, database, model('integer'))
  await apply(kernel, [step])
  t.same(await planned(kernel), [])
  await t.rejects(kernel.query(uid('thing')).create({ data: { value: 2 } }), {
    message: 'This attribute must be unique',
  })
})

await onEach('a removed attribute is dropped only by name', async t => {
  const { config: database } = await fresh(t)
  const link = { type: 'relation', relation: 'manyToOne', target: uid('other') }
  const full = {
    contentTypes: [
      type('other', { name: { type: 'string' } }),
      type('thing', {
        value: { type: 'string', unique: true },
        kept: { type: 'string' },
        a: link,
        b: { ...link, useJoinTable: false },
      }),
    ],
    components: {},
  }
  const bare = { contentTypes: [full.contentTypes[0], type('thing', { kept: { type: 'string' } })], components: {} }
  const before = await createKernel({ database, ...full })
  await before.query(uid('other')).create({ data: { name: 'o' } })
  for (const value of ['1', '2', '3'])
    await before.query(uid('thing')).create({ data: { value, kept: value, a: 1, b: 1 } })
  await before.query(uid('thing')).delete(3)
  await before.close()
  const kernel = await open(t, database, bare)
  const drops = ['drop:things.value', 'drop:things.b_id', 'drop:things_a_links']
  t.same((await planned(kernel)).sort(), drops.map(name => `lossy ${name}`).sort())
  t.match((await planMigrations(kernel)).steps.find(one => one.name === drops[0])?.why, '2 values would be lost')
  t.same(await apply(kernel), [], 'nothing is dropped unasked')
  await apply(kernel, [drops[1]!])
  t.same((await planned(kernel)).length, 2, 'and no more than what was named')
  t.match((await thrown(t, () => apply(kernel, ['drop:things.valeu']))).message, /did you mean "drop:things\.value"\?/)
  await apply(kernel, [drops[0]!, drops[2]!])
  t.same(await planned(kernel), [])
  t.match(await kernel.query(uid('thing')).findMany({}), [{ kept: '1' }, { kept: '2' }])
  t.equal((await kernel.query(uid('thing')).create({ data: { kept: '4' } })).id, 4, 'ids go on where they were')
})

await onEach('a removed type is dropped after what refers to it', async t => {
  const { config: database } = await fresh(t)
  const link = { type: 'relation', relation: 'manyToOne', target: uid('gone') }
  const before = await createKernel({
    database,
    contentTypes: [type('gone', { name: { type: 'string' } }), type('thing', { a: link })],
  })
  await before.query(uid('gone')).create({ data: { name: 'o' } })
  await before.close()
  const kernel = await open(t, database, one({}))
  t.same(await planned(kernel), ['blocked drop:gones', 'lossy drop:things_a_links'])
  t.match((await thrown(t, () => apply(kernel, ['drop:gones']))).message, /cannot run: things_a_links refer/)
  await apply(kernel, ['drop:gones', 'drop:things_a_links'])
  t.same(await planned(kernel), [])
})

await onEach('making a plan changes nothing', async t => {
  const database = await things(t, 'text', ['7'])
  const kernel = await reopen(t, database, 'integer')
  const { steps } = await planMigrations(kernel)
  t.ok(steps[0]!.sql.length > 0 && steps[0]!.sql.every(text => /^(ALTER|UPDATE|DROP INDEX)/.test(text)))
  t.same(
    (await raw(kernel, 'SELECT value FROM things')).map(row => row.value),
    ['7'],
  )
})

await onEach('a type and an attribute are renamed, converted and dropped in one plan', async t => {
  const database = await things(t, 'text', ['7', 'bad'])
  const count = { type: 'integer', renamedFrom: 'value' }
  const model = { contentTypes: [type('item', { count }, { renamedFrom: uid('thing') })], components: {} }
  const kernel = await open(t, database, model)
  const { steps } = await planMigrations(kernel)
  const of = (name: string) => steps.find(one => one.name === name)
  t.match(
    of('retype:items.count'),
    { risk: 'blocked', why: /1 row .*: id 2$/ },
    'rows are looked at under their old names',
  )
  t.match(of('drop:items.other'), { risk: 'lossy', why: '2 values would be lost' })
  const before = await reopen(t, database, 'text')
  await before.query(uid('thing')).update(2, { data: { value: '8' } })
  await apply(kernel, ['retype:items.count', 'drop:items.other'])
  t.same(await planned(kernel), [])
  t.match(await kernel.query(uid('item')).findMany({ sort: 'id' }), [{ count: 7 }, { count: 8 }])
})

await onEach('an attribute of a component is renamed', async t => {
  const { config: database } = await fresh(t)
  const model = (attributes: object) => ({
    contentTypes: [type('thing', { part: { type: 'component', component: 'a.part', repeatable: true } })],
    components: { 'a.part': component('a.part', attributes as never) },
  })
  const before = await createKernel({ database, ...model({ name: { type: 'string' } }) })
  await before.query(uid('thing')).create({ data: { part: [{ name: 'x' }, { name: 'y' }] } })
  await before.close()
  const kernel = await open(t, database, model({ label: { type: 'text', renamedFrom: 'name' } }), 'apply')
  const [entry] = await kernel.query(uid('thing')).findMany({ populate: '*' })
  t.match(entry?.part, [{ label: 'x' }, { label: 'y' }])
  t.same(await planned(kernel), [])
})
