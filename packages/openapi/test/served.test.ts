// Where the document and the page are, and for whom.

import { plinth } from '@plinth/server'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { application, documentOf, start } from './fixtures/server.ts'

t.test('outside of production for everybody, at both paths', async t => {
  const { app } = await start(t, {
    isSmall: true,
    settings: { title: 'Magazine', version: '2.1.0', description: 'All' },
  })
  const document = await documentOf(app)
  t.same(document.info, { title: 'Magazine', version: '2.1.0', description: 'All' })
  t.same((await app.inject('/documentation/openapi.json')).json(), document)
  t.match(await app.inject('/documentation'), { statusCode: 200, headers: { 'content-type': /^text\/html/ } })
})

t.test('the page', async t => {
  const { app } = await start(t, { isSmall: true })
  const page = await app.inject('/documentation')
  t.notMatch(page.payload, /<script>|https?:|\son\w+=|style=/, 'nothing inline, no other server')
  t.match(page.headers['content-security-policy'], /default-src 'none';.*script-src 'self';style-src 'self'$/)
  const links = [...page.payload.matchAll(/(?:src|href|data-document)="([^"]+)"/g)].map(([, link]) => link!)
  t.same(links, [
    'data:,',
    'documentation/documentation.css',
    'documentation/openapi.json',
    'documentation/documentation.js',
  ])
  const slashed = await app.inject('/documentation/')
  t.match(slashed.payload, 'src="documentation.js"', 'below a trailing slash')
  for (const [name, type] of [
    ['documentation.css', /^text\/css/],
    ['documentation.js', /^text\/javascript/],
    ['documentation.LICENSES.txt', /^text\/plain/],
  ] as const) {
    const file = await app.inject(`/documentation/${name}`)
    t.match(file, { statusCode: 200, headers: { 'content-type': type, 'x-content-type-options': 'nosniff' } })
    t.ok(file.payload.length > 1000)
  }
})

t.test('off in production', async t => {
  const { app } = await start(t, { isSmall: true, isProduction: true })
  for (const url of [
    '/openapi.json',
    '/documentation/openapi.json',
    '/documentation',
    '/documentation/documentation.js',
  ])
    t.equal((await app.inject(url)).statusCode, 404, url)
})

t.test('in production by the setting, for callers with the right', async t => {
  const { app, kernel, accessKey } = await start(t, {
    isSmall: true,
    isProduction: true,
    settings: { inProduction: true },
  })
  const { tokensOf } = await import('@plinth/api-tokens')
  const tokens = tokensOf(kernel)
  const keyFor = async (action: string) =>
    (await tokens.create({ name: action, type: 'custom', permissions: [action] })).accessKey
  const ask = async (key: string) =>
    (await app.inject({ url: '/openapi.json', headers: { authorization: `Bearer ${key}` } })).statusCode
  t.equal(await ask(await keyFor('api::author.author.find')), 403)
  t.equal(await ask('none'), 401)
  t.equal(await ask(await keyFor('plugin::openapi.document.read')), 200)
  t.equal(await ask(accessKey), 200)
  const page = await app.inject('/documentation')
  t.equal(page.statusCode, 200)
  t.notMatch(page.payload, /author|article/, 'the page says nothing about the API')
})

t.test('below a prefix of the REST API', async t => {
  const { app } = await start(t, {
    isSmall: true,
    config: { api: { rest: { prefix: '/v1/cms' } }, server: { url: null } },
  })
  const document = await documentOf(app)
  t.same(document.servers, [{ url: '/v1/cms' }])
  t.ok('/articles' in document.paths)
})

t.test('on a server with other routes, below a prefix of Plinth itself', async t => {
  const app: FastifyInstance = Fastify({ logger: false })
  t.teardown(() => app.close())
  app.get('/elsewhere', async () => ({}))
  await app.register(plinth, { ...(await application(t, {}, true)), prefix: '/cms' })
  await app.ready()
  const document = (await app.inject('/cms/openapi.json')).json()
  t.same(document.servers, [{ url: '/cms/api' }])
  t.ok('/articles' in document.paths)
  t.same(document.paths['/cms/documentation'].servers, [{ url: '/' }])
  t.notOk('/elsewhere' in document.paths, 'the routes of others are theirs')
  t.match((await app.inject('/cms/documentation')).payload, 'src="documentation/documentation.js"')
})
