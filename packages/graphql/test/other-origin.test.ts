// Pages of other origins, with GraphQL and without the REST API: they may read answers, and send the headers without which
// a request with files is refused.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openPage } from '@plinth/test-tools/chromium'
import t, { type Test } from 'tap'
import { serve } from './fixtures/served.ts'

const origin = 'https://one.example'

/** Serves an empty page. Returns its origin. */
async function servePage(t: Test): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><link rel="icon" href="data:,">')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

for (const rest of [false, true])
  t.test(`headers ${rest ? 'with' : 'without'} the REST API`, async t => {
    const { app } = await serve(t, { rest })
    const asked = await app.inject({
      method: 'OPTIONS',
      url: '/graphql',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    t.match(asked, { statusCode: 204, headers: { 'access-control-allow-origin': origin } })
    const allowed = String(asked.headers['access-control-allow-headers']).toLowerCase().split(', ')
    for (const name of [
      ...['content-type', 'authorization', 'apollo-require-preflight', 'x-apollo-operation-name'],
      ...['mercurius-require-preflight', 'x-mercurius-operation-name', 'graphql-require-preflight', 'x-requested-with'],
      ...['apollographql-client-name', 'apollographql-client-version', 'traceparent', 'tracestate', 'baggage'],
    ])
      t.equal(allowed.filter(one => one === name).length, 1, name)
    const answer = await app.inject({ url: '/graphql?query={__typename}', headers: { origin } })
    t.match(answer.headers, { 'access-control-allow-origin': origin, vary: 'Origin' })
  })

t.test('in Chromium, without the REST API', async t => {
  const [listed, other] = [await servePage(t), await servePage(t)]
  const { app, kernel } = await serve(t, { rest: false, cors: { origin: listed } })
  await kernel.query('api::tag.tag').create({ data: { label: 'read elsewhere' } })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`
  const { page, faults } = await openPage(t)
  const ask = () =>
    page.evaluate(`fetch('${url}', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-apollo-operation-name': 'Tags' },
      body: JSON.stringify({ query: '{ tags { data { attributes { label } } } }' }),
    }).then(response => response.json())`)
  await page.goto(listed)
  t.match(await ask(), { data: { tags: { data: [{ attributes: { label: 'read elsewhere' } }] } } })
  t.same(faults, [])
  await page.goto(other)
  await t.rejects(ask(), /Failed to fetch/)
  t.match(faults.join('\n'), /blocked by CORS policy/)
})
