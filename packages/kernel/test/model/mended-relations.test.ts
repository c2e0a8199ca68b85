// Relations whose sides do not name each other as they should, and with which v4 starts all the same.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import t, { type Test } from 'tap'
import { createKernel, type Kernel, type KernelOptions } from '../../src/index.ts'
import { notes, type, uid } from '../fixtures/boot.ts'

const to = (relation: string, target: string, more = {}) => ({
  type: 'relation',
  relation,
  target: uid(target),
  ...more,
})
const name = { name: { type: 'string' } }

async function start(t: Test, database: unknown, contentTypes: readonly unknown[]) {
  const logger = notes()
  const kernel = await createKernel({ database, contentTypes, logger } as KernelOptions)
  t.teardown(() => kernel.close())
  return { kernel, warnings: logger.warnings.join('\n') }
}

const ids = (list: unknown) => [list].flat().flatMap(one => (one === null ? [] : [(one as { id: number }).id]))
const linked = async (kernel: Kernel, of: string, id: number, attribute: string) =>
  ids((await kernel.query(uid(of)).findOne(id, { populate: { [attribute]: true } }))?.[attribute] ?? [])

for (const [mapped, owning] of [
  ['oneToMany', 'manyToOne'],
  ['oneToOne', 'oneToOne'],
  ['manyToMany', 'manyToMany'],
] as const) {
  await onEach(`${mapped} whose mappedBy is missing, while a ${owning} has inversedBy to it`, async t => {
    const { config: database } = await fresh(t)
    const contentTypes = [
      type('author', { ...name, books: to(mapped, 'book', { mappedBy: 'writer' }) }),
      type('book', { ...name, author: to(owning, 'author', { inversedBy: 'books' }) }),
    ]
    const { kernel, warnings } = await start(t, database, contentTypes)
    t.match(
      warnings,
      /attributes\.books: its mappedBy "writer" is not a relation of api::book\.book; api::book\.book\.author, which has inversedBy "books", is taken for it/,
    )
    await kernel.query(uid('author')).create({ data: { name: 'a' } })
    await kernel.query(uid('book')).create({ data: { name: 'b', author: 1 } })
    t.same(await linked(kernel, 'author', 1, 'books'), [1], 'read from the side that is mapped')
    await kernel.query(uid('book')).create({ data: { name: 'c' } })
    await kernel.query(uid('author')).update(1, { data: { books: mapped === 'oneToOne' ? 2 : [2] } })
    t.same(await linked(kernel, 'book', 2, 'author'), [1], 'and written from it')
    t.same(await linked(kernel, 'book', 1, 'author'), [])
    t.equal(await kernel.query(uid('author')).count({ filters: { books: { name: 'c' } } }), 1)
  })

  await onEach(`${mapped} whose mappedBy is missing, without an owner`, async t => {
    const { config: database } = await fresh(t)
    const contentTypes = [
      type('author', { ...name, books: to(mapped, 'book', { mappedBy: 'autor' }) }),
      type('book', { ...name, author: to(owning, 'author'), title: { type: 'string' } }),
    ]
    const { kernel, warnings } = await start(t, database, contentTypes)
    t.match(
      warnings,
      /always empty, because its mappedBy "autor" is not a relation of api::book\.book, did you mean "author"\?.*: api::author\.author\.books/,
    )
    await kernel.query(uid('book')).create({ data: { name: 'b' } })
    const made = await kernel.query(uid('author')).create({ data: { name: 'a', books: [1] } as never })
    t.equal(made.name, 'a', 'the rest is written')
    const found = await kernel.query(uid('author')).findOne(1, { populate: '*' })
    t.notOk('books' in found!, 'it is never answered')
    t.equal(kernel.contentTypes.require(uid('author')).attributes.get('books')!.kind, 'dormant')
  })
}

for (const relation of ['manyToMany', 'oneToOne'] as const) {
  await onEach(`${relation} with inversedBy on both sides`, async t => {
    const { config: database } = await fresh(t)
    const plain = (name: string, other: string) =>
      type(name, { name: { type: 'string' }, [`${other}s`]: to(relation, other, { inversedBy: `${name}s` }) })
    // The order of files is not that of v4: the uid decides.
    const contentTypes = [plain('tag', 'page'), plain('page', 'tag')]
    const { kernel, warnings } = await start(t, database, contentTypes)
    t.match(
      warnings,
      /api::page\.page: attributes\.tags: both sides have inversedBy; .*api::tag\.tag later, api::tag\.tag\.pages owns the links, in the table tags_pages_links; write mappedBy/,
    )
    const tables = await kernel.knex.schema.hasTable('pages_tags_links')
    t.notOk(tables, 'the other side has no table')
    await kernel.query(uid('page')).create({ data: { name: 'p' } })
    await kernel.query(uid('tag')).create({ data: { name: 't', pages: relation === 'oneToOne' ? 1 : [1] } })
    t.same(await linked(kernel, 'page', 1, 'tags'), [1])
    await kernel.query(uid('tag')).create({ data: { name: 'u' } })
    await kernel.query(uid('page')).update(1, { data: { tags: relation === 'oneToOne' ? 2 : [2] } })
    t.same(await linked(kernel, 'tag', 2, 'pages'), [1])
    t.same(await linked(kernel, 'tag', 1, 'pages'), [])
    // As v4 leaves it: the table of the first side, with links that nothing shows.
    await kernel.knex.schema.createTable('pages_tags_links', table => {
      table.increments('id')
      table.integer('page_id')
      table.integer('tag_id')
    })
    for (const id of [1, 2, 3]) await kernel.knex('pages_tags_links').insert({ page_id: id, tag_id: id })
    await kernel.close()
    const again = await start(t, database, contentTypes)
    t.match(
      again.warnings,
      /api::page\.page\.tags: its own table pages_tags_links is not read, as in v4 \(3 rows would be lost with it\)/,
    )
  })
}

t.test('two relations of one type, and a type of a plugin', async t => {
  const database = { client: 'sqlite', connection: { filename: ':memory:' } }
  const own = type('page', {
    next: to('manyToMany', 'page', { inversedBy: 'before' }),
    before: to('manyToMany', 'page', { inversedBy: 'next' }),
  })
  const { kernel } = await start(t, database, [own])
  const { attributes } = kernel.contentTypes.require(uid('page'))
  t.match(attributes.get('before'), { owner: true, storage: { table: 'pages_before_links' } }, 'the later attribute')
  t.match(attributes.get('next'), { owner: false })
  const plugin = 'plugin::shop.item'
  const item = { ...type('item', { pages: to('manyToMany', 'apage', { inversedBy: 'items' }) }), uid: plugin }
  const page = type('apage', {
    items: { type: 'relation', relation: 'manyToMany', target: plugin, inversedBy: 'pages' },
  })
  const other = await start(t, database, [page, item])
  t.match(other.kernel.contentTypes.require(uid('apage')).attributes.get('items'), { owner: true })
})
