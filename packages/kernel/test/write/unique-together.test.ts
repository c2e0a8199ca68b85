// Values that are unique together: a plugin asks for the index, and the kernel checks the values before the database
// does.

import t, { type Test } from 'tap'
import { type DriverErrors, note } from '../../src/connection/meaning.ts'
import { definePlugin, type ValidationError } from '../../src/index.ts'
import { findClash } from '../../src/write/checks.ts'
import type { UniqueCheck } from '../../src/write/parse.ts'
import { boot, component, repositories, thrown, type } from '../fixtures/boot.ts'
import { mysqlErrors, postgresErrors, sqliteErrors } from '../fixtures/driver-errors.ts'

const indexed = (...groups: string[][]) => ({
  plugin: definePlugin({
    name: 'together',
    register({ kernel }) {
      kernel.hooks.on('preModel', { for: one => one.uid === 'api::seat.seat' }, draft => {
        for (const group of groups) draft.index(group, { unique: true })
      })
    },
  }),
})

const seat = type('seat', {
  label: { type: 'string', required: true },
  row: { type: 'string' },
  number: { type: 'integer' },
  day: { type: 'date' },
  code: { type: 'string', unique: true },
})

async function seats(t: Test, ...groups: string[][]) {
  const kernel = await boot(t, { contentTypes: [seat], plugins: { together: indexed(...groups) } })
  return { kernel, of: repositories(kernel)('seat') }
}

const paths = (error: object) =>
  (error as ValidationError & { details: { errors: { path: string[]; message: string }[] } }).details.errors.map(
    one => `${one.path.join('.')}: ${one.message}`,
  )
const taken = (name: string) => `${name}: This attribute must be unique`

t.test('creations and updates are checked', async t => {
  const { of } = await seats(t, ['row', 'number'])
  const refused = async (work: () => Promise<unknown>, ...wanted: string[]) =>
    t.same(paths(await thrown(t, work)), wanted)
  const create = (data: object) => of.create({ data: { label: 'x', ...data } })
  const update = (id: number, data: object) => of.update(id, { data })
  await create({ row: 'A', number: 1 })
  await refused(() => create({ row: 'A', number: 1 }), taken('row'))
  await create({ row: 'A', number: 2 })
  await create({ row: 'B', number: 1 })
  for (const data of [{ row: 'A' }, { row: 'A', number: null }, { number: 1 }, {}]) {
    await create(data)
    await t.resolves(create(data), 'without one of them nothing clashes')
  }
  await refused(() => update(2, { number: 1 }), taken('row'))
  await refused(() => update(3, { row: 'A' }), taken('row'))
  await refused(() => update(3, { row: 'A', number: 1 }), taken('row'))
  await refused(() => update(5, { number: 2 }), taken('row'))
  t.match(await update(1, { row: 'A' }), { row: 'A', number: 1 }, 'its own values')
  t.match(await update(2, { number: null }), { number: null })
  t.match(await update(3, { row: 'A', number: 2 }), { number: 2 }, 'what was left is free')
  t.match(await update(1, { label: 'y' }), { label: 'y' }, 'neither is touched')
})

t.test('faults are reported with others in the order of the schema', async t => {
  const { of } = await seats(t, ['row', 'day'], ['number', 'row'])
  await of.create({ data: { label: 'x', row: 'A', number: 1, day: '2024-01-01', code: 'c' } })
  const data = { label: null, row: 'A', number: 1, day: '2024-01-01', code: 'c' }
  // A day is read last: where anything is wrong it is not looked at.
  const found = paths(await thrown(t, () => of.create({ data })))
  t.match(found, [/^label/, taken('number'), taken('code')])
  t.same(paths(await thrown(t, () => of.create({ data: { ...data, label: 'y' } }))), [
    taken('row'),
    taken('number'),
    taken('code'),
  ])
})

t.test('a violated index is reported if the check found nothing', async t => {
  const { kernel, of } = await seats(t, ['row', 'number'])
  // To this index A and a are one; the check, which compares as filters do, lets it pass.
  const { knex } = kernel.database
  await knex.raw('DROP INDEX seats_row_number_unique')
  await knex.raw('CREATE UNIQUE INDEX seats_row_number_unique ON seats (`row` COLLATE NOCASE, number)')
  await of.create({ data: { label: 'x', row: 'A', number: 1 } })
  await of.create({ data: { label: 'x', row: 'a', number: 2 } })
  t.same(paths(await thrown(t, () => of.create({ data: { label: 'x', row: 'a', number: 1, code: 'c' } }))), [
    taken('row'),
  ])
  t.same(paths(await thrown(t, () => of.update(2, { data: { number: 1, code: 'c' } }))), [taken('row')])
})

t.test('errors of databases name the index or its columns', t => {
  const attribute = (column: string) => ({ column }) as never
  const check = (...columns: string[]) =>
    ({ type: { table: 'seats' }, values: new Map(columns.map(one => [attribute(one), 1])) }) as unknown as UniqueCheck
  const [code, both, other] = [check('code'), check('row', 'number'), check('row')]
  const error = (errors: DriverErrors, message: string, detail?: string) => {
    const made = Object.assign(new Error(message), { detail })
    note(made, errors)
    return made
  }
  const said: [Error, UniqueCheck][] = [
    [error(sqliteErrors, 'UNIQUE constraint failed: seats.row, seats.number'), both],
    [error(sqliteErrors, 'UNIQUE constraint failed: seats.code'), code],
    [error(postgresErrors, 'duplicate key', 'Key ("row", number)=(A, 1) already exists.'), both],
    [error(postgresErrors, 'duplicate key', 'Key (code)=(row, number) already exists.'), code],
    [error(mysqlErrors, "Duplicate entry 'A-1' for key 'seats_row_number_unique'"), both],
    [error(mysqlErrors, "Duplicate entry 'x' for key 'seats.seats_code_unique'"), code],
  ]
  for (const [one, wanted] of said) t.equal(findClash(one, [other, code, both]), wanted, one.message)
  const unknown = error(postgresErrors, 'duplicate key')
  t.equal(findClash(unknown, [both]), both, 'only one it can be')
  t.equal(findClash(unknown, [code, both]), undefined)
  t.end()
})

t.test('unknown attributes and components are refused at the start', async t => {
  const { message } = await thrown(t, () => seats(t, ['row', 'nunber']))
  t.match(message, /seat/)
  t.match(message, /"nunber", which is not a scalar attribute, did you mean "number"/)
  const part = {
    plugin: definePlugin({
      name: 'parts',
      register({ kernel }) {
        kernel.hooks.on('preModel', { for: one => one.uid === 'a.part' }, draft => {
          draft.index(['x', 'y'], { unique: true })
        })
      },
    }),
  }
  const components = { 'a.part': component('a.part', { x: { type: 'string' }, y: { type: 'string' } }) }
  await t.rejects(boot(t, { components, plugins: { part } }), { message: /a\.part.*component.*unique/ })
})

t.test('an unclaimed word for `unique` means unique', async t => {
  const contentTypes = [type('page', { path: { type: 'string', unique: 'perSite' } })]
  const of = repositories(await boot(t, { contentTypes }))('page')
  await of.create({ data: { path: '/p' } })
  t.same(paths(await thrown(t, () => of.create({ data: { path: '/p' } }))), [taken('path')])
})
