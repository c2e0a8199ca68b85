// The site is built as it is published: every link leads somewhere, the search finds words, nothing comes from other servers,
// and a phone shows it in the dark without a page that is too wide.

import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { openPage } from '@plinth/test-tools/chromium'
import { temporary } from '@plinth/test-tools/fixtures'
import t, { type Test } from 'tap'
import { addressOf, readSections, root, sectionsOf } from '../src/contents.ts'
import { anchorsOf, LinkResolver } from '../src/links.ts'

const pages = readSections().flatMap(section => section.pages)

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** Serves the files of a folder, as a web server does: without `.html` in addresses. Returns the origin. */
async function serve(t: Test, folder: string): Promise<string> {
  const files = new Set(globSync('**/*', { cwd: folder }))
  const server = createServer(({ url = '/' }, response) => {
    const path = url.slice(1).replace(/[?#].*/, '')
    const file = [path, `${path}.html`, join(path, 'index.html')].find(one => extname(one) !== '' && files.has(one))
    if (file === undefined) return response.writeHead(404).end()
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
    return response.end(readFileSync(join(folder, file)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Builds the site in a process of its own, which ends the compiler that Vite leaves running. */
function buildSite(folder: string): Promise<void> {
  const program = join(import.meta.dirname, '../node_modules/vitepress/bin/vitepress.js')
  return new Promise((resolve, reject) => {
    const args = [program, 'build', '--outDir', folder]
    execFile(process.execPath, args, { cwd: join(import.meta.dirname, '..') }, (error, printed, told) =>
      error === null ? resolve() : reject(new Error(printed + told, { cause: error })),
    )
  })
}

t.test('the table of contents', t => {
  t.same(sectionsOf('# A\n\n## B\n\n- [C](c.md), [D](../packages/d/README.md): see [E](e.md)\n\n[F](f.md)\n\n## G\n'), [
    {
      title: 'B',
      pages: [
        { path: 'docs/c.md', address: '/c', title: 'C' },
        { path: 'packages/d/README.md', address: '/packages/d', title: 'D' },
      ],
    },
  ])
  t.equal(new Set(pages.map(page => page.path)).size, pages.length, 'names every page once')
  const isPrivate = (path: string) => JSON.parse(readFileSync(join(root, path, '../package.json'), 'utf8')).private
  const documents = [
    ...globSync(['docs/*.md', 'docs/guides/*.md'], { cwd: root }).filter(path => path !== 'docs/README.md'),
    ...globSync('packages/*/README.md', { cwd: root }).filter(path => isPrivate(path) !== true),
  ]
  const paths = new Set(pages.map(page => page.path))
  t.same(
    documents.filter(path => !paths.has(path)),
    [],
    'docs/README.md has all documents and packages',
  )
  t.end()
})

t.test('links', t => {
  t.same([...anchorsOf('# A `b`\n```\n# c\n```\n## A b\n## [D](e.md): f-g')], ['a-b', 'a-b-1', 'd-f-g'])
  const links = new LinkResolver(['docs/users.md', 'packages/rest/README.md'])
  const resolve = (href: string) => links.resolve(href, 'docs/rules.md')
  t.equal(resolve('users.md#tokens'), '/users#tokens')
  t.equal(resolve('../packages/rest'), '/packages/rest')
  t.equal(resolve('https://example.com/a.md'), 'https://example.com/a.md')
  t.equal(resolve('../packages/rest/src'), 'https://github.com/plinth/plinth/tree/main/packages/rest/src')
  t.equal(resolve('#rules'), 'https://github.com/plinth/plinth/blob/main/docs/rules.md#rules')
  t.same(links.dead, [])
  for (const href of ['user.md', 'users.md#token', '#rule']) resolve(href)
  t.same(links.dead, ['docs/rules.md: user.md', 'docs/rules.md: users.md#token', 'docs/rules.md: #rule'])
  t.end()
})

t.test('links of documents that are no pages', t => {
  const links = new LinkResolver(pages.map(page => page.path))
  const exclude = ['**/node_modules/**', '**/dist/**', '**/.*/**', 'contract/v4-database/**', 'contract/app/**']
  const others = globSync('**/*.md', { cwd: root, exclude }).filter(path => !links.isPage(path))
  t.ok(others.length > 20)
  for (const path of others) {
    const text = readFileSync(join(root, path), 'utf8').replaceAll(/^ *(`{3,})[\s\S]*?^ *\1$|`[^`\n]+`/gm, '')
    for (const [, href] of text.matchAll(/\]\(([^)\s]+)\)/g)) links.resolve(href!, path)
  }
  t.same(links.dead, [])
  t.end()
})

t.test('the site', async t => {
  const folder = await temporary(t)
  await buildSite(folder)
  const origin = await serve(t, folder)
  const { page, requests, faults } = await openPage(t)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })

  for (const address of ['/', '/start', '/why', addressOf('packages/rest/README.md')]) {
    await page.goto(origin + address)
    await page.locator('.VPContent h1, .VPContent .name').first().waitFor()
    t.ok(
      await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
      `${address} is not wider than a phone`,
    )
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    t.match(background, /rgb\((?:[0-4]?\d, ){2}[0-4]?\d\)/, `${address} is dark`)
  }

  await t.test('the search', async () => {
    await page.locator('.VPNavBarSearch button').click()
    await page.locator('#localsearch-input').fill('fallbackLocale')
    await page.locator('.result', { hasText: '@plinth/i18n' }).first().click()
    await page.locator('.vp-doc h1', { hasText: '@plinth/i18n' }).waitFor()
  })

  t.same(
    requests.filter(url => !url.startsWith(origin) && !url.startsWith('data:')),
    [],
    'nothing comes from other servers',
  )
  t.same(faults, [])
})
