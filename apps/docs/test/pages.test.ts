// The examples of the pages for newcomers are run as they stand there.

import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tokensOf } from '@plinth/api-tokens'
import { examplesIn } from '@plinth/test-tools/examples'
import { folder } from '@plinth/test-tools/fixtures'
import { openExample } from 'example/testing'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { root } from '../src/contents.ts'
import { picturePath, takePicture } from '../src/picture.ts'
import { runPage } from './fixtures/run-page.ts'

// The tests need nothing but Node, so they do without these pages where a command of theirs is missing.
const isMissing = ['sh', 'curl'].some(name => spawnSync(name, ['--version']).error !== undefined)
const skip = isMissing && 'there is no sh or no curl'

/** Registers a user. Returns the token. */
async function register(app: FastifyInstance, username: string): Promise<string> {
  const payload = { username, email: `${username}@example.com`, password: `${username}-password` }
  return (await app.inject({ method: 'POST', url: '/api/auth/local/register', payload })).json().jwt
}

t.test('docs/start.md', { skip }, async t => {
  const { sh, graphql } = await runPage(t, { path: 'docs/start.md' })
  t.ok(sh! >= 2 && graphql! >= 1)
})

t.test('docs/rights.md', { skip }, async t => {
  const { sh } = await runPage(t, {
    path: 'docs/rights.md',
    async prepare(app) {
      const [ANN_JWT, BOB_JWT] = [await register(app, 'ann'), await register(app, 'bob')]
      const { kernel } = app
      const team = await kernel.query('api::team.team').create({ data: { name: 'Press', members: [1] } })
      await kernel.query('api::board.board').create({ data: { title: 'Autumn', team: team.id } })
      await kernel.query('api::offer.offer').create({ data: { title: 'A press', open: true, cost: 12 } })
      await kernel.query('api::offer.offer').create({ data: { title: 'A secret press', cost: 3 } })
      return { ANN_JWT, BOB_JWT }
    },
  })
  t.equal(sh, 3)
})

t.test('pages about the magazine', { skip }, async t => {
  const { app, close } = await openExample()
  t.teardown(close)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  await t.test('README.md', async t => {
    t.same(await runPage(t, { path: 'README.md', address }), { sh: 1 })
  })
  await t.test('the picture of README.md', async t => {
    const stored = readFileSync(picturePath)
    const taken = await takePicture(address)
    const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]
    t.equal(taken.toString('latin1', 1, 4), 'PNG')
    t.same(sizeOf(taken), sizeOf(stored), '`npx pnpm@10 --filter docs picture` takes it')
    t.ok(stored.length < 100_000)
    t.match(readFileSync(join(root, 'README.md'), 'utf8'), `](${relative(root, picturePath)})`)
  })
  await t.test('docs/graphql.md', async t => {
    const { graphql } = await runPage(t, { path: 'docs/graphql.md', address })
    t.ok(graphql! >= 10)
  })
  await t.test('docs/front-ends.md', async t => {
    const kept = new Map<string, string>()
    const sessionStorage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) }
    Object.defineProperty(globalThis, 'sessionStorage', { value: sessionStorage, configurable: true })
    t.teardown(() => Reflect.deleteProperty(globalThis, 'sessionStorage'))
    t.same(await runPage(t, { path: 'docs/front-ends.md', address }), { ts: 4 })
  })

  await t.test('the previews of docs/front-ends.md', async t => {
    const slug = 'slow-dough-in-port-merrow'
    const actions = ['api::article.article.find', 'plugin::draft-publish.entries.preview']
    const { accessKey } = await tokensOf(app.kernel).create({ name: 'preview', type: 'custom', permissions: actions })
    Object.assign(process.env, { PLINTH_URL: address, PREVIEW_TOKEN: accessKey, PREVIEW_SECRET: 'a secret' })
    const state = { isEnabled: false, path: '' }
    Object.assign(globalThis, { previewState: state })
    t.teardown(() => Reflect.deleteProperty(globalThis, 'previewState'))
    const examples = examplesIn(readFileSync(join(root, 'docs/front-ends.md'), 'utf8'))
    const dir = await folder(t, {
      ...Object.fromEntries(examples.flatMap(({ path, code }) => (path?.includes('/') ? [[path, code]] : []))),
      // Stand-ins for what Next does on a server.
      'node_modules/next/package.json': { name: 'next', exports: { './*': './*.mjs' } },
      'node_modules/next/headers.mjs':
        'export const draftMode = async () => ({ ...previewState, enable: () => { previewState.isEnabled = true } })',
      'node_modules/next/navigation.mjs': 'export const redirect = path => { previewState.path = path }',
    })
    symlinkSync(join(import.meta.dirname, '../node_modules/@plinth'), join(dir, 'node_modules/@plinth'))
    const load = (path: string) => import(pathToFileURL(join(dir, path)).href)

    const { GET } = await load('app/api/preview/route.ts')
    const next = await load('app/articles/[slug]/article.ts')
    t.equal(await next.findArticle(slug), null)
    t.equal((await GET(new Request(`http://a.com/?secret=wrong&slug=${slug}`))).status, 401)
    await GET(new Request(`http://a.com/?secret=a+secret&slug=${slug}`))
    t.same(state, { isEnabled: true, path: `/articles/${slug}` })
    t.match(await next.findArticle(slug), { slug, publishedAt: null })

    const astro = await load('src/preview.ts')
    const cookies = (value: string) => ({ get: () => ({ value }) })
    t.equal(await astro.findArticle(slug, cookies('wrong')), null)
    t.match(await astro.findArticle(slug, cookies('a secret')), { slug, publishedAt: null })
  })
})
