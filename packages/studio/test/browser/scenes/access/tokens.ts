// API tokens, for those who may: the key of a new one is shown once, works, and is refused when it was revoked.

import type { Test } from 'tap'
import type { Stage } from '../../fixtures/stage.ts'

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const asAdministrator = async () => ({ authorization: `Bearer ${await server.tokenOf('administrator')}` })
  const { page, go, check } = await open({ as: 'administrator' })
  await go('/tokens')
  await check(t, 'tokens-none')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('site')
  await check(t, 'tokens-new')
  await page.getByRole('button', { name: 'Make token' }).click()
  const key = await page.getByRole('textbox', { name: 'Key' }).inputValue()
  await check(t, 'tokens-key')
  await page.getByRole('button', { name: 'Close' }).click()
  t.notMatch(await page.content(), key, 'it is shown once')
  const read = () => server.app.inject({ url: '/api/desks', headers: { authorization: `Bearer ${key}` } })
  t.equal((await read()).statusCode, 200)
  await check(t, 'tokens')
  await page.getByRole('button', { name: 'Revoke site' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('site is revoked').waitFor()
  t.equal((await read()).statusCode, 401)

  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('desks alone')
  await page.getByRole('button', { name: /Rights/ }).click()
  await page.getByRole('option', { name: 'Chosen actions' }).click()
  await page.getByLabel('Search actions').fill('desk.find')
  await page.getByText('api::desk.desk.find', { exact: true }).click()
  await page.getByText('1 action chosen').waitFor()
  await check(t, 'tokens-actions')
  await page.getByRole('button', { name: 'Make token' }).click()
  await page.getByRole('textbox', { name: 'Key' }).waitFor()
  const tokens = (await server.app.inject({ url: '/admin/api-tokens', headers: await asAdministrator() })).json().data
  t.same(tokens.at(-1).permissions, ['api::desk.desk.find'])

  const editor = await open({ expects: [/status of 403/] })
  await editor.go('/tokens')
  await editor.page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
}
