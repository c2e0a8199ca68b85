// `plinth export` and `plinth import` on all three databases: from each into the next, and what they refuse.

import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Client, databases, freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { fill, type Library, library } from './library.ts'

t.setTimeout(300_000)

const clients = await databases()
const uid = 'api::article.article'

/** An application on a fresh database of this kind. */
async function fresh(t: Test, client: Client): Promise<Library> {
  const database = await freshDatabase(client)
  t.teardown(() => database.drop())
  return library(t, database)
}

async function filled(t: Test, client: Client): Promise<Library> {
  const app = await fresh(t, client)
  const kernel = await app.open()
  await fill(kernel)
  await kernel.close()
  return app
}

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
    const from = await filled(t, client)
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

    const to = await fresh(t, other)
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
    const from = await filled(t, client)
    await from.run('export', '-f', 'all')
    const archive = join(from.dir, 'all.tar.gz')
    const to = await filled(t, client)
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
  const from = await filled(t, 'sqlite')
  t.match(await from.run('export', '-f', 'content', '--only', 'content'), { code: 0, err: / 0 files/ })
  t.match(await from.run('export', '-f', 'files.tar', '--exclude', 'content,config'), {
    code: 0,
    err: /^Wrote 0 entries/,
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

  const to = await fresh(t, 'sqlite')
  t.match(await to.run('import', '-f', join(from.dir, 'files.tar')), { code: 0, out: /^Imported 0 rows and 2 files/ })
  t.same(await uploadsOf(to), await uploadsOf(from))
  t.match(await to.run('import', '-f', join(from.dir, 'content.tar.gz'), '--only', 'content'), { code: 0 })
  t.same(await answerOf(t, to), await answerOf(t, from))
})

await t.test('a model that lacks what the archive has', async t => {
  const from = await filled(t, 'sqlite')
  await from.run('export', '-f', 'all')
  const to = await fresh(t, 'sqlite')
  const schema = 'src/api/writer/content-types/writer/schema.json'
  const writer = JSON.parse(await readFile(join(to.dir, schema), 'utf8')) as { attributes: Record<string, unknown> }
  writer.attributes = { articles: writer.attributes.articles, title: { type: 'string' } }
  await to.write(schema, writer)
  const article = 'src/api/article/content-types/article/schema.json'
  const articles = JSON.parse(await readFile(join(to.dir, article), 'utf8')) as { attributes: Record<string, unknown> }
  articles.attributes.zone = { type: 'dynamiczone', components: ['shared.seo'] }
  articles.attributes.rating = { type: 'boolean' }
  await to.write(article, articles)
  const archive = join(from.dir, 'all.tar.gz')
  t.match(await to.run('import', '-f', archive), {
    code: 1,
    err: /does not have these types and attributes of the archive:\n {2}api::writer\.writer\.name\n {2}api::writer\.writer\.teacher\nNothing was written/,
  })
  t.match(await to.run('import', '-f', archive, '--ignore-unknown'), {
    code: 1,
    err: /cannot be stored; nothing was written:\n {2}rows\/rows_00001\.jsonl, line \d+: api::article\.article 1: rating must be a boolean, found 1\.25/,
  })
  t.notOk((await readdir(to.dir)).includes('.data'), 'no database was made')
  articles.attributes.rating = { type: 'decimal' }
  await to.write(article, articles)
  t.match(await to.run('import', '-f', archive, '--ignore-unknown'), { code: 0, err: /Left out/ })
  t.equal((await answerOf(t, to)).length, 3)
})

for (const client of clients)
  await t.test(`drafts of a type that has none in the model (${client})`, async t => {
    const from = await filled(t, client)
    const kernel = await from.open()
    for (const article of await kernel.query(uid).findMany({ publicationState: 'preview', locale: 'all' }))
      await kernel.query(uid).update(article.id, { data: { publishedAt: null } })
    await kernel.close()
    t.match(await from.run('export', '-f', 'all'), { code: 0 })
    const archive = join(from.dir, 'all.tar.gz')
    const to = await fresh(t, client)
    const schema = 'src/api/article/content-types/article/schema.json'
    const before = JSON.parse(await readFile(join(to.dir, schema), 'utf8')) as { options: object }
    const withoutDrafts = { ...before, options: { ...before.options, draftAndPublish: false } }
    const refused = {
      code: 1,
      out: '',
      err: /would become public[\s\S]*\n {2}api::article\.article: 3\nNothing was written/,
    }
    await to.write(schema, withoutDrafts)
    // Where all entries are drafts, the archive has no value that the model lacks.
    t.match(await to.run('import', '-f', archive), refused)
    t.match(await to.run('import', '-f', archive, '--ignore-unknown'), refused)

    await to.write(schema, before)
    t.match(await to.run('import', '-f', archive), { code: 0 })
    await to.write(schema, withoutDrafts)
    const shown = async () => {
      const kernel = await to.open()
      const entries = await kernel.query(uid).findMany({ locale: 'all' })
      await kernel.close()
      return entries.length
    }
    t.equal(await shown(), 0, 'as the message says, they are hidden then')
    t.match(await to.run('import', '-f', archive, '--ignore-unknown', '--force', '--yes'), refused)
    t.equal(await shown(), 0, 'also where the column is still there')
  })

await t.test('archives that cannot be read', async t => {
  const app = await filled(t, 'sqlite')
  await app.run('export', '-f', 'all.tar')
  const archive = join(app.dir, 'all.tar')
  const whole = await readFile(archive)
  const to = await fresh(t, 'sqlite')
  const refused = async (name: string, content: Buffer | string, err: RegExp) => {
    const path = join(to.dir, name)
    await writeFile(path, content)
    t.match(await to.run('import', '-f', path), { code: 1, out: '', err }, name)
  }
  await refused('cut.tar', whole.subarray(0, whole.length / 2), /cut\.tar is damaged or incomplete: .*Truncated/)
  await refused('block.tar', whole.subarray(0, 512 * 3), /is (damaged or incomplete|not complete)/)
  await refused('text.tar', 'some text', /text\.tar is no archive/)
  await refused('cipher.tar.gz.enc', 'some text', /is encrypted: give its key with --key/)
  await refused(
    'version.tar',
    Buffer.from(whole.toString('latin1').replace('"version": 1', '"version": 7'), 'latin1'),
    /has version 7 of the format/,
  )
  t.match(await to.run('import', '-f', 'missing.tar'), { code: 1, err: /missing\.tar cannot be read/ })
  t.match(await to.run('import'), { code: 1, err: /--file is missing/ })
  await truncate(archive, 0)
  t.match(await to.run('import', '-f', archive), { code: 1, err: /is no archive/ })
})
