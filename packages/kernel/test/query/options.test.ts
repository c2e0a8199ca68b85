// The options of kernel.query. An unknown option is refused, because without it all entries would be answered or
// deleted.

import t, { type Test } from 'tap'
import { createContext, type Kernel, openAccess, type Repository, Type } from '../../src/index.ts'
import { boot, repositories, thrown, type, uid } from '../fixtures/boot.ts'

const contentTypes = [
  type('writer', { name: { type: 'string' } }),
  type('book', {
    title: { type: 'string' },
    writer: { type: 'relation', relation: 'manyToOne', target: uid('writer') },
    zone: { type: 'dynamiczone', components: [] },
  }),
]

async function start(t: Test): Promise<Repository> {
  const addLanguage = ({ parameters }: Kernel) =>
    parameters.add({
      name: 'language',
      schema: Type.String(),
      for: () => true,
      actions: ['find'],
      depth: 'every',
      shape: () => '',
      plan: () => {},
    })
  const books = repositories(await boot(t, { contentTypes, configure: addLanguage }))('book')
  for (const title of ['One', 'Two']) await books.create({ data: { title } })
  return books
}

t.test('unknown options are refused', async t => {
  const books = await start(t)
  const { id } = (await books.findMany())[0]!
  type Method = 'findMany' | 'findPage' | 'count' | 'findOne' | 'create' | 'update' | 'delete'
  const refused = async (method: Method, options: object, fault: string) => {
    const isNamed = method === 'findOne' || method === 'update' || method === 'delete'
    const call = books[method].bind(books) as (...args: unknown[]) => Promise<unknown>
    const error = await thrown(t, () => call(...(isNamed ? [id, options] : [options])))
    t.equal(error.code, 'PLINTH_OPTION_UNKNOWN')
    t.equal(error.message, `kernel.query('api::book.book').${method}: ${fault}`)
  }
  for (const method of ['findMany', 'findPage', 'count'] as const) {
    await refused(method, { where: { title: 'One' } }, 'the option where is not known, did you mean "filters"?')
    await refused(method, { limit: 1 }, 'the option limit is not known, did you mean "pagination: { limit }"?')
    await refused(method, { populte: '*' }, 'the option populte is not known, did you mean "populate"?')
  }
  await refused('findMany', { select: ['title'] }, 'the option select is not known, did you mean "fields"?')
  await refused('findMany', { orderBy: 'title' }, 'the option orderBy is not known, did you mean "sort"?')
  await refused(
    'findMany',
    { unlike: 1 },
    'the option unlike is not known; the known names are filters, sort, fields, populate, pagination, _q, language',
  )
  await refused('findOne', { select: 'title' }, 'the option select is not known, did you mean "fields"?')
  for (const method of ['findOne', 'delete'] as const) {
    const fault = 'the option filters has no effect: the entry is selected by its id'
    await refused(method, { filters: { title: 'Two' } }, fault)
  }
  await refused(
    'update',
    { data: {}, filters: {} },
    'the option filters has no effect: the entry is selected by its id',
  )
  await refused(
    'create',
    { title: 'Three' },
    'the option title is not known; the known names are data, fields, populate, language; the values of the entry belong below data',
  )
  await refused(
    'update',
    { dat: { title: 'Three' } },
    'the option dat is not known, did you mean "data"? The values of the entry belong below data',
  )
  t.equal(await books.count(), 2, 'nothing was done')
  await t.rejects(books.findMany('title' as never), { message: /findMany: options must be an object, found string$/ })
})

t.test('unknown options below populate are refused', async t => {
  const books = await start(t)
  const refused = async (populate: unknown, fault: string) => {
    const error = await thrown(t, () => books.findMany({ populate: populate as string }))
    t.equal(error.message, `kernel.query('api::book.book').findMany: ${fault}`)
  }
  await refused({ writer: { where: {} } }, 'the option populate.writer.where is not known, did you mean "filters"?')
  await refused([{ writer: { feilds: [] } }], 'the option populate.writer.feilds is not known, did you mean "fields"?')
  await refused(
    { writer: { populate: { books: { orderBy: 'x' } } } },
    'the option populate.writer.populate.books.orderBy is not known, did you mean "sort"?',
  )
  await refused(
    { zone: { on: { 'a.card': { select: 'x' } } } },
    'the option populate.zone.on.a.card.select is not known, did you mean "fields"?',
  )
  for (const populate of ['*', 'writer', ['writer'], { writer: true }, { writer: { limit: 1, language: 'en' } }])
    t.equal((await books.findMany({ populate: populate as string })).length, 2, JSON.stringify(populate))
})

t.test('parameters of plugins are options', async t => {
  const books = await start(t)
  const language = { language: 'en' }
  t.equal((await books.findMany(language as object)).length, 2)
  t.equal(await books.count(language as object), 2)
  t.ok(await books.findOne(1, language as object))
  t.ok(await books.update(1, { data: { title: '1' }, ...language }))
})

t.test('unknown options that a client sent to a route of an application are a 400', async t => {
  const kernel = await boot(t, { contentTypes })
  const books = kernel.query(uid('book'), createContext(openAccess))
  const unknown: [object, string][] = [
    [{ where: { title: 'One' } }, 'the option where is not known, did you mean "filters"?'],
    [{ populate: { writer: { limt: 1 } } }, 'the option populate.writer.limt is not known, did you mean "limit"?'],
  ]
  for (const [sent, fault] of unknown) {
    t.match(await thrown(t, () => books.findMany(sent)), {
      name: 'ValidationError',
      status: 400,
      message: `Invalid parameters: ${fault}`,
    })
  }
  t.match(await thrown(t, () => books.create({ data: {}, filters: {} } as never)), { status: 400 })
})
