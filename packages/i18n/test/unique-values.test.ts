// Unique values of localized types: `unique: true` over all locales, `unique: 'perLocale'` in each (B-7.30), also for
// concurrent writers.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { databaseFile, refused, type Started, start, thrown, translated, type } from './fixtures/boot.ts'

const taken = 'This attribute must be unique'
const isTaken = (t: Test, answer: Awaited<ReturnType<Started['post']>>) =>
  refused(t, answer, 400, 'ValidationError', taken)
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

t.test('`unique: true` holds across locales', async t => {
  const { post, send, put } = await start(t)
  await post('pages', { title: 'a', key: 'k' })
  isTaken(t, await post('pages', { title: 'b', key: 'k' }))
  isTaken(t, await post('pages', { title: 'b', key: 'k', locale: 'fr' }))
  isTaken(t, await send('pages/1/localizations', { locale: 'fr', title: 'b', key: 'k' }))
  t.equal((await send('pages/1/localizations', { locale: 'fr', title: 'b', key: 'l' })).status, 200)
  isTaken(t, await put('pages/2', { key: 'k' }))
  t.equal((await put('pages/2', { key: 'l' })).status, 200, 'its own value is no other’s')
})

t.test("`unique: 'perLocale'` holds in each locale", async t => {
  const { post, send, put, of } = await start(t)
  await post('pages', { title: 'a', path: '/p' })
  const refusal = await post('pages', { title: 'b', path: '/p' })
  isTaken(t, refusal)
  t.match(refusal.body, { error: { details: { errors: [{ path: ['path'], message: taken }] } } })
  t.equal((await post('pages', { title: 'b', path: '/p', locale: 'fr' })).status, 200)
  t.equal((await send('pages/1/localizations', { locale: 'de', title: 'c', path: '/p' })).status, 200)
  isTaken(t, await post('pages', { title: 'd', path: '/p', locale: 'de' }))
  t.equal((await post('pages', { title: 'd', path: '/q' })).status, 200)
  isTaken(t, await put('pages/4', { path: '/p' }))
  isTaken(t, await put('pages/4', { path: '/p', locale: 'fr' }))
  t.equal((await put('pages/1', { path: '/p' })).status, 200)
  t.equal((await put('pages/4', { path: '/r' })).status, 200)
  t.equal((await put('pages/1', { path: '/q' })).status, 200, 'a value that was left is free')
  for (let i = 0; i < 2; i++) t.equal((await post('pages', { title: 'n', path: null })).status, 200, 'null is no value')
  await t.rejects(of('page').create({ data: { title: 'x', path: '/q' } }), { name: 'ValidationError', status: 400 })
})

t.test("'perLocale' is refused on types that are not localized", async t => {
  const right = 'must be true, or "perLocale" if the type has pluginOptions.i18n.localized'
  const refusal = async (unique: string, more: object) => {
    const dir = join(await databaseFile(t), '..')
    const file = join(dir, 'src/api/note/content-types/note/schema.json')
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, JSON.stringify(type('note', { path: { type: 'string', unique } }, more)))
    const { message } = await thrown(t, () => start(t, { dir, contentTypes: [], components: {} }))
    t.ok(message.endsWith(`note/schema.json: attributes.path.unique: ${right}; found "${unique}"`), message)
  }
  await refusal('perLocale', {})
  await refusal('perLocale', { pluginOptions: { i18n: { localized: false } } })
  await refusal('perLocal', translated)
  const part = { collectionName: 'components_a_parts', attributes: { path: { type: 'string', unique: 'perLocale' } } }
  const { message } = await thrown(t, () => start(t, { contentTypes: [], components: { 'a.part': part } }))
  t.equal(message, `a.part: attributes.path.unique: ${right}; found "perLocale"`)
})

t.test("without the plugin 'perLocale' means unique", async t => {
  const { post, kernel } = await start(t, { config: false })
  await post('pages', { title: 'a', path: '/p' })
  isTaken(t, await post('pages', { title: 'b', path: '/p' }))
  await t.rejects(kernel.database.knex('pages').insert({ title: 'b', path: '/p' }), /UNIQUE/i)
})

t.test('a shared attribute can be unique', async t => {
  const path = { type: 'string', unique: 'perLocale' }
  const contentTypes = [type('note', { text: { type: 'string', ...translated }, path }, translated)]
  const { post, send, put, get } = await start(t, { contentTypes, components: {} })
  await post('notes', { path: '/a' })
  t.match((await send('notes/1/localizations', { locale: 'fr' })).body, { path: '/a' })
  await post('notes', { path: '/b', locale: 'fr' })
  const refusal = await put('notes/1', { path: '/b' })
  isTaken(t, refusal)
  t.match(refusal.body, { error: { details: { errors: [{ path: ['path'] }] } } }, 'free here, but taken in French')
  t.match((await get('notes/1')).body, { data: { attributes: { path: '/a' } } })
  t.equal((await put('notes/1', { path: '/c' })).status, 200)
  t.match((await get('notes/2')).body, { data: { attributes: { path: '/c' } } })
})

t.test('of fifty creations at once one succeeds', async t => {
  const { post, put, kernel } = await start(t)
  const locales = ['en', 'fr', 'de']
  const create = (i: number) => post('pages', { title: 'a', path: '/same', locale: locales[i % 3] })
  const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => create(i)))
  t.same(statuses(answers), [200, 200, 200, ...Array(47).fill(400)])
  for (const answer of answers.filter(({ status }) => status !== 200)) isTaken(t, answer)
  const rows = await kernel.database.knex('pages').where({ path: '/same' }).orderBy('locale').select('locale')
  t.same(
    rows.map(({ locale }) => locale),
    ['de', 'en', 'fr'],
  )

  const keys = await Promise.all(locales.map(locale => post('pages', { title: 'a', key: 'k', locale })))
  t.same(statuses(keys), [200, 400, 400])
  const others = await Promise.all(Array.from({ length: 5 }, () => post('pages', { title: 'b' })))
  const changes = await Promise.all(others.map(({ body }) => put(`pages/${body.data.id}`, { path: '/moved' })))
  t.same(statuses(changes), [200, 400, 400, 400, 400], 'updates, too')
})

t.test('a violated index is reported', async t => {
  const { kernel, post } = await start(t)
  await post('pages', { title: 'a', path: '/p' })
  const row = { title: 'b', path: '/p', locale: 'en' }
  await t.rejects(kernel.database.knex('pages').insert(row), /UNIQUE/i)
  await t.resolves(kernel.database.knex('pages').insert({ ...row, locale: 'fr' }))
})

t.test('a unique value that translations share, in an attribute or a component, prevents them (B-7.30)', async t => {
  const components = { 'a.part': { collectionName: 'parts', attributes: { sku: { type: 'string', unique: true } } } }
  const part = { type: 'component', component: 'a.part' }
  const contentTypes = [
    type('note', { text: { type: 'string', ...translated }, part }, translated),
    type('memo', { text: { type: 'string', ...translated }, code: { type: 'string', unique: true } }, translated),
    type('card', { text: { type: 'string', ...translated }, part: { ...part, ...translated } }, translated),
  ]
  const { post, send, put } = await start(t, { contentTypes, components })
  await post('notes', { part: { sku: 'a' } })
  const refusal = await send('notes/1/localizations', { locale: 'fr' })
  isTaken(t, refusal)
  t.match(refusal.body, { error: { details: { errors: [{ path: ['part', 'sku'] }] } } })
  await post('memos', { code: 'a' })
  isTaken(t, await send('memos/1/localizations', { locale: 'fr' }))
  await post('cards', { part: { sku: 'b' } })
  t.equal((await send('cards/1/localizations', { locale: 'fr', part: { sku: 'c' } })).status, 200)
  isTaken(t, await put('cards/1', { part: { sku: 'c' } }))
  t.equal((await put('cards/1', { part: { sku: 'b' } })).status, 200, 'its own value')
  await put('notes/1', { part: null })
  t.equal((await send('notes/1/localizations', { locale: 'fr' })).status, 200, 'without a value')
})
