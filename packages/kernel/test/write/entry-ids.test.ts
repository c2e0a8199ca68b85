// Ids in writes: which values are ids, and what is answered for ids that no entry has.

import t from 'tap'
import { boot, component, repositories, thrown, type, uid } from '../fixtures/boot.ts'

t.test('ids that no entry can have answer null', async t => {
  const kernel = await boot(t, { contentTypes: [type('thing', { name: { type: 'string', unique: true } })] })
  const things = repositories(kernel)('thing')
  await things.create({ data: { name: 'a' } })
  for (const id of [2_147_483_647, 2_147_483_648, 3_000_000_000, Number.MAX_SAFE_INTEGER, -1, 1.5, 'one']) {
    for (const data of [{}, { name: 'b' }, { name: 5 }]) t.equal(await things.update(id, { data }), null)
    t.equal(await things.delete(id), null)
  }
  t.same(
    (await things.findMany()).map(one => one.name),
    ['a'],
  )
})

t.test('ids are whole numbers or their digits', async t => {
  const links = { type: 'relation', relation: 'oneToMany', target: uid('thing') }
  const kernel = await boot(t, {
    components: { 'a.part': component('a.part', { label: { type: 'string' } }) },
    contentTypes: [type('thing', { links, part: { type: 'component', component: 'a.part' } })],
  })
  const things = repositories(kernel)('thing')
  await things.create({ data: { part: { label: 'l' } } })
  for (const id of [true, [1], '', ' 1', '0x1', '1e0', 1.5, -1, {}])
    t.match(await thrown(t, () => things.update(1, { data: { part: { id, label: 'x' } } })), {
      status: 400,
      message: 'Some of the provided components in part are not related to the entity',
    })
  for (const id of [1, '1', 1n]) t.ok(await things.update(1, { data: { part: { id, label: 'y' } } }), typeof id)
  for (const [id, named] of [
    [-1, -1],
    ['7', 7],
    [1e20, 1e20],
    [true, Number.NaN],
    [[1], Number.NaN],
    [{ id: [1] }, Number.NaN],
  ])
    t.match(
      await thrown(t, () => things.update(1, { data: { links: { connect: [{ id: 1, position: { before: id } }] } } })),
      {
        status: 400,
        message: `The relation with id ${named} needs to be connected first.`,
      },
    )
})
