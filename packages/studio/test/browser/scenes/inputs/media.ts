// The media library and the inputs of files: uploads, folders, details, and files in entries.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@plinth/test-tools/chromium'
import { temporary } from '@plinth/test-tools/fixtures'
import type { Test } from 'tap'
import { picture } from '../../fixtures/picture.ts'
import { type Stage, untilCount } from '../../fixtures/stage.ts'

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const { kernel } = server.app
  const files = () => kernel.query('plugin::upload.file').findMany({ sort: 'id', populate: { folder: true } })
  const { page, go, check } = await open({ expects: [/status of 400/] })
  await go('/media')
  await page.getByText('There are no files here').waitFor()
  await check(t, 'media-empty')

  await page.getByRole('button', { name: 'New folder' }).click()
  await page.getByLabel('Name of the folder').fill('<b>Pictures</b> 1')
  await check(t, 'media-new-folder')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').or(page.getByText('name cannot contain slashes')).first().waitFor()
  await page.getByLabel('Name of the folder').fill('<b>Pictures')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '<b>Pictures Empty' }).click()
  await page.waitForURL(/folder=1$/)

  // Held back, so that the uploads are seen.
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/api/upload', async route => {
    await held
    await route.continue().catch(() => {})
  })
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await (await chooser).setFiles([
    { name: 'first & last.png', mimeType: 'image/png', buffer: picture(0xd0, 0x90, 0x60) },
    { name: 'stopped.png', mimeType: 'image/png', buffer: picture(0, 0, 0) },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('text') },
  ])
  await page.getByRole('button', { name: 'Stop notes.txt' }).waitFor()
  await check(t, 'media-uploading')
  await page.getByRole('button', { name: 'Stop stopped.png' }).click()
  release()
  await page.getByRole('alert').waitFor()
  await page.getByRole('row', { name: 'first & last.png' }).waitFor()
  await check(t, 'media-upload-refused')
  await page.getByRole('button', { name: 'Dismiss notes.txt' }).click()
  await page.unroute('**/api/upload')
  t.match(await files(), [{ name: 'first & last.png', folder: { id: 1 } }], 'the stopped one is not stored')

  const second = join(await temporary(t), 'second.png')
  await writeFile(second, picture(0x30, 0x60, 0xa0))
  await drop(page, second)
  await page.getByRole('row', { name: 'second.png' }).waitFor()

  await page.getByRole('row', { name: 'second.png' }).click()
  await page.getByRole('dialog', { name: 'second.png' }).waitFor()
  await page.getByText('No entry that you may see uses it.').waitFor()
  await check(t, 'media-details')
  await page.getByLabel('Alternative text').fill('A blue place')
  await page.getByLabel('File name').fill('<b>blue.png')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog', { name: '<b>blue.png' }).waitFor()
  const replacing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Replace the file' }).click()
  await (await replacing).setFiles({ name: 'new.png', mimeType: 'image/png', buffer: picture(0x20, 0x50, 0x40, 40) })
  await page.getByText('The file is replaced').waitFor()
  await page
    .getByText(/40 × 40/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('button', { name: /To the folder/ }).click()
  await page.getByRole('option', { name: 'Media' }).click()
  await check(t, 'media-move')
  await page.getByRole('dialog', { name: 'Move this' }).getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('Moved', { exact: true }).waitFor()
  t.match((await files())[1], { name: '<b>blue.png', alternativeText: 'A blue place', width: 40, folder: null })
  await page.getByRole('button', { name: 'Close' }).click()
  await untilCount(page.getByRole('row'), 1)

  // In an entry: chosen from the library, uploaded into it, arranged by buttons.
  const sent: unknown[] = []
  page.on('request', request => {
    if (request.method() === 'PUT') sent.push(request.postDataJSON()?.data)
  })
  await go('/content/articles/2')
  await page
    .locator('[data-field=cover]')
    .getByRole('button', { name: /Choose or upload/ })
    .click()
  await page.getByRole('row', { name: '<b>blue.png' }).click()
  await check(t, 'media-picker')
  await page.getByRole('button', { name: 'Choose', exact: true }).click()
  await page.getByLabel('Alternative text').fill('A blue harbour')
  await page.keyboard.press('Enter')
  await page.getByText('Saved for all places').waitFor()
  await page
    .locator('[data-field=gallery]')
    .getByRole('button', { name: /Choose or upload/ })
    .click()
  await page.getByRole('row', { name: '<b>blue.png' }).click()
  const uploading = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await (await uploading).setFiles({ name: 'third.png', mimeType: 'image/png', buffer: picture(0xb0, 0xb0, 0x50) })
  await page.getByRole('button', { name: 'Choose 2 files' }).click()
  await page.getByRole('button', { name: 'Move third.png up' }).click()
  await check(t, 'media-inputs')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  t.same(sent, [{ cover: 2, gallery: [3, 2] }], 'ids alone are sent, in their order')

  await go('/media?file=2')
  await page.getByRole('link', { name: 'Northwind 2' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('link', { name: 'Northwind 2' }).waitFor()
  await check(t, 'media-delete-used')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('The file is deleted').waitFor()

  await page.getByRole('button', { name: 'List' }).click()
  await page.getByRole('row', { name: '<b>blue.png' }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'third.png' }).getByRole('checkbox').click({ force: true })
  await page.getByText('1 chosen').waitFor()
  await check(t, 'media-list-chosen')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.getByRole('button', { name: 'Grid' }).click()
  await page.getByRole('button', { name: 'Actions of <b>Pictures' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete everything' }).click()
  await page.getByText('The folder is deleted').waitFor()
  t.match(await files(), [{ name: 'third.png' }])

  // Authors upload, but have no right to folders and deletions.
  const author = await open({ as: 'author', language: 'de-DE', width: 390, isDark: true })
  await author.go('/media')
  await author.page.getByRole('row', { name: 'third.png' }).waitFor()
  t.equal(await author.page.getByRole('button', { name: 'Neuer Ordner' }).count(), 0)
  await author.check(t, 'media-author-german-dark-phone')
  await author.page.getByRole('row', { name: 'third.png' }).click()
  await author.page.getByRole('dialog').waitFor()
  t.equal(await author.page.getByRole('button', { name: 'Löschen' }).count(), 0)
  await author.check(t, 'media-author-details')
}

/** Lets go of a file over the middle of the page, as somebody who drags it from a folder does. */
async function drop(page: Page, path: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: 700, y: 600, data })
}
