// `plinth types`: from the files of an application, and from a running server.

import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import apiTokens, { tokensOf } from '@plinth/api-tokens'
import contentTypeBuilder from '@plinth/content-type-builder'
import rest from '@plinth/rest'
import { createServer } from '@plinth/server'
import t from 'tap'
import { application, noteSchema, Running, schemaFile, until } from './application.ts'
import { plinth } from './plinth.ts'

const usual = 'types/content.d.ts'
const textOf = (dir: string, file = usual) => readFile(join(dir, file), 'utf8').catch(() => null)

t.test('the file is written, kept, and checked', async t => {
  const app = await application(t)
  const types = (...words: readonly string[]) => plinth(['types', '--dir', app.dir, ...words], app.env)
  t.match(await types('--check'), { code: 1, err: `plinth: ${usual} is stale: plinth types writes it\n` })
  t.equal(await textOf(app.dir), null, 'a check writes nothing')
  t.match(await types(), { code: 0, out: `Wrote ${usual}\n` })
  const text = await textOf(app.dir)
  t.match(text, /^export interface Note \{\n {2}id: number\n {2}title: string \| null\n/m)
  t.notMatch(text, /^import /m)
  const { mtimeMs } = await stat(join(app.dir, usual))
  t.match(await types(), { code: 0, out: `${usual} is up to date\n` })
  t.equal((await stat(join(app.dir, usual))).mtimeMs, mtimeMs, 'an equal file is not written again')
  t.match(await types('--check'), { code: 0, out: `${usual} is up to date\n` })
  await writeFile(join(app.dir, usual), text!.replaceAll('\n', '\r\n'))
  t.match(await types('--check'), { code: 0 }, 'line breaks of Windows')
  await app.write(schemaFile, noteSchema({ title: { type: 'string' }, rank: { type: 'integer' } }))
  t.match(await types('--check'), { code: 1 })
  const out = join(app.dir, 'front/src/cms.d.ts')
  t.match(await types('--check', '--out', out), {
    code: 1,
    err: `plinth: ${out} is stale: plinth types --out ${out} writes it\n`,
  })
  t.match(await types('--out', out), { code: 0, out: `Wrote ${out}\n` })
  t.match(await textOf(app.dir, 'front/src/cms.d.ts'), /rank: number \| null/)
  t.match(await types('--token', 'x'), { code: 1, err: 'plinth: --token is for --url\n' })
  t.match(await plinth(['ts:generate-types', '--dir', app.dir], app.env), { code: 0 }, 'the name in v4')
})

t.test('the settings of the plugins that are enabled, disabled or installed', async t => {
  const plugin = (name: string, settings: string) =>
    `export default { plinth: { name: '${name}', register() {}, config: { type: 'object', properties: { ${settings} } } } }`
  const app = await application(t, {
    'config/plugins.js': `export default ({ env }) => ({
      rest: true,
      i18n: { enabled: false },
      shelves: { resolve: './src/shelves' },
      missing: { enabled: false },
    })`,
    'config/plugins.json': null,
    'src/shelves/index.js': plugin('shelves', "rows: { type: 'integer' }"),
    'node_modules/plinth-plugin-stamps/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/plinth-plugin-stamps/index.js': plugin('stamps', "ink: { type: 'string' }"),
    'node_modules/plinth-plugin-unlisted/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/plinth-plugin-unlisted/index.js': plugin('unlisted', ''),
    'node_modules/plinth-plugin-broken/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/plinth-plugin-broken/index.js': 'throw new Error("broken")',
    'package.json': JSON.stringify({
      type: 'module',
      dependencies: { 'plinth-plugin-stamps': '1', 'plinth-plugin-broken': '1', other: '1', '@plinth/kernel': '1' },
    }),
  })
  t.match(await plinth(['types', '--dir', app.dir], app.env), { code: 0 })
  const [, settings] = /interface PluginSettings \{\n(.*?)\n {4}\}/s.exec((await textOf(app.dir))!)!
  t.same(
    [...settings!.matchAll(/^ {6}(\w+): \{$/gm)].map(([, name]) => name),
    ['i18n', 'rest', 'shelves', 'stamps'],
  )
  t.match(settings, /^ {8}readonly rows\?: number \| undefined$/m)
  t.match(settings, /^ {8}readonly defaultLocale\?: string \| undefined$/m)
})

t.test('JSON schemas of schema files', async t => {
  const app = await application(t)
  const types = (...words: readonly string[]) => plinth(['types', '--dir', app.dir, ...words], app.env)
  const [contentType, component] = ['types/content-type.schema.json', 'types/component.schema.json'] as const
  t.match(await types(), { code: 0, out: `Wrote ${contentType}\nWrote ${component}\n` })
  t.match(JSON.parse((await textOf(app.dir, contentType))!), {
    definitions: { target: { anyOf: [{ enum: ['api::note.note'] }] } },
  })
  t.match(await types('--check'), { code: 0, out: `${component} is up to date` })
  await writeFile(join(app.dir, component), '{}')
  t.match(await types('--check'), { code: 1, err: `plinth: ${component} is stale: plinth types writes it\n` })
  const out = join(app.dir, 'front/cms.d.ts')
  t.match(await types('--out', out), { code: 0, out: `Wrote ${out}\n` })
  t.equal(await textOf(app.dir, component), '{}', 'another file of types has no schemas beside it')
})

t.test('plinth dev keeps the file up to date', async t => {
  const app = await application(t)
  const run = new Running(t, ['dev', '--dir', app.dir], app.env)
  const has = async (text: string) => (await textOf(app.dir))?.includes(text) === true
  await until(
    () => has('title: string | null'),
    () => run.text,
  )
  await app.write(schemaFile, noteSchema({ title: { type: 'string' }, rank: { type: 'integer' } }))
  await until(
    () => has('rank: number | null'),
    () => run.text,
  )
})

t.test('the types of a running server', async t => {
  const app = await application(t)
  const contentTypes = [JSON.parse(noteSchema({ title: { type: 'string', required: true } }))]
  const server = await createServer({
    dir: app.dir,
    contentTypes: [
      {
        ...contentTypes[0],
        uid: 'api::other.other',
        info: { singularName: 'other', pluralName: 'others', displayName: 'Other' },
        collectionName: 'others',
      },
    ],
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    plugins: {
      rest: { plugin: rest },
      'api-tokens': { plugin: apiTokens, config: { salt: 'a-salt-of-the-tests-of-types' } },
      'content-type-builder': { plugin: contentTypeBuilder },
    },
    logger: false,
  })
  t.teardown(() => server.close())
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const { accessKey } = await tokensOf(server.kernel).create({ name: 'front', type: 'full-access' })
  const out = join(app.dir, 'front.d.ts')
  const types = (address: string, ...words: readonly string[]) =>
    plinth(['types', '--url', address, '--out', out, ...words], app.env)
  t.match(await types(url, '--token', accessKey), { code: 0, out: `Wrote ${out}\n` })
  t.match(await textOf(app.dir, 'front.d.ts'), /^export interface Other \{\n {2}id: number\n {2}title: string\n/m)
  t.match(await types(`${url}/api`, '--token', accessKey, '--check'), { code: 0 }, 'with the prefix of the API')
  const key = { ...app.env, PLINTH_TOKEN: accessKey }
  t.match(
    await plinth(['types', '--url', url, '--out', out, '--check'], key),
    { code: 0 },
    'a token of the environment',
  )
  t.match(await types(url, '--token', 'nobody'), { code: 1, err: /is answered 401: the token is not valid/ })
  const weak = await tokensOf(server.kernel).create({
    name: 'weak',
    type: 'custom',
    permissions: ['api::other.other.find'],
  })
  t.match(await types(url, '--token', weak.accessKey), {
    code: 1,
    err: /is answered 403: the token lacks the right to plugin::content-type-builder\.content-types\.getModel\n/,
  })
  t.match(await plinth(['types', '--url', url, '--out', out], app.env), {
    code: 1,
    err: /is answered 401: name a token with --token/,
  })
  t.match(await types('cms.example.com'), { code: 1, err: /--url must be an address such as https/ })
  t.match(await types('http://127.0.0.1:1'), { code: 1, err: /^plinth: http:\/\/127\.0\.0\.1:1 does not answer: / })
})

t.test('servers that answer something else', async t => {
  const app = await application(t)
  let answer: { status: number; body: string } = { status: 404, body: '{}' }
  const server = createHttpServer((_, response) => void response.writeHead(answer.status).end(answer.body))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const types = () => plinth(['types', '--url', url, '--out', join(app.dir, 'x.d.ts')], app.env)
  t.match(await types(), { code: 1, err: /is answered 404: the server needs the plugin content-type-builder/ })
  answer = { status: 200, body: '<html>' }
  t.match(await types(), { code: 1, err: /is answered 200: the answer does not describe a model/ })
  answer = { status: 200, body: '{"data":{}}' }
  t.match(await types(), { code: 1, err: /is answered 200: the answer does not describe a model/ })
  t.equal(await textOf(app.dir, 'x.d.ts'), null)
})
