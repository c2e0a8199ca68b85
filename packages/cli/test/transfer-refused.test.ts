// `plinth import` refuses what the model lacks, what would become public, and archives that cannot be read.

import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databases } from '@plinth/test-tools/databases'
import t from 'tap'
import { filledLibrary, freshLibrary } from './library.ts'

const clients = await databases()
const uid = 'api::article.article'

await t.test('folders', async t => {
  const app = await filledLibrary(t, 'sqlite')
  t.match(await app.run('import', '-f', app.dir), { code: 1, err: `plinth: ${app.dir} is a folder, not an archive\n` })
  const missing = join(app.dir, 'backups')
  t.match(await app.run('export', '-f', join(missing, 'all')), {
    code: 1,
    err: `plinth: The folder ${missing} does not exist\n`,
  })
})

await t.test('a model that lacks what the archive has', async t => {
  const from = await filledLibrary(t, 'sqlite')
  await from.run('export', '-f', 'all')
  const to = await freshLibrary(t, 'sqlite')
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
  const kernel = await to.open()
  t.equal((await kernel.query(uid).findMany({ publicationState: 'preview', locale: 'all' })).length, 3)
  await kernel.close()
})

for (const client of clients)
  await t.test(`drafts of a type that has none in the model (${client})`, async t => {
    const from = await filledLibrary(t, client)
    const kernel = await from.open()
    for (const article of await kernel.query(uid).findMany({ publicationState: 'preview', locale: 'all' }))
      await kernel.query(uid).update(article.id, { data: { publishedAt: null } })
    await kernel.close()
    t.match(await from.run('export', '-f', 'all'), { code: 0 })
    const archive = join(from.dir, 'all.tar.gz')
    const to = await freshLibrary(t, client)
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
  const app = await filledLibrary(t, 'sqlite')
  await app.run('export', '-f', 'all.tar')
  const archive = join(app.dir, 'all.tar')
  const whole = await readFile(archive)
  const to = await freshLibrary(t, 'sqlite')
  const refused = async (name: string, content: Buffer | string, err: RegExp) => {
    const path = join(to.dir, name)
    await writeFile(path, content)
    t.match(await to.run('import', '-f', path), { code: 1, out: '', err }, name)
  }
  await refused('cut.tar', whole.subarray(0, whole.length / 2), /cut\.tar is damaged or incomplete: .*Truncated/)
  await refused('block.tar', whole.subarray(0, 512 * 3), /is (damaged or incomplete|not complete)/)
  await refused('text.tar', 'some text', /text\.tar is not an archive/)
  await refused('cipher.tar.gz.enc', 'some text', /is encrypted: give its key with --key/)
  await refused(
    'version.tar',
    Buffer.from(whole.toString('latin1').replace('"version": 1', '"version": 7'), 'latin1'),
    /has version 7 of the format/,
  )
  t.match(await to.run('import', '-f', 'missing.tar'), { code: 1, err: /missing\.tar cannot be read/ })
  t.match(await to.run('import'), { code: 1, err: /--file is missing/ })
  await truncate(archive, 0)
  t.match(await to.run('import', '-f', archive), { code: 1, err: /is not an archive/ })
})
