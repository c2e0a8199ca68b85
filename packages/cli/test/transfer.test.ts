// `plinth export` and `plinth import` on all three databases: from each into the next, and what they refuse.

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { databases } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { filledLibrary, freshLibrary, type Library } from './library.ts'

const clients = await databases()

/** The lines of rows, as values: PostgreSQL keeps no order of the keys in JSON. */
async function rowsOf(path: string): Promise<unknown[]> {
  const lines = gunzipSync(await readFile(path))
    .toString()
    .split('\n')
  return lines.filter(line => /^\{"(row|set)"/.test(line)).map(line => JSON.parse(line) as unknown)
}

async function uploadsOf({ dir }: Library): Promise<Record<string, string>> {
  const folder = join(dir, 'public/uploads')
  const names = (await readdir(folder)).filter(name => !name.startsWith('.')).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async name => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )
}

const populate = {
  seo: { populate: '*' },
  quotes: { populate: '*' },
  zone: { populate: '*' },
  writers: true,
  chief: true,
  cover: true,
  gallery: true,
  localizations: true,
}

async function answerOf(t: Test, app: Library): Promise<readonly unknown[]> {
  const kernel = await app.open()
  t.teardown(() => kernel.close())
  const params = { populate, publicationState: 'preview', locale: 'all', sort: 'id' }
  return (await kernel.query('api::article.article').findMany(params)) as readonly unknown[]
}

for (const [i, client] of clients.entries()) {
  const other = clients[(i + 1) % clients.length]!
  await t.test(`from ${client} into ${other} and out again`, async t => {
    const from = await filledLibrary(t, client)
    t.match(await from.run('token', 'create', 'site'), { code: 0 })
    const first = join(from.dir, 'first.tar.gz')
    const exported = await from.run('export', '-f', 'first', '--no-encrypt')
    t.match(exported, {
      code: 0,
      out: `${first}\n`,
      err: /^Wrote \d+ entries and components, \d+ links and 2 files\n$/,
    })
    t.equal((await stat(first)).mode & 0o777, 0o600, 'only the owner reads it')
    t.match(await from.run('export', '-f', 'first'), { code: 1, err: /first\.tar\.gz exists already; --force/ })

    const to = await freshLibrary(t, other)
    t.match(await to.run('import', '-f', first), { code: 0, out: /^Imported \d+ rows and 2 files\n$/, err: '' })
    t.match(await to.run('export', '-f', 'second'), { code: 0 })
    const rows = await rowsOf(first)
    t.ok(rows.length > 40)
    t.same(await rowsOf(join(to.dir, 'second.tar.gz')), rows, 'the second export has the same rows')
    t.same(await uploadsOf(to), await uploadsOf(from), 'and the same files')

    const [was, is] = [await answerOf(t, from), await answerOf(t, to)]
    t.equal(was.length, 3)
    t.same(is, was, 'answers are equal')
    t.match(await to.run('token', 'list'), { out: /site +read-only/ })
    const kernel = await to.open()
    t.teardown(() => kernel.close())
    t.match(await kernel.query('api::writer.writer').create({ data: { name: 'New' } }), { id: 4 }, 'ids continue')
    t.match(await kernel.query('api::article.article').create({ data: { seo: { title: 'New' } } }), { id: 4 })
  })

  await t.test(`a database with entries (${client})`, async t => {
    const from = await filledLibrary(t, client)
    await from.run('export', '-f', 'all')
    const archive = join(from.dir, 'all.tar.gz')
    const to = await filledLibrary(t, client)
    const kernel = await to.open()
    await kernel.query('api::writer.writer').create({ data: { name: 'Other' } })
    await kernel.close()
    const before = await uploadsOf(to)
    t.match(await to.run('import', '-f', archive), {
      code: 1,
      err: /The database is not empty:[\s\S]*\n {2}api::writer\.writer: 3\n[\s\S]*--force deletes these entries/,
    })
    t.match(await to.run('import', '-f', archive, '--force'), {
      code: 1,
      err: /All entries of the application and their stored files will be deleted:[\s\S]*confirm with --yes/,
    })
    t.same(await uploadsOf(to), before)
    t.match(await to.run('import', '-f', archive, '--force', '--yes'), { code: 0 })
    t.same(await uploadsOf(to), await uploadsOf(from), 'the former files are gone')
    t.match(await to.run('export', '-f', 'again'), { code: 0 })
    t.same(await rowsOf(join(to.dir, 'again.tar.gz')), await rowsOf(archive))
  })
}

await t.test('parts of an archive', async t => {
  const from = await filledLibrary(t, 'sqlite')
  const kernel = await from.open()
  const [record] = (await kernel.knex('files').select()) as object[]
  await kernel.knex('files').insert({ ...record, id: 77 })
  await kernel.knex('files').insert({ ...record, id: 78, hash: '../../evil' })
  await kernel.close()
  t.match(await from.run('export', '-f', 'content', '--only', 'content'), { code: 0, err: / 0 files/ })
  t.match(await from.run('export', '-f', 'files.tar', '--exclude', 'content,config'), {
    code: 0,
    // Two records share a file, and one names a file that cannot be.
    err: /^Wrote 0 entries.* and 2 files\n[\s\S]*\.\.\/\.\.\/evil/,
  })
  for (const [words, err] of [
    [['--only', 'contnt'], /--only: unknown part "contnt", did you mean "content"\?/],
    [['--only', 'files', '--exclude', 'files'], /files is in both --only and --exclude/],
    [['--only', 'config'], /No part is left/],
    [['--encrypt'], /Archives are not encrypted/],
    [['--key', 'x'], /Archives are not encrypted/],
  ] as const)
    t.match(await from.run('export', '-f', 'x', ...words), { code: 1, err })
  t.notOk((await readdir(from.dir)).some(name => name.startsWith('x')))

  const to = await freshLibrary(t, 'sqlite')
  t.match(await to.run('import', '-f', join(from.dir, 'files.tar')), { code: 0, out: /^Imported 0 rows and 2 files/ })
  t.same(await uploadsOf(to), await uploadsOf(from))
  t.match(await to.run('import', '-f', join(from.dir, 'content.tar.gz'), '--only', 'content'), { code: 0 })
  t.same(await answerOf(t, to), await answerOf(t, from))
})
