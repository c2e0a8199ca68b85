// The server's part: the page with its policy, the files, deep links, and what strangers learn of the settings.

import { createServer } from '@plinth/server'
import { temporary } from '@plinth/test-tools/fixtures'
import { s3Provider } from '@plinth/upload-s3'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import studio from '../src/index.ts'

const type = (name: string, attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
})

async function start(
  t: Test,
  config: Readonly<Record<string, unknown>> = {},
  plugins: Readonly<Record<string, unknown>> = {},
): Promise<FastifyInstance> {
  const app: FastifyInstance = await createServer({
    dir: await temporary(t),
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    logger: false,
    migrate: 'add',
    contentTypes: [type('wall', { name: { type: 'string' } }), type('door', { name: { type: 'string' } })] as never,
    plugins: {
      rest: true,
      'content-type-builder': true,
      'entry-versions': true,
      'users-permissions': {
        config: { jwtSecret: 'a secret of the tests, long enough', permissions: { public: ['api::wall.wall.find'] } },
      },
      studio: { plugin: studio, config },
      ...plugins,
    } as never,
  })
  t.teardown(() => app.close())
  return app
}

t.test('the page', async t => {
  const config = {
    title: 'A "title" </script>',
    mediaOrigins: ['https://media.example.com'],
    types: { 'api::wall.wall': { preview: 'https://www.example.com/{name}', label: 'Walls of ours' } },
  }
  const app = await start(t, config)
  const [first, second] = await Promise.all(['/studio', '/studio/content/walls/1'].map(url => app.inject(url)))
  const policy = String(first!.headers['content-security-policy'])
  const nonceIn = (text: string) => /'nonce-([^']+)'/.exec(text)?.[1]
  t.equal(first!.statusCode, 200)
  t.equal(second!.statusCode, 200, 'deep links are answered by the page')
  t.not(nonceIn(policy), nonceIn(String(second!.headers['content-security-policy'])), 'a nonce is used once')
  t.ok(first!.body.includes(`<script type="importmap" nonce="${nonceIn(policy)}">`))
  t.notMatch(policy, /unsafe/)
  t.match(policy, /frame-ancestors 'none'/)
  t.match(policy, /img-src 'self' https:\/\/media\.example\.com blob:/)
  t.match(policy, /frame-src https:\/\/www\.example\.com;/)
  t.match(first!.headers, {
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
  })
  t.notMatch(first!.body, /Walls of ours|api::/, 'the page says nothing about the content')
  t.notMatch(first!.body, /"title" <\/script>/, 'a title cannot end a tag')
})

t.test('media of the provider of files are shown', async t => {
  const provider = s3Provider({ bucket: 'files', region: 'eu-central-1' })
  const app = await start(t, { mediaOrigins: ['https://old.example.com'] }, { upload: { config: { provider } } })
  t.match(
    String((await app.inject('/studio')).headers['content-security-policy']),
    /img-src 'self' https:\/\/old\.example\.com https:\/\/files\.s3\.eu-central-1\.amazonaws\.com blob:/,
  )
  const wrong = {
    ...provider,
    store() {},
    remove() {},
    urlOf: () => '',
    open() {},
    origins: ['https://a.example; script-src *'],
  }
  await t.rejects(start(t, {}, { upload: { config: { provider: wrong } } }), /names "https:.*which is not an origin/)
})

t.test('its files', async t => {
  const app = await start(t, { path: '/edit' })
  const { body } = await app.inject('/edit')
  const [, main] = /<script type="module" src="([^"]+)"/.exec(body)!
  const plain = await app.inject(main!)
  t.match(plain.headers, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': /immutable/ })
  const packed = await app.inject({ url: main!, headers: { 'accept-encoding': 'br, gzip' } })
  t.equal(packed.headers['content-encoding'], 'gzip')
  t.ok(packed.rawPayload.length < plain.rawPayload.length / 2)
  for (const url of ['/edit/assets/none.js', '/edit/assets/..%2Fpackage.json', '/edit/plugins/none.js', '/studio'])
    t.equal((await app.inject(url)).statusCode, 404, url)
})

t.test('settings are told to those who know of the type', async t => {
  const types = { 'api::wall.wall': { label: 'Walls' }, 'api::door.door': { label: 'Doors' } }
  const app = await start(t, { types })
  t.same((await app.inject('/api/studio/settings')).json(), { data: { 'api::wall.wall': { label: 'Walls' } } })
})

t.test('settings that name what does not exist prevent the start', async t => {
  await t.rejects(
    start(t, { types: { 'api::wal.wal': {} } }),
    /config\/plugins: studio\.config\.types: .*api::wal\.wal.*did you mean "api::wall\.wall"/,
  )
  await t.rejects(
    start(t, { types: { 'api::wall.wall': { columns: ['nam'] } } }),
    /studio\.config\.types\.api::wall\.wall: .*attribute "nam", did you mean "name"/,
  )
  const withPreview = (preview: string) => start(t, { types: { 'api::wall.wall': { preview } } })
  await t.rejects(withPreview('https://www.example.com/{nam}'), /there is no attribute "nam", did you mean "name"/)
  for (const preview of [
    'www.example.com/{name}',
    'https://{name}.example.com',
    'javascript:alert(1)',
    '//example.com',
  ])
    await t.rejects(withPreview(preview), /preview: must be an address that begins with https/, preview)
})
