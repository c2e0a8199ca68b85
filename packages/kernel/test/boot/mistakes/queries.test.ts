// Mistakes in kernel.query: words that it does not have, found by the compiler and at run time, and names that no
// attribute has.

import t from 'tap'
import { createContext, type Kernel, openAccess, type Repository } from '../../../src/index.ts'
import { boot, component, repositories, thrown, type, uid } from '../../fixtures/boot.ts'

const components = { 'a.card': component('a.card', { since: { type: 'date' } }) }
const contentTypes = [
  type('writer', { name: { type: 'string' } }),
  type('book', {
    title: { type: 'string' },
    writer: { type: 'relation', relation: 'manyToOne', target: uid('writer') },
    card: { type: 'component', component: 'a.card' },
  }),
]

t.test('findMany({ where, limit, orderBy }), populte: refused with the right word, also by the compiler', async t => {
  const books = repositories(await boot(t, { contentTypes, components }))('book')
  const calls: Readonly<Record<string, (books: Repository) => Promise<unknown>>> = {
    // @ts-expect-error
    'where is not known, did you mean "filters"?': books => books.findMany({ where: { title: 'a' } }),
    // @ts-expect-error
    'limit is not known, did you mean "pagination: { limit }"?': books => books.findMany({ limit: 1 }),
    // @ts-expect-error
    'orderBy is not known, did you mean "sort"?': books => books.findPage({ orderBy: 'title' }),
    // @ts-expect-error
    'populte is not known, did you mean "populate"?': books => books.findMany({ populte: '*' }),
    // @ts-expect-error
    'select is not known, did you mean "fields"?': books => books.findOne(1, { select: ['title'] }),
    'dat is not known, did you mean "data"? The values of the entry belong below data': books =>
      // @ts-expect-error
      books.create({ dat: {} }),
    'pagination.pagesize is not known, did you mean "pageSize"?': books =>
      // @ts-expect-error
      books.findMany({ pagination: { pagesize: 3 } }),
    'pagination.amount is not known; the known names are page, pageSize, start, limit, withCount': books =>
      // @ts-expect-error
      books.findMany({ pagination: { amount: 3 } }),
    'populate.writer.where is not known, did you mean "filters"?': books =>
      // @ts-expect-error
      books.findMany({ populate: { writer: { where: {} } } }),
    'populate.writer.populate.books.limt is not known, did you mean "limit"?': books =>
      // @ts-expect-error
      books.findMany({ populate: { writer: { populate: { books: { limt: 1 } } } } }),
  }
  for (const [fault, call] of Object.entries(calls)) {
    const error = await thrown(t, () => call(books))
    t.equal(error.code, 'PLINTH_OPTION_UNKNOWN')
    t.ok(error.message.endsWith(`: the option ${fault}`), error.message)
  }
})

t.test('an unknown name in filters, sort and fields from code: the nearest one', async t => {
  const kernel = await boot(t, { contentTypes, components })
  const books = repositories(kernel)('book')
  const rows: readonly (readonly [options: object, message: string])[] = [
    [{ filters: { titel: 'x' } }, 'Invalid parameter titel, did you mean "title"?'],
    [{ filters: { $or: [{ titel: 'x' }] } }, 'Invalid parameter titel, did you mean "title"?'],
    [{ filters: { wirter: { name: 'x' } } }, 'Invalid parameter wirter, did you mean "writer"?'],
    [{ filters: { writer: { nmae: 'x' } } }, 'Invalid parameter nmae, did you mean "name"?'],
    [{ filters: { card: { sinec: 'x' } } }, 'Invalid parameter sinec, did you mean "since"?'],
    [{ filters: { unlike: 'x' } }, 'Invalid parameter unlike'],
    [{ sort: 'titel' }, 'Invalid parameter titel, did you mean "title"?'],
    [{ sort: 'writer.nmae:desc' }, 'Invalid parameter nmae, did you mean "name"?'],
    [{ fields: ['titel'] }, 'Invalid parameter titel, did you mean "title"?'],
    [{ populate: { writer: { fields: ['nmae'] } } }, 'Invalid parameter nmae, did you mean "name"?'],
    [{ filters: { title: { $eqq: 1 } } }, 'Unknown operator $eqq, did you mean "$eq"?'],
  ]
  for (const [options, message] of rows) t.equal((await thrown(t, () => books.findMany(options))).message, message)
  const unknown = await thrown(t, () => kernel.query(uid('bok')))
  t.equal(unknown.message, 'Unknown content type "api::bok.bok", did you mean "api::book.book"?')
})

t.test('a caller learns no names', async t => {
  const caller = (kernel: Kernel) => kernel.query(uid('book'), createContext(openAccess))
  const books = caller(await boot(t, { contentTypes, components }))
  for (const options of [{ filters: { titel: 'x' } }, { sort: 'titel' }, { fields: ['titel'] }])
    t.match(await thrown(t, () => books.findMany(options)), { message: /^Invalid parameter titel$/, details: {} })
})
