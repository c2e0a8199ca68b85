// The page for browsers at `/` and at the path of the API, outside of production.

import { definePlugin } from '@plinth/kernel'
import { openPage } from '@plinth/test-tools/chromium'
import { folder } from '@plinth/test-tools/fixtures'
import t, { type Test } from 'tap'
import { createServer } from '../src/index.ts'

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** Strangers may read notes; who sends the header may do everything. */
const rights = definePlugin({
  name: 'rights',
  register({ kernel }) {
    kernel.auth.use({
      name: 'rights',
      authenticate: ({ headers }) =>
        headers.editor === undefined
          ? { key: 'stranger', user: null, can: action => action === 'api::note.note.find' }
          : { key: 'editor', user: { id: 1 }, can: () => true },
    })
  },
})

/** What REST would add, and a page of a plugin. */
const routes = definePlugin({
  name: 'routes',
  register({ kernel }) {
    kernel.hooks.on('onMount', app => {
      const add = (method: 'GET' | 'POST', url: string, operation: string) =>
        app.route({
          method,
          url,
          config: { action: `api::note.note.${operation}` },
          handler: async () => ({ data: [] }),
        })
      add('GET', '/api/notes', 'find')
      add('GET', '/api/notes/:id', 'findOne')
      add('POST', '/api/notes', 'create')
      app.get('/look', { config: { page: 'Something to <look> at' } }, async () => 'here')
    })
  },
})

const note = {
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note', description: 'A "short" <text>' },
  attributes: { text: { type: 'string' as const } },
}

async function serve(t: Test, { isProduction = false, hasOwn = false } = {}) {
  const dir = await folder(t, { 'package.json': { name: 'magazine', version: '3.2.1' } })
  const before = process.env.NODE_ENV
  if (isProduction) process.env.NODE_ENV = 'production'
  try {
    const app = await createServer({
      dir,
      database: { client: 'sqlite', connection: { filename: ':memory:' } },
      contentTypes: [note],
      plugins: { rights: { plugin: rights }, routes: { plugin: routes } },
      migrate: 'add',
      logger: false,
      configure: kernel => {
        if (hasOwn) kernel.hooks.on('onMount', own => void own.get('/', async () => ({ own: true })))
      },
    })
    t.teardown(() => app.close())
    return app
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}

t.test('what there is, and what strangers may do', async t => {
  const app = await serve(t)
  for (const url of ['/', '/api', '/api/', '/API?x=1']) {
    const { statusCode, headers, payload } = await app.inject({ url, headers: browser })
    t.match({ statusCode, headers }, { statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8' } }, url)
    t.match(payload, '<h1>magazine <small>3.2.1</small></h1>')
    t.match(payload, 'A &quot;short&quot; &lt;text&gt;')
    t.match(payload, '<a href="/look">Something to &lt;look&gt; at</a>')
    t.match(payload, '<a href="/_health">Health</a>')
    t.match(payload, 'Everybody may do what has a ✓')
    t.match(payload, /<li><code class="method">GET<\/code> <a href="\/api\/notes"><code>\/api\/notes<\/code><\/a> ✓/)
    t.match(payload, /<li class="closed"><code class="method">GET<\/code> <code>\/api\/notes\/:id<\/code> [^✓]*<\/li>/)
    t.match(payload, /<li class="closed"><code class="method">POST<\/code>/)
  }
  const ofEditor = await app.inject({ url: '/', headers: { ...browser, editor: 'yes' } })
  t.match(ofEditor.payload, 'You may do what has a ✓')
  t.notMatch(ofEditor.payload, 'class="closed"')
})

t.test('programs are answered as before, and so are browsers elsewhere', async t => {
  const app = await serve(t)
  const missing = { statusCode: 404, headers: { 'content-type': 'application/json; charset=utf-8' } }
  for (const url of ['/', '/api']) {
    t.match(await app.inject(url), missing, url)
    t.match(await app.inject({ url, headers: { accept: 'application/json' } }), missing, url)
    t.match(await app.inject({ url, method: 'HEAD', headers: browser }), { statusCode: 404 }, url)
    t.match(await app.inject({ url, method: 'POST', headers: browser }), { statusCode: 404 }, url)
  }
  for (const url of ['/none', '/api/none']) t.match(await app.inject({ url, headers: browser }), missing, url)
})

t.test('nothing in production, and not in the place of a route', async t => {
  const production = await serve(t, { isProduction: true })
  for (const url of ['/', '/api'])
    t.match(await production.inject({ url, headers: browser }), {
      statusCode: 404,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    })
  const own = await serve(t, { hasOwn: true })
  t.same((await own.inject({ url: '/', headers: browser })).json(), { own: true })
})

t.test('in Chromium', async t => {
  const app = await serve(t)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const { page, requests, faults } = await openPage(t)
  await page.goto(address)
  await page.getByRole('heading', { name: 'magazine' }).waitFor()
  t.equal(await page.evaluate("getComputedStyle(document.querySelector('.method')).display"), 'inline-block')
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT })
  // The browser looks for an icon of the page of data that follows.
  t.same(faults, [], 'the policy refused nothing')
  await page.getByRole('link', { name: '/api/notes' }).click()
  await page.waitForURL(`${address}/api/notes`)
  t.same(
    requests.filter(url => !url.startsWith(`${address}/`) && !url.startsWith('data:')),
    [],
    'nothing is asked of other servers',
  )
})
