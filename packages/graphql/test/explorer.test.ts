// The explorer (B-9.3, B-9.11): a page in a browser, which asks nothing of other servers.

import { definePlugin, ValidationError } from '@plinth/kernel'
import { openPage } from '@plinth/test-tools/chromium'
import t from 'tap'
import { serve } from './fixtures/served.ts'

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

for (const rest of [true, false])
  t.test(`in Chromium, ${rest ? 'under the headers of the REST API' : 'without the REST API'}`, async t => {
    const { app, kernel } = await serve(t, { rest })
    await kernel.query('api::tag.tag').create({ data: { label: 'seen in the browser' } })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const { page, requests, faults } = await openPage(t)
    const response = await page.goto(`${address}/graphql`)
    t.match(response?.headers()['content-security-policy'], /script-src 'self';/)

    const editor = page.locator('.graphiql-query-editor .CodeMirror')
    await editor.waitFor()
    await editor.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText('{ tags { data { attributes { label } } } }')
    await page.getByRole('button', { name: 'Headers' }).click()
    // The second editor below the query is that of the headers.
    const headers = JSON.stringify('{ "X-Asked-By": "the editor" }')
    await page.evaluate(
      `document.querySelectorAll('.graphiql-editor-tool .CodeMirror')[1].CodeMirror.setValue(${headers})`,
    )
    const sent = page.waitForRequest(request => request.postData()?.includes('label') ?? false)
    await page.locator('.graphiql-execute-button').click()
    const answer = page.locator('.result-window', { hasText: 'seen in the browser' })
    await answer.waitFor()
    t.match(await answer.textContent(), /"label": "seen in the browser"/)
    t.equal((await sent).headers()['x-asked-by'], 'the editor', 'its headers are sent')

    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.locator('.graphiql-doc-explorer', { hasText: 'Query' }).waitFor()
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT })

    t.ok(requests.length >= 5, 'the page, a script, a style sheet, the schema, the query')
    t.same(
      requests.filter(url => !url.startsWith(`${address}/`) && !url.startsWith('data:')),
      [],
      'no request left the server',
    )
    t.same(faults, [], 'the policy refused nothing')
  })

/** Whoever has logged in may do everything, and others nothing. */
const accounts = definePlugin({
  name: 'accounts',
  after: ['graphql'],
  register({ kernel }) {
    kernel.auth.use({
      name: 'one',
      authenticate: ({ headers: { authorization } }) => ({
        key: String(authorization),
        user: null,
        can: () => authorization === 'Bearer token-of-ann',
      }),
    })
    kernel.services.find('graphql', 'extension')!.use({
      typeDefs: `
        input LoginInput { identifier: String!, password: String!, provider: String! = "local" }
        type LoginPayload { jwt: String }
        extend type Mutation { login(input: LoginInput!): LoginPayload! }`,
      resolvers: {
        Mutation: {
          login: (_source: unknown, { input }: { readonly input: { readonly password: string } }) => {
            if (input.password !== 'right') throw new ValidationError('Invalid identifier or password')
            return { jwt: 'token-of-ann' }
          },
        },
      },
      resolversConfig: { 'Mutation.login': { auth: false } },
    })
  },
})

t.test('it begins with a query of the application, and logs in by the mutation of the schema', async t => {
  const { app, kernel } = await serve(t, { extra: { accounts: { plugin: accounts } } })
  await kernel.query('api::article.article').create({ data: { title: 'seen after the login' } })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const { page, faults } = await openPage(t)
  await page.goto(`${address}/graphql`)
  const editor = page.locator('.graphiql-query-editor .CodeMirror')
  await editor.waitFor()
  t.match(await editor.textContent(), /articles\(pagination: \{ pageSize: 5 \}\)/)
  const run = page.locator('.graphiql-execute-button')
  const result = (text: string) => page.locator('.result-window', { hasText: text }).waitFor()
  await run.click()
  await result('Forbidden')
  const form = page.locator('#login')
  await form.getByLabel('Name or address').fill('ann')
  await form.getByLabel('Password').fill('wrong')
  await form.getByRole('button').click()
  await form.locator('output', { hasText: 'Invalid identifier or password' }).waitFor()
  await form.getByLabel('Password').fill('right')
  await form.getByRole('button').click()
  await form.locator('output', { hasText: 'Logged in as ann' }).waitFor()
  await run.click()
  await result('seen after the login')
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT })
  await form.getByRole('button', { name: 'Log out' }).click()
  await run.click()
  await result('Forbidden')
  t.same(faults, [], 'the policy refused nothing')
})

t.test('its files', async t => {
  const { app } = await serve(t, { rest: false, config: { endpoint: '/v1/ask' } })
  const page = await app.inject({ url: '/v1/ask', headers: browser })
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  t.notMatch(page.payload, /<script>|https?:|\son\w+=/, 'no inline script, no other server')
  const links = [...page.payload.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link!)
  t.same(links, ['data:,', 'ask/explorer.css', 'ask/explorer.js'])
  for (const [name, type] of [
    ['explorer.css', /^text\/css/],
    ['explorer.js', /^text\/javascript/],
    ['explorer.LICENSES.txt', /^text\/plain/],
  ] as const) {
    const file = await app.inject(`/v1/ask/${name}`)
    t.match(file, { statusCode: 200, headers: { 'content-type': type, 'x-content-type-options': 'nosniff' } })
    t.ok(file.payload.length > 10_000)
  }
  const slashed = await app.inject({ url: '/v1/ask/', headers: browser })
  t.match(slashed.payload, 'src="explorer.js"', 'below a trailing slash')
  t.notMatch(page.payload, 'data-login', 'without a mutation that logs in')
  t.match(page.payload, 'data-query="# Run: Ctrl+Enter')
  const query = await app.inject({ url: '/v1/ask?query={__typename}', headers: browser })
  t.same(query.json(), { data: { __typename: 'Query' } }, 'a query is answered')
})

t.test('off in production, unless playgroundAlways', async t => {
  const closed = await serve(t, { production: true })
  t.match(await closed.get('', browser), { status: 400, text: 'GET query missing.' })
  t.equal((await closed.get('/explorer.js')).status, 404)
  const open = await serve(t, { production: true, config: { playgroundAlways: true } })
  t.match(await open.get('', browser), { status: 200, headers: { 'content-type': /html/ } })
  t.equal((await open.get('/explorer.js')).status, 200)
  t.match(await open.get(''), { status: 400, text: 'GET query missing.' }, 'only for browsers')
})
