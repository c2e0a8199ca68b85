// Ids that no entry can have, in links, components and queries: every database answers alike.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import t from 'tap'
import { createKernel } from '../../src/index.ts'
import { component, type, uid } from '../fixtures/boot.ts'

const relation = (kind: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: uid('tag'),
  ...more,
})
const contentTypes = [
  type('tag', {
    label: { type: 'string' },
    notes: { type: 'relation', relation: 'manyToMany', target: uid('note'), mappedBy: 'shared' },
    owner: { type: 'relation', relation: 'oneToOne', target: uid('note'), mappedBy: 'own' },
    keys: { type: 'relation', relation: 'oneToMany', target: uid('note'), mappedBy: 'key' },
  }),
  type('note', {
    title: { type: 'string' },
    one: relation('oneToOne'),
    key: relation('manyToOne', { useJoinTable: false, inversedBy: 'keys' }),
    shared: relation('manyToMany', { inversedBy: 'notes' }),
    own: relation('oneToOne', { inversedBy: 'owner' }),
    many: relation('manyToMany'),
    any: { type: 'relation', relation: 'morphToMany' },
    part: { type: 'component', component: 'a.part', repeatable: true },
  }),
]
const components = {
  'a.part': component('a.part', { title: { type: 'string' }, tag: relation('oneToOne') }),
}

const ids = [
  2_147_483_648,
  4_294_967_296,
  99_999_999_999,
  '99999999999',
  999_999_999_999_999,
  '9999999999999999',
  '1e30',
]

const all: string[][] = []

await onEach('ids beyond those of entries', async t => {
  const { config: database } = await fresh(t)
  const kernel = await createKernel({ database, contentTypes, components })
  t.teardown(() => kernel.close())
  const [notes, tags] = [kernel.query(uid('note')), kernel.query(uid('tag'))]
  await tags.create({ data: { label: 'a' } })
  const made = await notes.create({ data: { title: 'a', many: [1], part: [{ title: 'p' }] }, populate: ['part'] })
  const part = (made as unknown as { part: { id: number }[] }).part[0]!.id
  const answers: string[] = []
  const note = async (name: string, work: () => Promise<unknown>) => {
    try {
      answers.push(`${name}: ${JSON.stringify(await work())?.replaceAll(/20[\d-]+T[\d:.]+Z/g, '')}`)
    } catch (error) {
      const { status, message } = error as { status?: number; message: string }
      answers.push(`${name}: ${status} ${message}`)
    }
  }
  for (const id of ids) {
    for (const field of ['one', 'key', 'many', 'shared', 'own']) {
      const missing = { name: 'ValidationError', message: /^1 relation\(s\) of type api::tag\.tag .* do not exist$/ }
      for (const value of [id, [id], { connect: [{ id }] }, { set: [{ id }] }]) {
        await t.rejects(notes.create({ data: { [field]: value } }), missing, `create ${field} ${JSON.stringify(value)}`)
        await t.rejects(
          notes.update(1, { data: { [field]: value } }),
          missing,
          `update ${field} ${JSON.stringify(value)}`,
        )
      }
      await t.rejects(notes.create({ data: { many: [1, id] } }), missing)
      await note(`disconnect ${field} ${id}`, () => notes.update(1, { data: { [field]: { disconnect: [{ id }] } } }))
    }
    const place = { connect: [{ id: 1, position: { before: id } }] }
    await note(`before ${id}`, () => notes.update(1, { data: { many: place } }))
    await note(`morph ${id}`, () => notes.update(1, { data: { any: [{ id, __type: uid('tag') }] } }))
    await note(`part ${id}`, () => notes.update(1, { data: { part: [{ id, title: 'x' }] } }))
    await note(`link of part ${id}`, () => notes.update(1, { data: { part: [{ id: part, tag: id }] } }))
    await note(`update ${id}`, () => notes.update(id as number, { data: { title: 'x' } }))
    await note(`delete ${id}`, () => notes.delete(id as number))
    await note(`find ${id}`, () => notes.findOne(id as number))
    for (const operator of ['$eq', '$ne', '$gt', '$lt', '$in', '$notIn'])
      await note(`filter ${operator} ${id}`, () =>
        notes.findMany({ filters: { id: { [operator]: id }, many: { id: { [operator]: id } } }, fields: ['id'] }),
      )
  }
  t.notOk(
    answers.some(one => /: (500|undefined) |not fit/.test(one)),
    answers
      .filter(one => /: (500|undefined) |not fit/.test(one))
      .slice(0, 9)
      .join('\n'),
  )
  all.push(answers)
})

t.test('all databases answer alike', async t => {
  for (const other of all.slice(1)) t.same(other, all[0])
})
