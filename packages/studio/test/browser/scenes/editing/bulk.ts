// What is done with several entries of a list, and the export of its entries.

import { readFile } from 'node:fs/promises'
import type { Test } from 'tap'
import type { Stage } from '../../fixtures/stage.ts'

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const { kernel } = server.app
  const tags = kernel.query('api::tag.tag')
  const made = await Promise.all(
    ['=1+1', 'removed one', 'removed two'].map((name, index) => tags.create({ data: { name, slug: `bulk-${index}` } })),
  )
  t.teardown(() => tags.delete(made[0]!.id as number))
  const { page, go, check } = await open()
  await go('/content/tags?q=removed')
  for (const box of await page
    .getByRole('row', { name: /removed/ })
    .getByRole('checkbox')
    .all())
    await box.click({ force: true })
  await page.getByText('2 chosen').waitFor()
  await tags.update(made[2]!.id as number, { data: { slug: 'bulk-changed' } })
  await check(t, 'list-chosen')
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').waitFor()
  await check(t, 'bulk-question')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('It has been changed since.').waitFor()
  await check(t, 'bulk-refused')
  const removed = { filters: { name: { $contains: 'removed' } } }
  t.match(await tags.findMany(removed), [{ name: 'removed two' }], 'what has changed since stays')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('1 entry deleted').waitFor()
  t.same(await tags.findMany(removed), [])

  await go('/content/tags?sort=name:asc')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  const csv = await readFile(await download.path(), 'utf8')
  t.match(csv, /"?'=1\+1/, 'a cell that begins like a formula is text')
  t.equal(csv.trim().split('\r\n').length, 14, 'all entries, and a head')
}
