// The client in Chromium, on a page of another origin: reads, a login, and uploads with progress.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openPage } from '@plinth/test-tools/chromium'
import { build, stop } from 'esbuild'
import t from 'tap'
import { fill, serve, user } from './fixtures/server.ts'

t.test('in a browser', async t => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('fixtures/page.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'frontEnd',
    logLevel: 'silent',
  })
  await stop()
  const pages = createServer((request, response) => {
    const isScript = request.url === '/script.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    const html = '<!doctype html><link rel="icon" href="data:,"><script src="script.js"></script>'
    response.end(isScript ? outputFiles[0]!.text : html)
  })
  await new Promise<void>(resolve => pages.listen(0, '127.0.0.1', resolve))
  t.teardown(() => pages.close())
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  const served = await serve(t, { server: { cors: { origin: [origin] } } })
  await fill(served)
  const { page, faults } = await openPage(t)
  await page.goto(origin)
  const run = (name: string) =>
    page.evaluate(`frontEnd.${name}(${JSON.stringify(served.url)}, ${JSON.stringify(user)})`)

  t.match(await run('run'), {
    data: [
      { title: 'The sea & the moon', author: { name: 'Ada' } },
      { title: 'Without anything', author: null },
    ],
    refused: [403, 'ForbiddenError'],
    label: 'from a browser',
  })
  const { seen, ...uploaded } = (await run('upload')) as { readonly seen: readonly (readonly [number, number])[] }
  t.match(uploaded, { name: 'zeros.bin', reason: 'Error: left', denied: 403, away: 0 })
  const [loaded, total] = seen.at(-1)!
  t.ok(loaded > 1_000_000 && loaded === total, `${loaded} of ${total}`)
  t.same(
    faults.filter(text => !/status of 403|ERR_/.test(text)),
    [],
    'the browser refused nothing else',
  )
})
