// The document is valid, has every route of the server, and names what v4's documentation names.

import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { definePlugin } from '@plinth/kernel'
import { plinth, serverDefaults } from '@plinth/server'
import { nativeCompiler } from '@plinth/test-tools/compiler'
import { temporary } from '@plinth/test-tools/fixtures'
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import openapiTypescript, { astToString } from 'openapi-typescript'
import t from 'tap'
import { application, documentOf, start } from './fixtures/server.ts'
import { closed } from './fixtures/strict.ts'

const run = promisify(execFile)

t.test('a standard validator accepts it', async t => {
  const { app } = await start(t)
  const document = await documentOf(app)
  t.equal(document.openapi, '3.1.0')
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  t.ok(valid, JSON.stringify(errors, null, 2))
  t.equal(validator.version, '3.1')
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)
  const missing = [...references].map(([, name]) => name!).filter(name => !(name in document.components.schemas))
  t.same(missing, [], 'what is referred to is there')
  const broken = structuredClone(document) as unknown as { paths: Record<string, { get: { parameters: unknown } }> }
  broken.paths['/articles']!.get.parameters = [{ name: 'title' }]
  t.notOk((await new Validator().validate(broken)).valid, 'the validator sees faults')
})

t.test('openapi-typescript makes types of it, which compile and know the attributes', async t => {
  const { app } = await start(t)
  const types = astToString(await openapiTypescript((await documentOf(app)) as never))
  const dir = await temporary(t)
  await symlink(join(import.meta.dirname, '../node_modules'), join(dir, 'node_modules'))
  await writeFile(join(dir, 'package.json'), '{ "type": "module" }')
  await writeFile(join(dir, 'api.d.ts'), types)
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: [] }
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['api.d.ts', 'use.ts'] }))
  const compile = async (program: string) => {
    await writeFile(join(dir, 'use.ts'), `import type { components, paths } from './api.d.ts'\n${program}`)
    return run(process.execPath, [nativeCompiler, '-p', join(dir, 'tsconfig.json')]).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
  }
  t.equal(
    await compile(`
      type List = paths['/articles']['get']['responses'][200]['content']['application/json']
      export const titleOf = (list: List): string | null | undefined => list.data[0]?.attributes.title
      export const nameOf = (list: List) => list.data[0]?.attributes.author?.data?.attributes.name satisfies string | undefined
      export const data: components['schemas']['ArticleRequest2'] = { data: { title: 'x', mood: 'calm', author: 1 } }
      export const author: components['schemas']['AuthorRequest'] = { data: { name: 'x' } }
      export const zone = (one: components['schemas']['Article']) =>
        one.zone?.map(part => (part.__component === 'shared.seo' ? part.label : part.url))`),
    '',
  )
  t.match(
    await compile(`export const data: components['schemas']['ArticleRequest2'] = { data: { mood: 'noisy' } }`),
    /noisy/,
  )
  t.match(await compile(`export const data: components['schemas']['AuthorRequest'] = { data: {} }`), /name/)
})

t.test('it has every route of the server', async t => {
  const app: FastifyInstance = Fastify({ ...serverDefaults, logger: false })
  t.teardown(() => app.close())
  // Those that the plugin does not see would not be here by what it collects.
  const routes: RouteOptions[] = []
  app.addHook('onRoute', route => void routes.push(route))
  const { plugins, ...options } = await application(t)
  const early = definePlugin({ name: 'early', register: ({ app }) => void app!.get('/early', async () => ({})) })
  await app.register(plinth, {
    ...options,
    plugins: { early: { plugin: early }, ...plugins },
    wholeServer: true,
    configure: kernel =>
      kernel.hooks.on('onMount', own => {
        own.get('/own/:word', async () => ({}))
        own.route({ method: ['PUT', 'PATCH'], url: '/api/own/*', handler: async () => ({}) })
        own.get('/hidden', { config: { operation: false } }, async () => ({}))
      }),
  })
  await app.ready()
  const { paths } = await documentOf(app)
  const documented = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter(method => method !== 'servers')
      .map(method => `${method.toUpperCase()} ${'servers' in item ? '' : '/api'}${path}`),
  )
  const refusing = ['PUT /graphql', 'PATCH /graphql', 'DELETE /graphql', '/graphql/*', '/_refused', '/hidden']
  const expected = routes
    // All methods of a health check are answered alike.
    .flatMap(({ method, url }) => (url.startsWith('/_health') ? ['GET'] : [method].flat()).map(one => `${one} ${url}`))
    .filter(route => /^(GET|POST|PUT|PATCH|DELETE) /.test(route))
    // Pages and files of the panel of editors.
    .filter(route => !/^GET \/studio(?:\/|$)/.test(route))
    .filter(route => !refusing.some(one => route === one || route.split(' ')[1] === one))
    .map(route => route.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}'))
  t.ok(expected.length > 60, `${expected.length} routes`)
  t.same(documented.toSorted(), [...new Set(expected)].sort())
})

t.test('names, rights and descriptions', async t => {
  const { app } = await start(t, { config: { server: { url: 'https://api.example.com' } } })
  const { paths, components, ...document } = await documentOf(app)
  t.match(document, {
    info: { title: 'API', version: '1.0.0' },
    servers: [{ url: 'https://api.example.com/api' }],
    security: [{ bearerAuth: [] }],
  })
  t.match(components, { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } })
  t.same(
    (document.tags as { name: string }[]).slice(0, 4).map(({ name }) => name),
    ['Article', 'ArticleRequest', 'Author', 'Homepage'],
    'the types of the application come first',
  )
  t.same(Object.keys(paths).slice(0, 3), ['/articles', '/articles/{id}', '/articles/{id}/localizations'])
  t.match(paths['/articles'], {
    get: {
      operationId: 'get/articles',
      tags: ['Article'],
      description: 'A piece of the magazine\n\nNeeds the right `api::article.article.find`.',
      'x-rights': ['api::article.article.find'],
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ArticleListResponse' } } } },
        ...Object.fromEntries(
          [400, 401, 403, 404, 500].map(status => [
            status,
            { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
          ]),
        ),
      },
    },
    post: {
      operationId: 'post/articles',
      requestBody: { required: true, content: { 'application/json': {}, 'multipart/form-data': {} } },
    },
  })
  const namesOf = (operation: unknown) =>
    (operation as { parameters: { name: string }[] }).parameters.map(({ name }) => name)
  t.same(namesOf(paths['/articles']!.get), [
    'filters',
    'sort',
    '_q',
    'pagination[page]',
    'pagination[pageSize]',
    'pagination[start]',
    'pagination[limit]',
    'pagination[withCount]',
    'fields',
    'populate',
    'publicationState',
    'locale',
    'fallbackLocale',
  ])
  t.same(namesOf(paths['/authors']!.post), ['fields', 'populate', 'Idempotency-Key'])
  t.match(paths['/authors']!.post, { responses: { 409: {}, 422: {} } }, 'what a plugin adds to routes of others')
  t.notOk(namesOf(paths['/authors']!.get).includes('locale'), 'a parameter is for some types')
  for (const name of [
    ...['', 'Request', 'Response', 'ResponseDataObject', 'ListResponse', 'ListResponseDataItem'].map(
      end => `Author${end}`,
    ),
    ...['LocalizationRequest', 'LocalizationResponse', 'LocalizationListResponse'].map(end => `Article${end}`),
    ...['ResponseDataObjectLocalized', 'ListResponseDataItemLocalized'].map(end => `Article${end}`),
    'SharedSeoComponent',
    'UploadFile',
    'Users-Permissions-User',
    'Users-Permissions-Role',
    'Users-Permissions-UserRegistration',
    'Users-Permissions-PermissionsTree',
    'Error',
  ])
    t.ok(name in components.schemas, name)
  const { Article, ArticleRequest, ArticleRequest2 } = components.schemas as Record<
    string,
    { properties: Record<string, unknown>; description?: string }
  >
  t.equal(Article!.description, 'A piece of the magazine')
  t.match(Article!.properties, {
    title: { type: ['string', 'null'], description: 'The words above the text' },
    contact: { format: 'email' },
    mood: { enum: ['calm', 'loud', null] },
    rank: { type: ['integer', 'null'] },
    views: { type: ['string', 'null'], pattern: '^-?\\d*$' },
    price: { type: ['number', 'null'] },
    day: { format: 'date' },
    hour: { format: 'time' },
    moment: { format: 'date-time' },
    extra: {},
  })
  for (const name of ['note', 'code']) t.notOk(name in Article!.properties, `${name} is never answered`)
  t.ok('text' in ArticleRequest!.properties, 'the type called so')
  t.ok('data' in ArticleRequest2!.properties, 'the body of articles')
  t.match(paths['/graphql']!.post, {
    requestBody: { content: { 'application/json': {}, 'multipart/form-data': {} } },
  })
  t.same(paths['/_health'], { ...paths['/_health'], servers: [{ url: 'https://api.example.com' }] })
  t.match(paths['/_health']!.get, { security: [] }, 'open to everybody')
  t.match(paths['/admin/api-tokens']!.get, { description: 'Needs a token with full access.' })
  t.equal((paths['/admin/api-tokens']!.get as { security?: unknown }).security, undefined)
})

t.test('routes of an application are described by their schemas', async t => {
  const { app } = await start(t, {
    isSmall: true,
    configure: kernel =>
      kernel.hooks.on('onMount', own => {
        const text = { type: 'string' }
        const schema = {
          summary: 'Says a word',
          params: { type: 'object', properties: { word: text } },
          querystring: { type: 'object', required: ['loud'], properties: { loud: { type: 'boolean' }, by: text } },
          body: { type: 'object', properties: { to: text } },
          response: { 200: { type: 'object', description: 'Said', properties: { said: text } }, '5xx': text },
        }
        own.post('/say/:word', { schema }, async () => ({ said: 'hello' }))
      }),
  })
  const { paths } = await documentOf(app)
  t.match(paths['/say/{word}'], {
    servers: [{ url: '/' }],
    post: {
      tags: ['Other'],
      summary: 'Says a word',
      security: [],
      parameters: [
        { name: 'word', in: 'path', required: true },
        { name: 'loud', in: 'query', required: true, schema: { type: 'boolean' } },
        { name: 'by', in: 'query', required: false },
      ],
      requestBody: { content: { 'application/json': { schema: { properties: { to: { type: 'string' } } } } } },
      responses: { 200: { description: 'Said', content: { 'application/json': {} } } },
    },
  })
  t.notOk('default' in (paths['/say/{word}']!.post as { responses: object }).responses)
})

t.test('an action that everybody may do needs no credentials', async t => {
  const { app } = await start(t, {
    isSmall: true,
    configure: kernel => kernel.actions.set('api::author.author.find', { auth: false }),
  })
  const { paths } = await documentOf(app)
  t.match(paths['/authors'], { get: { security: [] } })
  t.notOk('security' in (paths['/authors']!.post as object))
})

t.test('objects are closed by the tests', async t => {
  t.same(closed({ allOf: [{ $ref: '#/a' }, { type: 'object', properties: { b: {} } }] }), {
    allOf: [{ $ref: '#/a' }, { type: 'object', properties: { b: {} } }],
    unevaluatedProperties: false,
  })
})
