// The index by which polymorphic relations are read from the other side: in new databases, and added to those that have
// v4's index.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import t from 'tap'
import { createKernel } from '../../src/index.ts'
import { boot, raw, repositories, type, uid } from '../fixtures/boot.ts'
import { planned } from '../fixtures/migrate.ts'

const name = { type: 'string' }
const note = type('note', { name, mentions: { type: 'relation', relation: 'morphToMany' } })
const inverse = { type: 'relation', relation: 'morphMany', target: uid('note'), morphBy: 'mentions' }
const tag = type('tag', { name, notes: inverse, more: inverse })
const index = 'safe index:notes_mentions_morphs_target'

await onEach('a database in place gets the index beside its own', async t => {
  const { config: database } = await fresh(t)
  const first = await createKernel({ database, contentTypes: [note] })
  await first.query(uid('note')).create({ data: { name: 'a' } })
  await first.knex.schema.alterTable('notes_mentions_morphs', table => {
    table.dropIndex([], 'notes_mentions_morphs_target')
    table.index(['mentions_id'], 'notes_mentions_morphs_id_column_index')
  })
  await first.close()

  const look = await createKernel({ database, contentTypes: [note, tag], migrate: 'none' })
  const steps = await planned(look)
  t.same(
    steps.filter(one => one.includes('morphs')),
    [index],
  )
  await look.close()

  const kernel = await createKernel({ database, contentTypes: [note, tag], migrate: 'apply' })
  t.teardown(() => kernel.close())
  t.same(await planned(kernel), [])
  await kernel.query(uid('tag')).create({ data: { name: 't', notes: [1] } })
  t.match(await kernel.query(uid('tag')).findOne(1, { populate: '*' }), { notes: [{ name: 'a' }], more: [] })
})

t.test('the index finds and orders the links of one field', async t => {
  const kernel = await boot(t, { contentTypes: [note, tag] })
  const of = repositories(kernel)
  await of('note').create({ data: { name: 'a' } })
  await of('tag').create({ data: { name: 't', notes: [1] } })
  const names = async () =>
    (await raw(kernel, `SELECT name FROM pragma_index_list('notes_mentions_morphs')`)).map(one => one.name).sort()
  t.same(await names(), ['notes_mentions_morphs_fk', 'notes_mentions_morphs_target'])
  const columns = await raw(kernel, `SELECT name FROM pragma_index_info('notes_mentions_morphs_target') ORDER BY seqno`)
  t.same(
    columns.map(one => one.name),
    ['mentions_id', 'mentions_type', 'field', 'order'],
  )
  const statements: string[] = []
  const observer = { onStatement: (text: string) => statements.push(text), onBegin() {}, onEnd() {} }
  await kernel.observe(observer, () => of('tag').findMany({ populate: 'notes' }))
  const text = statements.find(one => one.includes('notes_mentions_morphs'))!
  const explained = await raw(kernel, `EXPLAIN QUERY PLAN ${text.replaceAll('?', "'[1]'")}`)
  t.match(
    explained.map(one => one.detail).join('\n'),
    /USING (COVERING )?INDEX notes_mentions_morphs_target \(mentions_id=\? AND mentions_type=\? AND field=\?\)/,
  )
})
