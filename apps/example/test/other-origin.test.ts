// Front ends on origins of their own, in Chromium: an origin that is listed uploads by GraphQL, uses Apollo Client with a
// name, and reads the headers of limits; one that is not listed is refused.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openPage } from '@plinth/test-tools/chromium'
import { build, stop } from 'esbuild'
import t, { type Test } from 'tap'
import { headersOf, openExample } from './fixtures/example.ts'

/** A front end: an empty page with a script. Returns its origin. */
async function servePage(t: Test, script: string): Promise<string> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/script.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><link rel="icon" href="data:,"><script src="script.js"></script>')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a front end does, as one script. */
async function bundle(): Promise<string> {
  const source = fileURLToPath(new URL('fixtures/named-client.ts', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'frontEnd',
    define: { 'globalThis.__DEV__': 'false' },
    logLevel: 'silent',
  })
  await stop()
  return outputFiles[0]!.text
}

t.test('a front end of another origin', async t => {
  const script = await bundle()
  const [listed, other] = [await servePage(t, script), await servePage(t, script)]
  const { app, close } = await openExample({ config: { server: { cors: { origin: [listed] } } } })
  t.teardown(close)
  const editor = await headersOf(app, 'editor')
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const { page, faults } = await openPage(t)
  /** Calls a function of the front end in the page. */
  const run = (name: string, ...args: unknown[]) =>
    page.evaluate(`frontEnd.${name}(${args.map(one => JSON.stringify(one)).join(', ')})`)
  const files = () => app.kernel.query('plugin::upload.file').count()

  await t.test('a listed origin', async t => {
    await page.goto(listed)
    const before = await files()
    t.match(await run('upload', `${address}/graphql`, { ...editor, 'apollo-require-preflight': 'true' }), {
      status: 200,
      body: { data: { upload: { data: { attributes: { name: 'dot.png' } } } } },
    })
    t.equal(await files(), before + 1)
    t.match(await run('upload', `${address}/graphql`, { ...editor, 'x-apollo-operation-name': 'Send' }), {
      status: 200,
    })
    t.match(await run('upload', `${address}/graphql`, editor), { status: 400, body: { error: { status: 400 } } })

    const tracing = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=b',
      baggage: 'sentry-release=1',
      'sentry-trace': '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1',
      'x-requested-with': 'XMLHttpRequest',
    }
    const sent = page.waitForRequest(request => request.url().endsWith('/graphql') && request.method() === 'POST')
    t.match(await run('findTitles', `${address}/graphql`, tracing), [String, String])
    t.match((await sent).headers(), {
      ...tracing,
      'apollographql-client-name': 'reader',
      'apollographql-client-version': '7',
    })

    t.match(await run('failToLogIn', `${address}/api/auth/local`), {
      status: 429,
      headers: {
        'retry-after': /^\d+$/,
        'x-ratelimit-limit': /^\d+$/,
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': /^\d+$/,
        'server-timing': /^db;dur=/,
      },
    })
    t.same(
      faults.filter(text => !/status of (?:400|429)/.test(text)),
      [],
      'the browser refused nothing',
    )
  })

  await t.test('an origin that is not listed', async t => {
    await page.goto(other)
    const before = await files()
    const refused = (work: Promise<unknown>) => t.rejects(work, /Failed to fetch/)
    await refused(run('upload', `${address}/graphql`, { ...editor, 'apollo-require-preflight': 'true' }))
    await refused(run('findTitles', `${address}/graphql`, {}))
    await refused(run('failToLogIn', `${address}/api/auth/local`))
    t.equal(await files(), before, 'nothing was uploaded')
    t.match(faults.join('\n'), /blocked by CORS policy/)
  })
})
