// Mistakes that were silent or badly worded and that concern a plugin of Plinth: one test for each row of the table.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createServer } from '@plinth/server'
import t, { type Test } from 'tap'

const memory = { client: 'sqlite', connection: { filename: ':memory:' } }
const file = 'src/api/article/content-types/article/schema.json'
const plugins = { rest: true, i18n: true, 'draft-publish': true }

function article(attributes: object, more: object = {}) {
  const info = { singularName: 'article', pluralName: 'articles', displayName: 'Article' }
  return { kind: 'collectionType', collectionName: 'articles', info, ...more, attributes }
}

/** The warnings of a start on a schema and files of config/, by name. */
async function start(t: Test, schema: object, config: Readonly<Record<string, object>> = { plugins }) {
  const dir = await mkdtemp(join(tmpdir(), 'plinth-mistakes-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  const files = Object.entries(config).map(([name, content]) => [`config/${name}.json`, content] as const)
  for (const [name, content] of [...files, [file, schema] as const]) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), JSON.stringify(content))
  }
  const warnings: string[] = []
  const write = (record: string) => void warnings.push((JSON.parse(record) as { msg: string }).msg)
  const app = await createServer({ dir, database: memory, logger: { level: 'warn', stream: { write } } })
  await app.close()
  return warnings
}

const title = { type: 'string' }

t.test('"draftAndPublish": true at the root of a schema', async t => {
  const schema = article({ title }, { draftAndPublish: true })
  await t.rejects(start(t, schema), {
    message: `${file}: draftAndPublish: is not known here; it belongs below options`,
  })
  t.same(await start(t, schema, { plugins: { rest: true } }), [
    `${file}: draftAndPublish: unknown key, which has no effect; options of a type belong below options`,
  ])
})

t.test('pluginOptions: { i18n: { localised: true } } on a type and on an attribute', async t => {
  const fault = 'pluginOptions.i18n.localised: unknown option, did you mean "localized"?'
  const pluginOptions = { i18n: { localised: true } }
  await t.rejects(start(t, article({ title }, { pluginOptions })), { message: `${file}: ${fault}` })
  await t.rejects(start(t, article({ title: { ...title, pluginOptions } })), {
    message: `${file}: attributes.title.${fault}`,
  })
  const right = { i18n: { localized: true } }
  t.same(await start(t, article({ title: { ...title, pluginOptions: right } }, { pluginOptions: right })), [])
})

t.test('an application that names no i18n', async t => {
  const schema = article({ title }, { pluginOptions: { i18n: { localized: true } } })
  t.same(await start(t, schema, { plugins: { rest: true } }), [
    'api::article.article: pluginOptions.i18n.localized is set, but has no effect, because config/plugins has no plugin "i18n"',
  ])
})

t.test('own attributes locale: integer, publishedAt: string', async t => {
  const schema = article(
    { locale: { type: 'integer' }, publishedAt: { type: 'string' } },
    { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
  )
  const said = (name: string, type: string, written: string) =>
    `${file}: attributes.${name}: "${name}" is an attribute of the service or of a plugin, with the type "${type}", which replaces "${written}"; give the own attribute another name`
  t.same(await start(t, schema), [said('locale', 'string', 'integer'), said('publishedAt', 'datetime', 'string')])
  t.same(await start(t, article(schema.attributes)), [], 'without the options the names are free')
})

t.test('plugin "rset", and rest: { maxLimit: 50 }', async t => {
  await t.rejects(start(t, article({ title }), { plugins: { rset: true } }), {
    code: 'PLINTH_PLUGIN_NOT_FOUND',
    message: /"rset" was not found .*, did you mean "rest"\?$/,
  })
  await t.rejects(start(t, article({ title }), { plugins: { rest: { maxLimit: 50 } } }), {
    code: 'PLINTH_PLUGIN_CONFIG',
    message: 'config/plugins: rest: maxLimit is not known; the settings of a plugin belong below config',
  })
  await t.rejects(start(t, article({ title }), { plugins: { rest: { config: { maxLimt: 50 } } } }), {
    message: 'config/plugins: rest.config.maxLimt: is not known, did you mean "maxLimit"?',
  })
})

t.test('a prefix and locales of a wrong form', async t => {
  await t.rejects(start(t, article({ title }), { plugins, api: { rest: { prefix: 'api' } } }), {
    message: 'config/api: rest.prefix must be a path in lower case that begins with "/", such as "/api"',
  })
  await t.rejects(
    start(t, article({ title }), { plugins: { ...plugins, i18n: { config: { locales: ['en', 'pt_BR'] } } } }),
    { message: 'config/plugins: i18n.config.locales.1: must be the code of a locale, such as "en" or "pt-BR"' },
  )
})

t.test('config/api: rest.maxLimt', async t => {
  t.same(await start(t, article({ title }), { plugins, api: { rest: { maxLimt: 5 } } }), [
    'config/api: rest.maxLimt is not known, did you mean "maxLimit"?',
  ])
})
