// New entries whose linked entries no statement looks up, because foreign keys refuse links to missing ones: the errors
// are those of a lookup, and where a table has no keys, the entries are looked up.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import type { Test } from 'tap'
import { createKernel, type Kernel, type KernelOptions } from '../../src/index.ts'
import { component, raw, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation,
  target: uid(target),
  ...more,
})
const name = { type: 'string' }

const model = {
  contentTypes: [
    type('tag', { name, notes: to('manyToMany', 'note', { mappedBy: 'tags' }) }),
    type('person', { name, notes: to('oneToMany', 'note', { mappedBy: 'author' }) }, { collectionName: 'people' }),
    type('note', {
      text: name,
      slug: { type: 'string', unique: true },
      author: to('manyToOne', 'person', { inversedBy: 'notes' }),
      tags: to('manyToMany', 'tag', { inversedBy: 'notes' }),
      next: to('oneToOne', 'note'),
      mentions: { type: 'relation', relation: 'morphToMany' },
      parts: { type: 'component', component: 'a.part', repeatable: true },
    }),
  ],
  components: {
    'a.part': component('a.part', {
      name,
      tags: to('oneToMany', 'tag'),
      reader: to('oneToOne', 'person'),
      note: to('oneToOne', 'note'),
    }),
  },
}

interface Stage {
  readonly kernel: Kernel
  readonly notes: ReturnType<Kernel['query']>
  /** The statements of creating a note. */
  statementsOf(data: object): Promise<string[]>
  /** The message of the error that creating a note throws. */
  refusalOf(data: object): Promise<unknown>
}

/** A kernel with three tags and two people. */
async function start(t: Test, more: Partial<KernelOptions> = {}): Promise<Stage> {
  const { config: database } = await fresh(t)
  const kernel = await createKernel({ database, ...model, ...more })
  t.teardown(() => kernel.close())
  const of = repositories(kernel)
  for (const name of ['a', 'b', 'c']) await of('tag').create({ data: { name } })
  for (const name of ['Ann', 'Bob']) await of('person').create({ data: { name } })
  const notes = of('note')
  return {
    kernel,
    notes,
    async statementsOf(data) {
      const statements: string[] = []
      const observer = { onStatement: (text: string) => void statements.push(text), onBegin() {}, onEnd() {} }
      await kernel.observe(observer, () => notes.create({ data }))
      return statements
    },
    refusalOf: async data => ((await thrown(t, () => notes.create({ data }))) as Error).message,
  }
}

const missing = (count: number, name: string) =>
  `${count} relation(s) of type ${uid(name)} associated with this entity do not exist`
const looksUp = (texts: readonly string[], table: string) =>
  texts.some(text => /COUNT\(\*\)/.test(text) && new RegExp(`FROM .${table}.`).test(text))

await onEach('the entries that a new entry links are not looked up on servers', async (t, client) => {
  const { statementsOf, notes } = await start(t)
  const isServer = client !== 'sqlite'
  for (const data of [
    { author: 1, tags: [1, 2] },
    { slug: 'a', author: 2, tags: [3, 1] },
    { parts: [{ tags: [1, 2], reader: 2 }] },
  ])
    for (const table of ['people', 'tags']) {
      const texts = await statementsOf({ ...data, ...(Object.hasOwn(data, 'slug') ? { slug: table } : {}) })
      t.equal(looksUp(texts, table), !isServer, `${table}: ${texts.join('; ')}`)
    }
  const mention = { id: 1, __type: uid('person') }
  const texts = await statementsOf({ mentions: [mention], author: 1, tags: [2] })
  t.ok(looksUp(texts, 'people'), 'polymorphic links have no key')
  t.equal(looksUp(texts, 'tags'), !isServer)
  const note = await notes.findOne(3, { populate: { author: true, tags: true } as never })
  t.match(note, { author: { id: 2 }, tags: [{ id: 3 }, { id: 1 }] })
})

await onEach('links to missing entries are refused as if they had been looked up', async (t, client) => {
  const { kernel, notes, refusalOf } = await start(t)
  await notes.create({ data: { slug: 'taken' } })
  for (const [data, message] of [
    [{ author: 99 }, missing(1, 'person')],
    [{ tags: [1, 98, 97] }, missing(2, 'tag')],
    [{ next: 99 }, missing(1, 'note')],
    [{ author: 0 }, missing(1, 'person')],
    [{ author: 2_147_483_648 }, missing(1, 'person')],
    [{ author: 9_007_199_254_740_991, tags: [1] }, missing(1, 'person')],
    [{ parts: [{ tags: [1] }, { tags: [2, 77] }] }, missing(1, 'tag')],
    [{ slug: 'free', parts: [{ reader: 50 }], author: 50, tags: [1] }, missing(1, 'person')],
  ] as const)
    t.equal(await refusalOf(data), message, JSON.stringify(data))
  const { id: last } = await notes.create({ data: {} })
  t.equal(await refusalOf({ next: Number(last) + 1 }), missing(1, 'note'), 'an entry cannot link itself')
  t.equal(await refusalOf({ parts: [{ note: Number(last) + 1 }] }), missing(1, 'note'), 'nor can its components')
  await notes.delete(Number(last))
  t.match(await refusalOf({ author: 99, tags: [98] }), /^2 errors occurred$/)
  const both = (await thrown(t, () => notes.create({ data: { slug: 'taken', author: 99, tags: [98] } }))) as {
    details?: { errors?: { message: string }[] }
  }
  t.same(
    both.details?.errors?.map(({ message }) => message),
    ['This attribute must be unique', missing(1, 'person'), missing(1, 'tag')],
    'together with other faults',
  )
  t.equal((await notes.findMany()).length, 1, 'nothing is left of them')
  t.same(await raw(kernel, 'SELECT * FROM notes_tags_links'), [])
  t.same(await raw(kernel, 'SELECT * FROM components_a_parts'), [])
  await notes.create({ data: { author: 1, tags: [1] } })
  if (client === 'sqlite') return
  const texts = (await raw(kernel, 'SELECT note_order AS n FROM notes_tags_links')).map(({ n }) => Number(n))
  t.same(texts, [1], 'and the number of a refused link is not used')
})

await onEach('in a transaction of the caller only the creation is refused', async t => {
  const { kernel, notes } = await start(t)
  await kernel.transaction(async () => {
    await notes.create({ data: { text: 'before', author: 1 } })
    const error = (await thrown(t, () => notes.create({ data: { author: 99 } }))) as Error
    t.equal(error.message, missing(1, 'person'))
    await notes.create({ data: { text: 'after', tags: [1] } })
  })
  t.same(
    (await notes.findMany({ sort: 'id' })).map(one => one.text),
    ['before', 'after'],
  )
})

await onEach('without their foreign keys, linked entries are looked up', async (t, client) => {
  // It has no statement that drops a foreign key.
  if (client === 'sqlite') return
  const { config: database } = await fresh(t)
  const first = await createKernel({ database, ...model })
  await first.database.knex.schema.alterTable('notes_tags_links', table => {
    table.dropForeign('tag_id', 'notes_tags_links_inv_fk')
  })
  await first.close()
  const { statementsOf, refusalOf } = await start(t, { database })
  t.equal(await refusalOf({ tags: [1, 99] }), missing(1, 'tag'))
  t.equal(await refusalOf({ author: 99 }), missing(1, 'person'))
  const texts = await statementsOf({ author: 1, tags: [1] })
  t.ok(looksUp(texts, 'tags'))
  t.notOk(looksUp(texts, 'people'))
})

await onEach('hooks inside the transaction of a creation run once', async t => {
  let runs = 0
  const configure = ({ hooks }: Kernel) =>
    hooks.on('onWrite', { for: ({ uid: own }) => own === uid('note') }, () => void runs++)
  const { notes, refusalOf } = await start(t, { configure })
  t.equal(await refusalOf({ author: 99 }), missing(1, 'person'))
  t.equal(runs, 0)
  await notes.create({ data: { author: 1 } })
  t.equal(runs, 1)
})

await onEach('an entry that is deleted while others link it is linked or missing', async t => {
  const { kernel, notes } = await start(t)
  const tags = kernel.query(uid('tag'))
  for (let round = 0; round < 20; round++) {
    const { id } = await tags.create({ data: { name: `${round}` } })
    const results = await Promise.allSettled([
      notes.create({ data: { text: `a${round}`, tags: [id, 1] } }),
      tags.delete(id),
      notes.create({ data: { text: `b${round}`, tags: [1, id] } }),
    ])
    for (const one of results) if (one.status === 'rejected') t.equal((one.reason as Error).message, missing(1, 'tag'))
  }
  const left = 'SELECT l.id FROM notes_tags_links l LEFT JOIN tags t ON t.id = l.tag_id WHERE t.id IS NULL'
  t.same(await raw(kernel, left), [])
})
