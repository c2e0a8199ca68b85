// Values that plugins calculate for the `meta` of entries, on each database: what they are, what they cost, and which are
// refused.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import { stopClock } from '@plinth/test-tools/stopped-clock'
import type { Test } from 'tap'
import { createKernel, type MetaSource, never } from '../../src/index.ts'
import { client, type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('shop', {
    name: { type: 'string' },
    votes: { type: 'relation', relation: 'oneToMany', target: uid('vote'), mappedBy: 'shop' },
    best: { type: 'relation', relation: 'oneToOne', target: uid('vote') },
    friends: { type: 'relation', relation: 'manyToMany', target: uid('vote') },
  }),
  type('vote', {
    stars: { type: 'integer' },
    count: { type: 'biginteger' },
    price: { type: 'decimal' },
    weight: { type: 'float' },
    at: { type: 'datetime' },
    day: { type: 'date' },
    fair: { type: 'boolean' },
    word: { type: 'string' },
    shop: { type: 'relation', relation: 'manyToOne', target: uid('shop'), inversedBy: 'votes' },
  }),
]

const votes = [
  {
    ...{ stars: 5, count: '9007199254740993', price: 1.25, weight: 0.5, fair: true, word: 'b' },
    ...{ at: '2024-05-01T10:00:00.000Z', day: '2024-05-01' },
  },
  { stars: 2, count: '1', price: 2.5, weight: 1, at: '2024-06-01T10:00:00.000Z', day: '2024-06-01', word: 'a' },
  { stars: 1, count: '1', price: 10.25, weight: 2, fair: false },
  {},
]

type Sources = Readonly<Record<string, MetaSource>>

/** A kernel with a shop of all votes and one of none, whose `meta` has these members. */
async function start(t: Test, sources: Sources, { isHidden = false, isTwice = false } = {}) {
  const { config: database } = await fresh(t)
  const statements: string[] = []
  const kernel = await createKernel({
    database,
    contentTypes,
    configure({ hooks }) {
      hooks.on('onStatement', text => void statements.push(text))
      hooks.on('prePlan', draft => {
        if (draft.via === 'meta' && isHidden) draft.where(never)
        if (draft.type.uid !== uid('shop') || draft.via !== 'root' || !draft.query.meta) return
        for (const [name, source] of Object.entries(sources)) {
          draft.meta(name, source)
          if (isTwice) draft.meta(name, source)
        }
      })
    },
  })
  t.teardown(() => kernel.close())
  const ids: number[] = []
  for (const data of votes) ids.push((await kernel.query(uid('vote')).create({ data })).id)
  const shop = kernel.query(uid('shop'))
  await shop.create({ data: { name: 'all', votes: ids, best: ids[1], friends: ids.slice(0, 3) } })
  await shop.create({ data: { name: 'none' } })
  const read = async (name: string) => {
    const context = kernel.context({ key: 'reader', user: null, can: () => true })
    statements.length = 0
    const params = { filters: { name } }
    const { rows } = await kernel.reader.read({ uid: uid('shop'), action: 'find', params, meta: true }, context)
    const id = rows.rows[0]![0]
    const texts = rows.node.meta.map(({ name, json }, i) => `"${name}":${json(rows.meta[i]?.get(id) ?? [])}`)
    return JSON.parse(`{${texts}}`)
  }
  return { read, statements }
}

await onEach('values', async t => {
  if (client() === 'sqlite') stopClock(t)
  const of = (attribute: string, calculate: NonNullable<MetaSource['calculate']>, relation = 'votes') => ({
    ...{ relation, attribute, calculate },
  })
  const { read, statements } = await start(t, {
    list: { relation: 'votes', attribute: 'stars' },
    number: of('stars', 'count'),
    ids: of('id', 'count'),
    words: of('word', 'count'),
    sum: of('stars', 'sum'),
    prices: of('price', 'sum'),
    average: of('stars', 'average'),
    weight: of('weight', 'average'),
    price: of('price', 'average'),
    least: of('stars', 'minimum'),
    most: of('count', 'maximum'),
    dearest: of('price', 'maximum'),
    last: of('at', 'maximum'),
    first: of('day', 'minimum'),
    best: of('stars', 'average', 'best'),
    friends: of('stars', 'sum', 'friends'),
  })
  t.same(await read('all'), {
    list: [5, 2, 1],
    number: 3,
    ids: 4,
    words: 2,
    sum: 8,
    prices: 14,
    average: 8 / 3,
    weight: 3.5 / 3,
    price: 14 / 3,
    least: 1,
    // As a value of the attribute, which is text, because a number would lose a digit.
    most: '9007199254740993',
    dearest: 10.25,
    last: '2024-06-01T10:00:00.000Z',
    first: '2024-05-01',
    best: 2,
    friends: 8,
  })
  t.equal(statements.filter(text => text.includes('SELECT')).length, 1 + 16, 'one statement for each member')
  const empty = await read('none')
  t.match(empty, { list: [], number: 0, ids: 0, sum: 0, average: null, least: null, last: null, best: null })
  t.equal(statements.filter(text => text.includes('SELECT')).length, 1, 'none for what is not linked')
})

await onEach('rules hold for the values', async t => {
  const source = { relation: 'votes', attribute: 'stars' }
  const sources = { average: { ...source, calculate: 'average' }, number: { ...source, calculate: 'count' } } as const
  t.same(await (await start(t, sources, { isHidden: true })).read('all'), { average: null, number: 0 })
})

await onEach('what cannot be calculated is refused', async t => {
  const refused: [attribute: string, calculate: string, message: RegExp][] = [
    ['word', 'average', /The average of "word" cannot be calculated.* stored as string; possible are id, integer/],
    ['fair', 'maximum', /The maximum of "fair" cannot be calculated/],
    ['at', 'sum', /The sum of "at" cannot be calculated/],
    ['stars', 'averag', /The calculation "averag" is not known.*"average"/],
  ]
  for (const [attribute, calculate, message] of refused) {
    const source = { relation: 'votes', attribute, calculate } as MetaSource
    const { read } = await start(t, { value: source })
    await t.rejects(read('all'), { code: 'PLINTH_PLAN_META', message })
  }
  const misspelt = { relation: 'votes', attribute: 'stars', calculation: 'average' } as MetaSource
  await t.rejects((await start(t, { value: misspelt })).read('all'), {
    code: 'PLINTH_PLAN_META',
    message: /^meta "value": calculation is not known/,
  })
})

await onEach('a member of meta has one source', async t => {
  const source = { relation: 'votes', attribute: 'stars' }
  const { read } = await start(t, { value: source }, { isTwice: true })
  await t.rejects(read('all'), { code: 'PLINTH_PLAN_META', message: /meta "value": another plan hook has added/ })
})
