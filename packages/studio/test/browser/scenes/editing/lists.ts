// Lists: their address, order, filters, columns, views, what is done with several entries, and the way back.

import type { Test } from 'tap'
import { articleCount } from '../../fixtures/content.ts'
import { type Stage, untilCount } from '../../fixtures/stage.ts'

export default async function play(t: Test, { open }: Stage): Promise<void> {
  const { page, go, check } = await open()
  const rows = page.getByRole('row')
  await go('/content/articles?locale=en')
  await check(t, 'list')
  t.equal(await rows.count(), 26, 'a page has 25 entries, and a head')

  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByRole('button', { name: 'Page 2' }).and(page.locator('[aria-current]')).waitFor()
  t.match(page.url(), /page=2/)
  await untilCount(rows, articleCount - 25 + 1)

  await page.getByRole('columnheader', { name: 'Title' }).click()
  await page.waitForURL(/sort=title%3Aasc/)
  await page.getByRole('row', { name: /Bakery 17/ }).waitFor()
  t.notMatch(page.url(), /page=/, 'another order begins with the first page')

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Attribute/ })
    .click()
  await page.getByRole('option', { name: 'Kind' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /Value/ }).click()
  await page.getByRole('option', { name: 'essay' }).click()
  await check(t, 'list-filter')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('list', { name: 'Filters' }).getByText('Kind is essay').waitFor()
  await untilCount(rows, articleCount / 2 + 1)
  await check(t, 'list-filtered')

  await page.getByRole('searchbox').fill('Lantern')
  await page.waitForURL(/q=Lantern/)
  await untilCount(rows, 4)

  await page.getByRole('row', { name: /Lantern 16/ }).click()
  await page.getByRole('heading', { name: 'Lantern 16' }).waitFor()
  await page.getByRole('link', { name: 'Back to Articles' }).click()
  await page
    .getByRole('row', { name: /Lantern 16/ })
    .and(page.locator('[data-visited=true]'))
    .waitFor()
  t.match(page.url(), /q=Lantern/, 'the list is as it was left, at the row that was opened')

  await page.getByRole('searchbox').fill('nothing like this')
  await page.getByRole('heading', { name: 'No entry matches' }).waitFor()
  await check(t, 'list-none')
  await page.getByRole('button', { name: 'Show all entries' }).click()
  await rows.nth(20).waitFor()
}
