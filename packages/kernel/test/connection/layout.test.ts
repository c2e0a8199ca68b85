// The tables of v4: names of tables, columns and indexes (B-10.30 to B-10.36), values in columns (B-10.31), and a sync
// that only adds. `fixtures/v4-layout.json` was read from a database that v4 made of the same schemas; it leaves out
// the tables of v4's administrators, locales, users and files.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openFile } from '@plinth/test-tools/connections'
import { app } from '@plinth/test-tools/recordings'
import t, { type Test } from 'tap'
import { type Kernel, systemAccess } from '../../src/index.ts'
import { boot, component, notes, raw, repositories, temporary, type, uid } from '../fixtures/boot.ts'
import { passwords } from '../fixtures/passwords.ts'

interface Table {
  readonly columns: string
  readonly indexes?: string
  readonly keys?: string
}
const text = await readFile(join(import.meta.dirname, '../fixtures/v4-layout.json'), 'utf8')
const layout = JSON.parse(text) as Record<string, Table>

const withDrafts = (kernel: Kernel) =>
  kernel.hooks.on('preModel', { for: one => one.options.draftAndPublish === true }, draft =>
    draft.attribute('publishedAt', { type: 'datetime' }),
  )

async function describeTable(kernel: Kernel, name: string) {
  const listed = await raw(kernel, `SELECT name, type FROM pragma_table_info('${name}')`)
  const indexes: string[] = []
  for (const index of await raw(kernel, `SELECT name, "unique" AS u FROM pragma_index_list('${name}')`)) {
    const columns = await raw(kernel, `SELECT name FROM pragma_index_info('${index.name}') ORDER BY seqno`)
    indexes.push(`${index.name}${index.u === 1 ? ' unique' : ''} (${columns.map(one => one.name).join(', ')})`)
  }
  const keys = await raw(
    kernel,
    `SELECT "from" AS f, "table" AS t, on_delete AS d FROM pragma_foreign_key_list('${name}')`,
  )
  const columns = listed.map(one => `${one.name} ${one.type}`)
  return { columns, indexes, keys: keys.map(one => `${one.f} ${one.t} ${one.d}`) }
}

const list = (joined: string | undefined, by: string) => (joined === undefined ? [] : joined.split(by)).sort()

/** The two id columns of a link table. */
const ends = (columns: readonly string[]) => columns.slice(1, 3).map(one => ({ column: one.split(' ')[0] }))

t.test("tables, columns, indexes and foreign keys have v4's names", async t => {
  const kernel = await boot(t, { dir: app, configure: withDrafts, plugins: passwords })
  const tables = (await raw(kernel, `SELECT name FROM sqlite_master WHERE type = 'table'`)).map(one => String(one.name))
  t.same(tables.filter(name => !name.startsWith('sqlite_')).sort(), Object.keys(layout).sort())
  for (const [name, expected] of Object.entries(layout)) {
    const found = await describeTable(kernel, name)
    t.same(found.columns.toSorted(), list(expected.columns, ', '), `columns of ${name}`)
    const v4 = list(expected.indexes, '; ')
    t.same(
      v4.filter(one => one.includes(' unique ') && !found.indexes.includes(one)),
      [],
      `unique indexes of ${name}`,
    )
    const named = (index: string) => v4.find(one => one.split(' ')[0] === index.split(' ')[0])
    t.same(
      found.indexes.filter(index => (named(index) ?? index) !== index),
      [],
      `a name of v4's means v4's columns`,
    )
    if (found.keys.length === 2)
      for (const { column } of ends(found.columns))
        t.ok(
          found.indexes.some(index => index.includes(`(${column}`)),
          `${name} is found from ${column}`,
        )
    t.same(found.keys.sort(), list(expected.keys, '; '), `keys of ${name}`)
  }
})

t.test('names are derived from singular names and attributes', async t => {
  const relation = (kind: string, target: string, more = {}) => ({ type: 'relation', relation: kind, target, ...more })
  const kernel = await boot(t, {
    file: ':memory:',
    contentTypes: [
      type('node', {
        friends: relation('manyToMany', uid('node')),
        next: relation('oneToOne', uid('node'), { useJoinTable: false }),
        topics: { type: 'relation', relation: 'morphToMany' },
        subject: { type: 'relation', relation: 'morphToOne' },
        camelCase2: { type: 'string', columnName: 'other' },
        HTMLText: { type: 'text' },
      }),
    ],
  })
  const rows = [
    [
      'nodes',
      ['other varchar(255)', 'html_text TEXT', 'next_id INTEGER', 'target_id INTEGER', 'target_type varchar(255)'],
    ],
    ['nodes_friends_links', ['node_id INTEGER', 'inv_node_id INTEGER', 'node_order float']],
    [
      'nodes_topics_morphs',
      ['node_id INTEGER', 'topics_id INTEGER', 'topics_type varchar(255)', 'field varchar(255)', 'order float'],
    ],
  ] as const
  for (const [name, columns] of rows) {
    const found = (await describeTable(kernel, name)).columns
    t.same(
      columns.filter(column => !found.includes(column)),
      [],
      name,
    )
  }
})

t.test('columns hold values as v4 writes them', async t => {
  const kernel = await boot(t, { dir: app, configure: withDrafts, plugins: passwords })
  const rows: readonly (readonly [attribute: string, sent: unknown, stored: unknown, read: unknown])[] = [
    ['short', 'one', 'one', 'one'],
    ['day', '2024-02-29T10:00:00Z', '2024-02-29', '2024-02-29'],
    ['clock', '10:30:00', '10:30:00.000', '10:30:00.000'],
    ['clock', '10:30:00.5', '10:30:00.500', '10:30:00.500'],
    ['moment', '2024-02-29T11:30:15.250+01:00', 1709202615250, '2024-02-29T10:30:15.250Z'],
    ['moment', '1969-12-31T23:59:59.999Z', -1, '1969-12-31T23:59:59.999Z'],
    ['moment', 1709202615250, 1709202615250, '2024-02-29T10:30:15.250Z'],
    ['stamp', '2024-02-29 10:30:15.250', 1709202615250, '1709202615250'],
    ['whole', '12', 12, 12],
    ['big', '9007199254740993', 9007199254740993n, '9007199254740993'],
    ['ratio', '1e-7', 1e-7, 1e-7],
    ['amount', 99999999.99, 99999999.99, 99999999.99],
    ['flag', true, 1, true],
    ['flag', 'false', 0, false],
    ['payload', { a: [1, { b: null }] }, '{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['payload', 'a string', '"a string"', 'a string'],
    ['payload', null, null, null],
  ]
  const specimens = repositories(kernel)('specimen')
  const file = openFile(kernel.database.knex.client.config.connection.filename)
  t.teardown(() => file.close())
  for (const [attribute, sent, stored, read] of rows) {
    const { id } = await specimens.create({ data: { [attribute]: sent } })
    const column = file.prepare(`SELECT ${attribute} FROM specimens WHERE id = ?`).pluck()
    const value = typeof stored === 'bigint' ? column.safeIntegers().get(id) : column.get(id)
    t.equal(value, stored, `${attribute}: ${JSON.stringify(sent)} in the column`)
    t.same((await specimens.findOne(id))?.[attribute], read, `${attribute}: ${JSON.stringify(sent)} read`)
  }
  const { id } = await specimens.create({ data: { pass: 'secret' } })
  t.match(file.prepare('SELECT pass FROM specimens WHERE id = ?').pluck().get(id), /^\$2a\$10\$.{53}$/)
  const stamps = file.prepare('SELECT typeof(created_at), created_at - updated_at FROM specimens WHERE id = ?').raw()
  t.same(stamps.get(id), ['integer', 0])
})

async function restart(t: Test, file: string, contentTypes: readonly unknown[], components = {}) {
  const logger = notes()
  const kernel = await boot(t, { file, logger, contentTypes, components })
  return { kernel, warnings: logger.warnings, report: kernel.syncReport! }
}

const schemaOf = (kernel: Kernel) => raw(kernel, 'SELECT name, sql FROM sqlite_master ORDER BY name')

t.test('the sync only adds', async t => {
  const file = join(await temporary(t), 'data.db')
  const plain = { name: { type: 'string' }, rank: { type: 'integer' } }
  const first = await restart(t, file, [type('tag', plain)])
  t.same(first.report, { created: ['tags'], added: [], unknown: [], pending: [] })
  await repositories(first.kernel)('tag').create({ data: { name: 'One', rank: 7 } })
  await first.kernel.database.knex.raw('CREATE TABLE leftovers (id INTEGER, note TEXT)')
  await first.kernel.database.knex.raw(`INSERT INTO leftovers VALUES (1, 'kept')`)
  await first.kernel.database.knex.raw(`ALTER TABLE tags ADD COLUMN forgotten TEXT`)
  await first.kernel.database.knex.raw(`UPDATE tags SET forgotten = 'kept'`)
  await first.kernel.close()

  const second = await restart(t, file, [type('tag', plain)])
  t.same(second.report, { created: [], added: [], unknown: ['tags.forgotten', 'leftovers'], pending: [] })
  t.match(second.warnings, [/left unchanged: tags\.forgotten, leftovers/])
  const before = await schemaOf(second.kernel)
  await second.kernel.close()

  const third = await restart(t, file, [type('tag', plain)])
  t.same(await schemaOf(third.kernel), before, 'a restart changes nothing')
  await third.kernel.close()

  const changed = { name: { type: 'text' }, color: { type: 'string' }, seo: { type: 'component', component: 'a.seo' } }
  const components = { 'a.seo': component('a.seo', { title: { type: 'string' } }) }
  const fourth = await restart(t, file, [type('tag', changed)], components)
  t.same(fourth.report.created.toSorted(), ['components_a_seos', 'tags_components'])
  t.same(fourth.report.added, ['tags.color'])
  t.same(fourth.report.unknown, ['tags.rank', 'tags.forgotten', 'leftovers'])
  const columns = (await describeTable(fourth.kernel, 'tags')).columns
  t.ok(columns.includes('name varchar(255)'), 'is not retyped')
  t.match(await raw(fourth.kernel, 'SELECT name, rank, forgotten, color FROM tags'), [
    { name: 'One', rank: 7, forgotten: 'kept', color: null },
  ])
  t.same(await raw(fourth.kernel, 'SELECT * FROM leftovers'), [{ id: 1, note: 'kept' }])
})

t.test('a unique index that stored rows violate is left out with a warning', async t => {
  const file = join(await temporary(t), 'data.db')
  const before = await restart(t, file, [type('tag', { name: { type: 'string' } })])
  const tags = repositories(before.kernel)('tag')
  for (const name of ['a', 'a', 'b']) await tags.create({ data: { name } })
  await before.kernel.close()
  const { kernel, warnings } = await restart(t, file, [type('tag', { name: { type: 'string', unique: true } })])
  t.match(warnings, [/^tags: several rows have the same name, which should be unique/])
  t.ok(
    (await describeTable(kernel, 'tags')).indexes.some(one => one.endsWith('(name)')),
    'is looked up by an index',
  )
  const again = repositories(kernel)('tag')
  await t.rejects(
    again.create({ data: { name: 'b' } }),
    { message: 'This attribute must be unique' },
    'is still checked',
  )
  t.equal((await again.update(1, { data: { name: 'c' } }))?.name, 'c')
  await kernel.close()
  const healed = await restart(t, file, [type('tag', { name: { type: 'string', unique: true } })])
  t.same(healed.warnings, [])
  t.ok((await describeTable(healed.kernel, 'tags')).indexes.includes('tags_name_unique unique (name)'))
})

t.test('a hook can add an index over several attributes', async t => {
  const listen = (kernel: Kernel) =>
    kernel.hooks.on('preModel', draft => draft.index(['name', 'rank'], { unique: draft.uid === uid('tag') }))
  const attributes = { name: { type: 'string' }, rank: { type: 'integer' } }
  const kernel = await boot(t, { configure: listen, contentTypes: [type('tag', attributes), type('word', attributes)] })
  t.ok((await describeTable(kernel, 'tags')).indexes.includes('tags_name_rank_unique unique (name, rank)'))
  t.ok((await describeTable(kernel, 'words')).indexes.includes('words_name_rank_index (name, rank)'))
  const tags = kernel.query(uid('tag'), kernel.context(systemAccess))
  await tags.create({ data: { name: 'a', rank: 1 } })
  await tags.create({ data: { name: 'a', rank: 2 } })
  await t.rejects(tags.create({ data: { name: 'a', rank: 1 } }), { status: 400, name: 'ValidationError' })
})

t.test("the children of a tree are ordered in v4's column", async t => {
  // v4's table of the same schema: `category_id, inv_category_id, category_order` (fixtures/v4-layout.json). It puts
  // `inv_` before the inverse order only where both orders exist, which is manyToMany.
  const tree = {
    parent: { type: 'relation', relation: 'manyToOne', target: uid('category'), inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: uid('category'), mappedBy: 'parent' },
  }
  const kernel = await boot(t, { file: ':memory:', contentTypes: [type('category', tree)] })
  const columns = await raw(kernel, `SELECT name FROM pragma_table_info('categorys_parent_links')`)
  t.same(
    columns.map(one => one.name),
    ['id', 'category_id', 'inv_category_id', 'category_order'],
  )
})
