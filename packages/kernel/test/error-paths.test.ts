// Every error of a query or a write says where the fault is: in its message or details, or in `at` where v4's answer
// has no place for it (B-2.3, B-4.9, B-4.37).

import t, { type Test } from 'tap'
import { ValidationError } from '../src/errors.ts'
import { checked, createContext, eq, type FindOptions, type Kernel, openAccess, Type, under } from '../src/index.ts'
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

async function start(t: Test, configure: (kernel: Kernel) => void = () => {}) {
  return repositories(await boot(t, { contentTypes, components, configure }))('book')
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

t.test('errors of populates name the branch, which can be left out, and the name that they cite', async t => {
  const kernel = await boot(t, { contentTypes, components, configure: addTone })
  const books = repositories(kernel)('book')
  const rows: readonly (readonly [below: object, at: string, cited: string | null, refused?: string])[] = [
    [{ fields: ['x'] }, 'fields', 'x', '.fields.x'],
    [{ sort: 'x' }, 'sort.x', 'x'],
    [{ sort: 'books.x:desc' }, 'sort.books.x', 'x'],
    [{ sort: 'name:up' }, 'sort', null],
    [{ sort: 'a\0b' }, 'sort', 'a\0b'],
    [{ filters: { x: 1 } }, 'filters.x', 'x'],
    [{ filters: { books: { x: 1 } } }, 'filters.books.x', 'x'],
    [{ filters: { name: { x: 1 } } }, 'filters.name.x', 'x'],
    [{ filters: { name: { $x: 1 } } }, 'filters.name.$x', '$x'],
    [{ filters: { $eq: 1 } }, 'filters.$eq', '$eq'],
    [{ filters: { 'a\0b': 1 } }, 'filters.a\0b', 'a\0b'],
    [{ filters: { books: { pages: 'x' } } }, 'filters.books.pages', null],
    [{ filters: { books: { day: 'x' } } }, 'filters.books.day', null],
    [{ filters: { name: { $tone: 'none' } } }, 'filters.name.$tone', null],
    [{ limit: 'x' }, 'limit', null],
    [{ start: 1, page: 1 }, '', null],
    [{ tone: 7 }, 'tone', null],
    [{ tone: 'shapeless' }, 'tone', null],
    [{ tone: 'refused' }, 'tone', null],
    [{ tone: 'dark' }, 'tone', null],
    [{ populate: { books: { tone: 'closed' } } }, 'populate.books', null, '.populate.books'],
    [{ populate: { b: under('books', { filters: { x: 1 } }) } }, 'populate.b.filters.x', 'x', '.populate.b'],
    [{ populate: { b: under('books', { filters: { pages: 'x' } }) } }, 'populate.b.filters.pages', null, '.populate.b'],
    [
      { populate: { b: under('books', { count: true, filters: { pages: 'x' } }) } },
      'populate.b.filters.pages',
      null,
      '.populate.b',
    ],
  ]
  for (const [below, at, cited, refused = ''] of rows) {
    for (const [key, populate] of [
      ['writer', { writer: below }],
      ['w', { one: under('writer'), w: under('writer', below) }],
    ] as const) {
      const error = await thrown(t, () => books.findMany({ populate }))
      const path = at === '' ? `populate.${key}` : `populate.${key}.${at}`
      t.match(error, { status: 400, at: path, cited }, JSON.stringify(below))
      t.notOk(Object.hasOwn(error.details as object, 'at') || Object.hasOwn(error.details as object, 'cited'))
      const part = { path: `populate.${key}${refused}`, kind: refused === '.fields.x' ? 'field' : 'branch' }
      const request = { uid: uid('book'), action: 'find', params: { populate }, isPartial: true } as const
      const { refused: left } = kernel.reader.prepare(request, createContext(openAccess))
      t.match(left, [{ ...part, error: { message: error.message } }], JSON.stringify(below))
    }
  }
})

t.test('a value that was sent at the root is refused there', async t => {
  const books = await start(t, addTone)
  const error = await thrown(t, () => books.findMany({ tone: 'dark', populate: { w: under('writer') } } as object))
  t.match(error, { at: 'tone', details: { path: 'brightness' } })
})

t.test('options that a client sent name their place', async t => {
  const kernel = await boot(t, { contentTypes, components })
  const books = kernel.query(uid('book'), createContext(openAccess))
  const nested = await thrown(t, () => books.findMany({ populate: { w: under('writer', { limt: 1 } as object) } }))
  t.match(nested, { status: 400, at: 'populate.w.limt', cited: 'limt', details: {} })
  t.match(await thrown(t, () => books.findMany({ where: {} } as object)), { at: 'where', cited: 'where' })
})

/** Adds a parameter that refuses its values in all ways that there are, and an operator that refuses one. */
function addTone({ parameters, operators }: Kernel): void {
  const refuse = (value: unknown) => {
    if (value === 'dark') throw new ValidationError('Too dark', { path: 'brightness' })
  }
  const encode = (value: unknown) => {
    if (value === 'none') throw new ValidationError('No tone')
    return value
  }
  operators.add({ name: '$tone', operand: 'one', sql: column => `${column} = ?`, encode })
  parameters.add({
    name: 'tone',
    schema: Type.String(),
    for: () => true,
    actions: ['find'],
    depth: 'every',
    shape: (value: string) => {
      if (value === 'shapeless') throw new ValidationError('No shape', { path: 'form' })
      return value
    },
    plan: (node, { shape, value }) => {
      if (shape === 'closed' && node.type.singularName === 'book') throw new ValidationError('Closed')
      if (shape === 'refused')
        node.where(
          eq(
            'id',
            checked(value, () => refuse('dark')),
          ),
        )
      if (shape === 'dark' && node.type.singularName === 'writer') node.where(eq('name', checked(value, refuse)))
    },
  })
}

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
