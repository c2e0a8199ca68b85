// Tables that are not utf8mb4: a text that a column cannot hold is found nowhere and refused where it is written, and is
// no error of the server. Tables that are utf8mb4 have the statements that they always had.

import { databases } from '@plinth/test-tools/databases'
import { fresh } from '@plinth/test-tools/on-each'
import t, { type Test } from 'tap'
import { createKernel, type Kernel } from '../../../src/index.ts'
import { notes, raw, thrown, type, uid } from '../../fixtures/boot.ts'

const contentTypes = [
  type('tag', {
    title: { type: 'string' },
    slug: { type: 'uid', targetField: 'title' },
    code: { type: 'string', unique: true },
    body: { type: 'text' },
    data: { type: 'json' },
    notes: { type: 'relation', relation: 'manyToMany', target: uid('note'), mappedBy: 'tags' },
  }),
  type('note', {
    title: { type: 'string' },
    tags: { type: 'relation', relation: 'manyToMany', target: uid('tag'), inversedBy: 'notes' },
  }),
]

const statementsOf = async (kernel: Kernel, work: () => Promise<unknown>) => {
  const texts: string[] = []
  kernel.database.listen(text => void texts.push(text))
  await work()
  kernel.database.listen(null)
  return texts
}

/** A kernel on a database whose tables, or some of them, are changed before the start that is tested. */
async function open(t: Test, changes: readonly string[]) {
  const { config: database } = await fresh(Object.assign(t, { context: { client: 'mysql' } }))
  const first = await createKernel({ database, contentTypes })
  for (const change of changes) await raw(first, change)
  await first.close()
  const logger = notes()
  const kernel = await createKernel({ database, contentTypes, logger })
  t.teardown(() => kernel.close())
  return { kernel, logger, tags: kernel.query(uid('tag')), notes: kernel.query(uid('note')) }
}

/** Texts that fit, those that do not, and one whose replacement character is a text that is there. */
const cases = [
  {
    name: 'utf8mb3',
    changes: ['ALTER TABLE tags CONVERT TO CHARACTER SET utf8mb3 COLLATE utf8mb3_unicode_ci'],
    fit: ['abc', 'Привет', 'a?', '?'],
    unfit: ['🎉', 'a🎉', 'Привет 🎉'],
  },
  {
    name: 'latin1',
    changes: ['ALTER TABLE tags CONVERT TO CHARACTER SET latin1'],
    fit: ['abc', 'Été', 'a?', '?'],
    unfit: ['🎉', 'aЖ', 'Привет', '中文', 'aĀ'],
  },
  {
    name: 'cp1251 with another order',
    changes: ['ALTER TABLE tags CONVERT TO CHARACTER SET cp1251 COLLATE cp1251_bin'],
    fit: ['abc', 'Привет', 'a?', '?'],
    unfit: ['é', 'a🎉', '中文'],
  },
  {
    name: 'columns of several character sets',
    changes: [
      'ALTER TABLE tags MODIFY title varchar(255) CHARACTER SET latin2',
      'ALTER TABLE tags MODIFY body longtext CHARACTER SET gbk',
      'ALTER TABLE tags MODIFY code varchar(255) CHARACTER SET ascii',
      'ALTER TABLE tags MODIFY slug varchar(255) CHARACTER SET latin1 COLLATE latin1_bin',
    ],
    fit: ['abc', 'aaa', 'a?', '?'],
    unfit: ['🎉', 'a🎉'],
  },
]

for (const { name, changes, fit, unfit } of (await databases()).includes('mysql') ? cases : [])
  t.test(name, async t => {
    const { logger, tags, notes } = await open(t, changes)
    t.match(
      logger.warnings.filter(text => /utf8mb4/.test(text)),
      [/^1 table\(s\) are not utf8mb4, .*: tags \((utf8mb3|latin1|cp1251|latin2, latin1, ascii, gbk)/],
    )
    for (const [i, text] of fit.entries()) await tags.create({ data: { title: text, body: text, code: `c${i}` } })
    await tags.create({ data: {} })
    const all = fit.map((_, i) => i + 1)
    const ids = async (filters: object) => (await tags.findMany({ filters, sort: 'id' })).map(one => one.id)
    for (const field of ['title', 'body']) {
      for (const text of unfit) {
        for (const operator of ['$eq', '$eqi', '$gt', '$gte', '$lt', '$lte', '$contains', '$containsi', '$startsWith'])
          t.same(await ids({ [field]: { [operator]: text } }), [], `${field} ${operator} ${text}`)
        t.same(await ids({ [field]: { $ne: text } }), all, `${field} $ne ${text}`)
        t.same(await ids({ $not: { [field]: text } }), all)
        t.same(await ids({ $not: { [field]: { $gt: text } } }), all)
        t.same(await ids({ [field]: { $in: [text] } }), [])
        t.same(await ids({ [field]: { $in: [text, fit[1], 'none', fit[0]] } }), [1, 2])
        t.same(await ids({ [field]: { $notIn: [text] } }), all)
        t.same(await ids({ [field]: { $notIn: [fit[0], text] } }), all.slice(1))
        t.same(await ids({ [field]: { $between: [text, text] } }), [])
        t.same(await ids({ [field]: { $between: ['a', text] } }), [])
      }
      for (const [i, text] of fit.entries()) {
        t.same(await ids({ [field]: text }), [i + 1])
        t.same(await ids({ [field]: { $in: [text] } }), [i + 1])
        t.ok((await ids({ [field]: { $gte: text } })).includes(i + 1))
        t.notOk((await ids({ [field]: { $gt: text } })).includes(i + 1))
        t.ok((await ids({ [field]: { $between: [text, text] } })).includes(i + 1))
        t.same((await ids({ [field]: { $ne: text } })).length, all.length - 1)
      }
      const many = Array.from({ length: 4200 }, (_, i) => `${unfit[0]}${i}`)
      t.same(await ids({ [field]: { $in: [...many, fit[2]] } }), [3], 'a list that is written into the text')
      t.equal(
        (await tags.findMany({ sort: `${field}:desc`, filters: { [field]: { $notNull: true } } })).length,
        all.length,
      )
    }
    await notes.create({ data: { title: '🎉', tags: [1] } })
    const found = async (filters: object) => (await notes.findMany({ filters })).length
    t.same(
      [await found({ tags: { title: unfit[0] } }), await found({ tags: { title: fit[0] } })],
      [0, 1],
      'over a link',
    )
    t.equal(await found({ title: '🎉' }), 1, 'utf8mb4')
    for (const text of unfit)
      for (const field of ['title', 'body', 'code']) {
        const refusal = await thrown(t, () => tags.create({ data: { [field]: text } }))
        t.match(refusal, { name: 'ValidationError', status: 400 }, `${field} ${text}: ${refusal.message}`)
        t.match(await thrown(t, () => tags.update(1, { data: { [field]: text } })), { status: 400 })
      }
    t.match(await thrown(t, () => tags.create({ data: { code: 'c0' } })), { message: 'This attribute must be unique' })
    t.match(await thrown(t, () => tags.update(1, { data: { title: fit[1], code: 'c1' } })), { status: 400 })
    t.match(await tags.create({ data: { title: fit[0], slug: 'a-slug', data: { any: 'x' } } }), { slug: 'a-slug' })
  })

const asked = async ({ notes }: Awaited<ReturnType<typeof open>>) => {
  await notes.findMany({ filters: { title: { $eq: 'a', $ne: 'b', $in: ['c', 'd'], $gt: 'e', $between: ['f', 'g'] } } })
  await notes.findMany({ filters: { $not: { title: { $notIn: ['a'], $contains: 'b' } } }, sort: 'title' })
}

if ((await databases()).includes('mysql'))
  t.test('tables that are utf8mb4 have the same statements, whatever others are', async t => {
    const all = await open(t, [])
    const some = await open(t, ['ALTER TABLE tags CONVERT TO CHARACTER SET latin1'])
    t.same(all.logger.warnings, [])
    const statements = await statementsOf(some.kernel, () => asked(some))
    t.same(statements, await statementsOf(all.kernel, () => asked(all)))
    t.notOk(statements.some(text => text.includes('latin1')))
    for (const code of ['c1', 'c2', 'c3']) await some.tags.create({ data: { code } })
    const [narrow] = await statementsOf(some.kernel, () => some.tags.findMany({ filters: { code: 'x' } }))
    const [plan] = await raw(some.kernel, `EXPLAIN ${narrow!.replaceAll('?', "'c1'").replace(/LIMIT.*$/, '')}`)
    t.match(plan, { type: /^(ref|const)$/ }, 'an index serves the others, too')
  })

if ((await databases()).includes('mysql'))
  t.test('a database of latin1 in which the start makes the tables', async t => {
    const { config: database } = await fresh(Object.assign(t, { context: { client: 'mysql' } }))
    const { database: name } = database.connection as { database: string }
    const first = await createKernel({ database, contentTypes: [] })
    await raw(first, `ALTER DATABASE ${name} CHARACTER SET latin1`)
    await first.close()
    const logger = notes()
    const kernel = await createKernel({ database, contentTypes, logger })
    t.teardown(() => kernel.close())
    t.match(
      logger.warnings.filter(text => /utf8mb4/.test(text)),
      [/^2 table\(s\) .*: tags \(latin1\), notes \(latin1\)\. ALTER/],
    )
    t.same(await kernel.query(uid('tag')).findMany({ filters: { title: '🎉' } }), [])
    t.match(await thrown(t, () => kernel.query(uid('tag')).create({ data: { code: '🎉' } })), { status: 400 })
  })
