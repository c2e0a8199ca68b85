// The form of an entry: what it sends, what the server refuses, and leaving it.

import type { Test } from 'tap'
import type { Stage } from '../../fixtures/stage.ts'

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const { kernel } = server.app
  const { page, go, check } = await open({ expects: [/status of 400/] })
  const sent: { readonly method: string; readonly data: unknown }[] = []
  page.on('request', request => {
    if (request.url().includes('/api/') && request.method() !== 'GET')
      sent.push({ method: request.method(), data: request.postDataJSON()?.data })
  })

  await go('/content/issues/1')
  await check(t, 'entry')
  await page.getByLabel('Price').fill('7.25')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  t.same(sent, [{ method: 'PUT', data: { price: '7.25' } }], 'only what was changed is sent')
  const [issue] = await kernel.query('api::issue.issue').findMany({ filters: { id: 1 } })
  t.match(issue, { barcode: '9007199254740993', onSaleAt: '2026-03-29T01:30:12.345Z' }, 'what was not touched stays')

  await page.getByLabel('Title').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').waitFor()
  t.match(
    await page.locator('[data-field=title]').textContent(),
    /title must be/,
    "the server's words are at the field",
  )
  t.equal(await page.evaluate('document.activeElement.closest("[data-field]")?.dataset.field'), 'title')
  await check(t, 'entry-refused')

  await page.getByRole('link', { name: 'Back to Issues' }).click()
  await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor()
  await check(t, 'entry-leave')
  await page.getByRole('button', { name: 'Stay' }).click()
  t.match(page.url(), /issues\/1$/)
  await page.getByRole('link', { name: 'Back to Issues' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByRole('heading', { name: 'Issues' }).waitFor()

  await go('/content/desks/new')
  await page.getByLabel('Room').fill('Attic')
  await page.getByLabel('Extension').fill('one')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await check(t, 'entry-new-local-fault')
  t.equal(sent.filter(({ method }) => method === 'POST').length, 0, 'what is no number is not sent')
  await page.getByLabel('Extension').fill('214')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/desks\/\d+$/)
  t.match(sent.at(-1), { method: 'POST', data: { room: 'Attic', extension: 214 } })
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Desks', exact: true }).waitFor()
  t.equal(await kernel.query('api::desk.desk').count(), 0)
}
