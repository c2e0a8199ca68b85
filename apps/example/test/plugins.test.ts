// config/plugins.ts: a plugin can be removed, and the application works without what the plugin adds.

import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { run as runCommand } from '@plinth/cli'
import { runHere } from '@plinth/test-tools/command'
import t from 'tap'
import { copyExample, edit } from './fixtures/copy.ts'
import { copyContent, dir, openExample } from './fixtures/example.ts'
import { placesIn } from './fixtures/filled.ts'
import { run } from './fixtures/program.ts'

/** The app in a folder of its own, without one plugin and the lines that name its actions or the given attribute. */
function appWithout(plugin: string, folder: string, attribute = plugin): string {
  cpSync(`${dir}config`, `${folder}/config`, { recursive: true })
  for (const name of ['src', 'node_modules', 'package.json']) symlinkSync(`${dir}${name}`, `${folder}/${name}`)
  const file = `${folder}/config/plugins.ts`
  const lines = readFileSync(file, 'utf8').split('\n')
  const isOf = (line: string) => line.includes(plugin) || line.includes(attribute)
  writeFileSync(file, lines.filter(line => !isOf(line)).join('\n'))
  return folder
}

t.test('plinth routes lists the routes of every plugin', async t => {
  const { code, out, err } = await runHere(runCommand, ['routes', '--dir', dir], placesIn(t.testdir({})))
  t.equal(code, 0, err)
  for (const path of ['/api/articles', '/api/auth/local', '/api/slugs/generate', '/graphql', '/studio'])
    t.match(out, new RegExp(`${path}( |$)`, 'm'))
})

t.test('without locales the magazine is English', async t => {
  const { app, close } = await openExample({ from: appWithout('i18n', t.testdir({})), isFirstStart: true })
  t.teardown(close)
  const articles = (await app.inject('/api/articles?pagination[pageSize]=1')).json()
  t.equal(articles.meta.pagination.total, 220)
  t.notMatch(articles.data[0].attributes, { locale: 'en' })
  t.match((await app.inject('/api/homepage')).json(), { data: { attributes: { greeting: /^Good morning/ } } })
  t.equal((await app.inject('/api/i18n/locales')).statusCode, 404)
})

t.test('without drafts everything is published', async t => {
  const { app, close } = await openExample({
    from: appWithout('draft-publish', t.testdir({}), 'publishedAt'),
    isFirstStart: true,
  })
  t.teardown(close)
  t.equal((await app.inject('/api/articles')).json().meta.pagination.total, 226)
  t.equal((await app.inject('/api/articles?locale=fr')).json().meta.pagination.total, 26)
})

t.test('without users nobody is asked who they are', async t => {
  const users = / {2}'users-permissions': \{[\s\S]*\n {2}\},\n/
  const folder = copyExample(t.testdir({}), { 'config/plugins.ts': text => text.replace(users, '') })
  edit(`${folder}/config/plugins.ts`, text => text.replace("  'api-tokens': true,\n", ''))
  const { app, close } = await openExample({ from: folder })
  t.teardown(close)
  const payload = { data: { name: 'A reader', text: 'Hear, hear.', article: 218 } }
  const reply = await app.inject({ method: 'POST', url: '/api/comments', payload })
  t.match(reply.json(), { data: { attributes: { name: 'A reader', text: 'Hear, hear.' } } })
  t.equal((await app.inject('/api/users/me')).statusCode, 404)
})

t.test('without files articles have no pictures', async t => {
  const { app, close } = await openExample({ from: appWithout('upload', t.testdir({})), isFirstStart: true })
  t.teardown(close)
  const { data } = (await app.inject('/api/articles?populate=*&pagination[pageSize]=1')).json()
  t.match(data[0].attributes, { title: String, author: { data: { id: Number } } })
  t.notOk(data[0].attributes.cover?.data)
  t.equal((await app.inject('/api/upload/files')).statusCode, 404)
})

t.test('without API tokens the seed has its pictures all the same', async t => {
  const { app, close } = await openExample({ from: appWithout('api-tokens', t.testdir({})), isFirstStart: true })
  t.teardown(close)
  t.equal((await app.inject('/api/upload/files')).json().length, 10)
})

t.test('without sharp pictures have no formats', async t => {
  const folder = t.testdir({})
  const hide = `import Module from 'node:module'
    const find = Module._resolveFilename
    Module._resolveFilename = (name, ...rest) => {
      if (name === 'sharp') throw new Error('not installed')
      return find(name, ...rest)
    }`
  const env = { DATABASE_FILENAME: `${folder}/example.db`, UPLOAD_FOLDER: `${folder}/uploads` }
  const program = run(env, [`--import=data:text/javascript,${encodeURIComponent(hide)}`])
  await program.prints('Ctrl+C')
  const address = /is served at (\S+)/.exec(program.printed)?.[1]
  const reply = await fetch(`${address}/api/articles/218?populate=cover`)
  const { attributes } = ((await reply.json()) as { data: { attributes: { cover: { data: { attributes: never } } } } })
    .data.attributes.cover.data
  t.match(attributes, { name: 'bread.png', mime: 'image/png', formats: null })
  t.equal((await fetch(`${address}${(attributes as { url: string }).url}`)).status, 200)
  t.equal(await program.kill(), 0)
})

t.test('without GraphQL its extensions are not asked for', async t => {
  const { app, close } = await openExample({ from: appWithout('graphql', t.testdir({})) })
  t.teardown(close)
  t.equal((await app.inject('/api/articles')).statusCode, 200)
  t.equal((await app.inject('/graphql?query={__typename}')).statusCode, 404)
})

t.test('without REST no URLs are printed, and every URL is answered with a 404', async t => {
  // The studio needs REST.
  const studio = / {2}studio: \{[\s\S]*?\n {2}\},\n/
  const without = (text: string) => text.replace('rest: true,', '').replace(studio, '')
  const folder = copyExample(t.testdir({}), { 'config/plugins.ts': without })
  const env = { DATABASE_FILENAME: `${folder}/example.db` }
  await copyContent(env.DATABASE_FILENAME, `${folder}/uploads`)
  const program = run(env, [], folder)
  await program.prints('Ctrl+C')
  t.notMatch(program.printed, /curl|\/api/)
  t.match(program.printed, '`rest: true` in config/plugins.ts')
  const reply = await fetch(`${/is served at (\S+)/.exec(program.printed)?.[1]}/api/articles`)
  const error = { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} }
  t.same(await reply.json(), { data: null, error })
  t.equal(await program.kill(), 0)
})
