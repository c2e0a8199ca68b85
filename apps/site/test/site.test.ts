// The site, built as it is deployed, in Chromium, on the server of the example: lists, an article with its zone, languages,
// a search, a login, and drafts. Its types are those of the example's content. A change is told by a webhook and builds it again.

import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { findPlugins } from '@plinth/kernel'
import { openPage } from '@plinth/test-tools/chromium'
import { until } from '@plinth/test-tools/command'
import { nativeCompiler } from '@plinth/test-tools/compiler'
import { temporary } from '@plinth/test-tools/fixtures'
import { describeModel, describeSettings, writeTypes } from '@plinth/types'
import webhooks from '@plinth/webhooks'
import { dir, headersOf, openExample } from 'example/testing'
import t, { type Test } from 'tap'
import { build } from 'vite'
import { rebuilder } from '../rebuild/rebuilder.ts'

const root = join(import.meta.dirname, '..')

/** Serves what was built. Returns its origin and the folder in which it is to be built. */
async function serveSite(t: Test): Promise<{ origin: string; folder: string }> {
  const folder = await temporary(t)
  const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
  const server = createServer(({ url = '/' }, response) => {
    const path = url === '/' ? '/index.html' : url
    response.setHeader('content-type', types[extname(path)] ?? 'text/plain')
    createReadStream(join(folder, path)).pipe(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, folder }
}

/** Starts what builds the site into a folder when a webhook says so. Returns its address, and how often it has built. */
async function serveRebuilds(t: Test, folder: string, secret: string) {
  const builds = { count: 0 }
  const buildSite = async () => {
    await build({ root, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } })
    builds.count++
  }
  const server = rebuilder(secret, buildSite, error => t.error(error))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { builds, buildSite, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

t.test('it compiles with the types of the content', async t => {
  const args = [nativeCompiler, '--noEmit', '--pretty', 'false', '-p', root]
  const report = await new Promise(resolve => execFile(process.execPath, args, (_, out, err) => resolve(out + err)))
  t.equal(report, '')
})

t.test('the site of the magazine', async t => {
  const { origin, folder } = await serveSite(t)
  const secret = 'a secret of the site'
  const { builds, buildSite, url } = await serveRebuilds(t, folder, secret)
  const hooks = { site: { url, secret, types: ['api::article.article'] } }
  const { app, close } = await openExample({
    config: { server: { cors: { origin: [origin] } } },
    plugins: { webhooks: { plugin: webhooks, config: { hooks, allowAddresses: ['127.0.0.1'] } } },
  })
  t.teardown(close)
  const editor = await headersOf(app, 'editor')
  process.env.VITE_PLINTH_URL = await app.listen({ port: 0, host: '127.0.0.1' })
  await buildSite()
  t.equal(
    await readFile(join(root, 'src/content.d.ts'), 'utf8'),
    writeTypes(describeModel(app.kernel), describeSettings(await findPlugins(dir))),
    'its types are those of the content',
  )

  const { page, faults } = await openPage(t)
  const titles = () => page.locator('.cards h2').allTextContents()
  const settled = () => page.locator('main[aria-busy="false"]').waitFor()

  await t.test('lists', async t => {
    await page.goto(origin)
    await page.locator('.cards li').nth(11).waitFor()
    t.equal((await titles())[0], 'Forty keys: a staircase in Thornwick')
    t.equal(await page.locator('.count').textContent(), '220 articles')
    t.match(await page.locator('.cards img').first().getAttribute('srcset'), /234w.*500w/)
    await page.getByText('Older').click()
    await page.getByText('Newer').waitFor()
    t.equal((await titles()).length, 12)
    await page.getByRole('link', { name: 'fr', exact: true }).click()
    const french = (await app.inject('/api/articles?locale=fr&pagination[pageSize]=1')).json().meta.pagination.total
    t.ok(french > 0 && french < 220)
    await page.locator('.count', { hasText: `${french} articles` }).waitFor()
  })

  await t.test('an article with its zone', async t => {
    await page.goto(`${origin}/#/articles/the-oven-at-mirefield`)
    await page.locator('article h1').waitFor()
    t.equal(await page.locator('article h1').textContent(), 'The oven at Mirefield')
    t.equal(await page.locator('article > .by').textContent(), 'Bartholomew Tan')
    t.ok((await page.locator('article > blockquote, article > aside, article > section, article > figure').count()) > 0)
    await page.goto(`${origin}/#/articles/no-such-article`)
    await page.getByText('There is no such article.').waitFor()
  })

  await t.test('a search', async t => {
    await page.getByRole('searchbox').fill('oven')
    await page.getByRole('searchbox').press('Enter')
    await page.getByText(/articles with “oven”/).waitFor()
    t.ok((await titles()).includes('The oven at Mirefield'))
  })

  await t.test('a login, and drafts', async t => {
    const logIn = async (password: string) => {
      await page.getByLabel('Name or address').fill('editor')
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Log in' }).click()
    }
    await page.goto(`${origin}/#/login`)
    await logIn('wrong')
    await page.getByText('Invalid identifier or password').waitFor()
    await logIn('editor-password')
    await page.getByText('Log out editor').waitFor()
    await settled()
    t.equal(await page.locator('.draft').count(), 0)
    await page.getByLabel('Drafts').check()
    await page.locator('.count', { hasText: '226 articles' }).waitFor()
    await page.getByRole('button', { name: /Log out/ }).click()
    await page.locator('.count', { hasText: '220 articles' }).waitFor()
  })

  await t.test('what is published is in the page that is built, without a script', async t => {
    const context = await page.context().browser()!.newContext({ javaScriptEnabled: false })
    const reader = await context.newPage()
    const newest = async () => {
      await reader.goto(origin)
      return reader.locator('main h2').first().textContent()
    }
    t.equal(await newest(), 'Forty keys: a staircase in Thornwick')
    const write = async (method: 'POST' | 'PUT', path: string, data: object) => {
      const reply = await app.inject({ method, url: `/api/articles${path}`, headers: editor, payload: { data } })
      t.equal(reply.statusCode, 200, reply.payload)
      return reply.json().data.id
    }
    const draft = { title: 'Bread & <salt>', slug: 'bread-and-salt', body: 'Both.', publishedOn: '2100-01-01' }
    const id = await write('POST', '', { ...draft, publishedAt: null })
    const forged = await fetch(url, { method: 'POST', body: '{"event":"entry.publish"}' })
    t.equal(forged.status, 401, 'what is not signed builds nothing')
    await write('PUT', `/${id}`, { publishedAt: new Date().toISOString() })
    await until(
      () => builds.count > 1,
      () => 'the site built again',
    )
    t.equal(await newest(), draft.title)
    t.equal(builds.count, 2, 'the draft has built nothing')
    await context.close()
  })

  t.same(
    faults.filter(text => !/status of 400/.test(text)),
    [],
    'the browser reports nothing but the refused login',
  )
})
