// Every error of a query or a write says where the fault is: in its message or details, or in `at` where v4's answer
// has no place for it (B-2.3, B-4.9, B-4.37).

import t, { type Test } from 'tap'
import type { FindOptions } from '../src/index.ts'
import { boot, component, repositories, thrown, type, uid } from './fixtures/boot.ts'

const to = (relation: string, name: string) => ({ type: 'relation', relation, target: uid(name) })
const components = {
  'a.card': component('a.card', { since: { type: 'date' }, writer: to('oneToOne', 'writer') }),
}
const contentTypes = [
  type('writer', { name: { type: 'string' }, books: { ...to('oneToMany', 'book'), mappedBy: 'writer' } }),
  type('book', {
    title: { type: 'string' },
    pages: { type: 'integer' },
    day: { type: 'date' },
    clock: { type: 'time' },
    moment: { type: 'datetime' },
    writer: { ...to('manyToOne', 'writer'), inversedBy: 'books' },
    cards: { type: 'component', component: 'a.card', repeatable: true },
    zone: { type: 'dynamiczone', components: ['a.card'] },
    any: { type: 'relation', relation: 'morphToMany' },
  }),
]

async function start(t: Test) {
  return repositories(await boot(t, { contentTypes, components }))('book')
}

t.test('errors of queries have a path', async t => {
  const books = await start(t)
  const rows: readonly (readonly [options: FindOptions, at: string, message: string])[] = [
    [{ fields: ['titel'] }, 'fields', 'Invalid parameter titel'],
    [{ sort: 'titel' }, 'sort.titel', 'Invalid parameter titel'],
    [{ sort: 'writer.nam:desc' }, 'sort.writer.nam', 'Invalid parameter nam'],
    [{ sort: 'title.x' }, 'sort.title', 'Invalid parameter title'],
    [{ filters: { titel: 'x' } }, 'filters.titel', 'Invalid parameter titel'],
    [{ filters: { writer: { nam: 'x' } } }, 'filters.writer.nam', 'Invalid parameter nam'],
    [{ filters: { writer: { books: { titel: 1 } } } }, 'filters.writer.books.titel', 'Invalid parameter titel'],
    [{ filters: { zone: { x: 1 } } }, 'filters.zone', 'Invalid parameter zone'],
    [
      { filters: { title: { x: 1 } } },
      'filters.title.x',
      'Invalid parameter x: title is a scalar, which has no attributes',
    ],
    [{ populate: { writer: { fields: ['x'] } } }, 'populate.writer.fields', 'Invalid parameter x'],
    [{ populate: { writer: { sort: 'x' } } }, 'populate.writer.sort.x', 'Invalid parameter x'],
    [{ populate: { writer: { filters: { x: 1 } } } }, 'populate.writer.filters.x', 'Invalid parameter x'],
    [{ populate: { zone: { fields: ['x'] } } }, 'populate.zone.fields', 'Invalid parameter x'],
    [{ filters: { day: 'x' } }, 'filters.day', 'Invalid format, expected yyyy-MM-dd'],
    [{ filters: { day: { $gt: '2024-02-30' } } }, 'filters.day.$gt', 'Invalid date'],
    [{ filters: { clock: { $lt: 'x' } } }, 'filters.clock.$lt', 'Invalid time format, expected HH:mm:ss.SSS'],
    [{ filters: { clock: 7 } }, 'filters.clock', 'Expected a string, got a number'],
    [
      { filters: { moment: { $in: ['x'] } } },
      'filters.moment.$in',
      'Invalid format, expected a timestamp or an ISO date',
    ],
    [{ filters: { pages: 'x' } }, 'filters.pages', 'Invalid value for filters.pages: "x" is not a number'],
    [
      { pagination: { page: 1, start: 1 } },
      'pagination',
      'Invalid pagination parameters. Expected either start/limit or page/pageSize',
    ],
    [
      { pagination: { withCount: 'x' } },
      'pagination.withCount',
      'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
    ],
    [
      { populate: { writer: { start: 1, page: 2 } as object } },
      'populate.writer',
      'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
    ],
  ]
  for (const [options, at, message] of rows) {
    const error = await thrown(t, () => books.findMany(options))
    t.match(error, { status: 400, at, message }, JSON.stringify(options))
  }
})

t.test('errors of writes have a path', async t => {
  const books = await start(t)
  const rows: readonly (readonly [data: Record<string, unknown>, at: string, message: string])[] = [
    [{ day: 'x' }, 'day', 'Invalid format, expected yyyy-MM-dd'],
    [{ day: '2024-02-30' }, 'day', 'Invalid date'],
    [{ clock: 7 }, 'clock', 'Expected a string, got a number'],
    [{ clock: '7' }, 'clock', 'Invalid time format, expected HH:mm:ss.SSS'],
    [{ moment: 'x' }, 'moment', 'Invalid format, expected a timestamp or an ISO date'],
    [{ cards: [{}, { since: 'x' }] }, 'cards.1.since', 'Invalid format, expected yyyy-MM-dd'],
    [{ title: 1 }, 'title', 'title must be a `string` type, but the final value was: `1`.'],
    [{ title: 1, pages: 'x' }, 'title, pages', '2 errors occurred'],
    [{ writer: { connect: 1 } }, 'writer', 'Invalid relations'],
    [{ zone: [{ __component: 'a.card', writer: { set: 1 } }] }, 'zone.0.writer', 'Invalid relations'],
    [{ writer: 9 }, 'writer', `1 relation(s) of type ${uid('writer')} associated with this entity do not exist`],
    [
      { cards: [{ writer: 8 }, {}], any: [{ id: 9, __type: uid('writer') }] },
      'any, cards.0.writer',
      `2 relation(s) of type ${uid('writer')} associated with this entity do not exist`,
    ],
  ]
  for (const [data, at, message] of rows) {
    const error = await thrown(t, () => books.create({ data }))
    t.match(error, { status: 400, at, message }, JSON.stringify(data))
  }
  t.equal(await books.count(), 0)
})
