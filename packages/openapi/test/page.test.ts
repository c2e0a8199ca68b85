// The page in Chromium: it shows the operations, calls one, and asks nothing of other servers.

import { openPage } from '@plinth/test-tools/chromium'
import t from 'tap'
import { start } from './fixtures/server.ts'

t.test('the operations, and a call of one', async t => {
  const { app } = await start(t)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const { page, requests, faults } = await openPage(t)
  await page.goto(`${address}/documentation`)
  await page.locator('.opblock-tag-section').first().waitFor()
  const tags = await page.locator('.opblock-tag').allTextContents()
  t.match(tags[0], /^Article/, 'the types of the application come first')
  t.equal(await page.title(), 'API')
  await page.locator('.opblock-tag', { hasText: 'Health' }).click()
  await page.locator('.opblock-summary-path', { hasText: '/_health/live' }).click()
  await page.locator('.execute').click()
  await page.locator('.live-responses-table .response-col_status', { hasText: '204' }).first().waitFor()
  if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT })
  t.ok(requests.includes(`${address}/_health/live`))
  t.same(
    requests.filter(url => !url.startsWith(`${address}/`) && !url.startsWith('data:')),
    [],
    'no request left the server',
  )
  t.same(faults, [], 'the policy refused nothing')
})

t.test('in production it asks for a token', async t => {
  const { app, accessKey } = await start(t, { isSmall: true, isProduction: true, settings: { inProduction: true } })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const { page } = await openPage(t)
  await page.goto(`${address}/documentation`)
  const form = page.locator('#token')
  await form.waitFor()
  await form.locator('input').fill('wrong')
  await form.locator('button').click()
  await form.locator('[role=alert]', { hasText: '401' }).waitFor()
  await form.locator('input').fill(accessKey)
  await form.locator('button').click()
  await page.locator('.opblock-tag', { hasText: 'Article' }).first().waitFor()
  t.equal(await form.isVisible(), false)
})
