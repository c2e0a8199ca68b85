// What was typed and not saved: it survives a reload, a newer version of the entry and a token that has ended, and nobody
// else sees it.

import type { Page } from '@plinth/test-tools/chromium'
import type { Test } from 'tap'
import { passwordOf } from '../../fixtures/content.ts'
import type { Stage } from '../../fixtures/stage.ts'

/** The names of the kept drafts. */
const keptNames = (page: Page) =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('plinth-studio/studio')
    opening.onerror = reject
    opening.onsuccess = () => {
      const reading = opening.result.transaction('drafts').objectStore('drafts').getAllKeys()
      reading.onsuccess = () => { opening.result.close(); resolve(reading.result) }
    }
  })`) as Promise<readonly string[]>

/** Adds values to the only kept draft, as if they had been typed. */
const addToDraft = (page: Page, base: object, mine: object) =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('plinth-studio/studio')
    opening.onerror = reject
    opening.onsuccess = () => {
      const store = opening.result.transaction('drafts', 'readwrite').objectStore('drafts')
      store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
        const draft = JSON.parse(cursor.value)
        Object.assign(draft.base, ${JSON.stringify(base)})
        Object.assign(draft.mine, ${JSON.stringify(mine)})
        cursor.update(JSON.stringify(draft)).onsuccess = () => { opening.result.close(); resolve() }
      }
    }
  })`)

/** Waits until so many drafts are kept. */
async function untilKept(page: Page, count: number): Promise<void> {
  while ((await keptNames(page)).length !== count) await page.waitForTimeout(50)
}

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const { kernel } = server.app
  const articles = kernel.query('api::article.article')
  const { id } = (await articles.create({
    data: {
      title: 'The ferry',
      slug: 'kept',
      kind: 'report',
      standfirst: 'It came late.',
      body: 'Text',
      locale: 'en',
      publishedAt: '2026-01-01T00:00:00.000Z',
      sources: [
        { label: 'First', url: 'https://example.com/1' },
        { label: 'Second', url: 'https://example.com/2' },
      ],
    },
  }))!
  const path = `/content/articles/${id}`
  const { page, go, check } = await open({ expects: [/status of 4(?:01|04|12)/] })
  page.on('dialog', dialog => void dialog.accept())
  const standfirst = page.getByRole('textbox', { name: /^Standfirst/ })
  const offer = page.getByText(/^You typed something here on/)

  const isSaved = page.getByText('Everything is saved.')
  const isChanged = page.getByText('There are changes that are not saved.')

  await go(path)
  await standfirst.fill('It came early.')
  await untilKept(page, 1)
  await go(path)
  await offer.waitFor()
  await check(t, 'kept-offer')
  t.equal(await standfirst.inputValue(), 'It came late.')
  await page.getByRole('button', { name: 'Put it back' }).click()
  await isChanged.waitFor()
  t.equal(await standfirst.inputValue(), 'It came early.', 'the text is in the form again')
  await page.keyboard.press('Control+s')
  await isSaved.waitFor()
  await untilKept(page, 0)

  await page.getByRole('textbox', { name: /^Title/ }).fill('The old ferry')
  await untilKept(page, 1)
  const stored = await articles.findOne(id as number, { populate: { sources: true } })
  const [first, second] = stored!.sources as readonly { readonly id: number; readonly label: string }[]
  await addToDraft(page, { sources: [first, second] }, { sources: [{ ...second, label: 'Second, mine' }, first] })
  await articles.update(id as number, {
    data: { title: 'The new ferry', sources: [{ id: first!.id }, { label: 'Third', url: 'https://example.com/3' }] },
  })
  await go(path)
  await offer.waitFor()
  await page.getByRole('button', { name: 'Put it back' }).click()
  await page.getByRole('region', { name: 'What you typed, and a newer version' }).waitFor()
  for (const text of ['Changed at 1: Link “Second, mine”', 'Removed: Link “Second”', 'Added at 2: Link “Third”'])
    await page.getByText(text).waitFor()
  await check(t, 'kept-conflict')
  await page.getByRole('button', { name: 'Keep all of mine' }).click()
  await page.getByRole('button', { name: /^Save this choice/ }).click()
  await isSaved.waitFor()
  const kept = await articles.findOne(id as number, { populate: { sources: true } })
  t.match(kept, { title: 'The old ferry', sources: [{ label: 'Second, mine' }, { id: first!.id, label: 'First' }] })
  t.equal((kept!.sources as readonly unknown[]).length, 2)
  await untilKept(page, 0)

  await page.route(`**/api/articles/${id}*`, route =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 401,
          json: {
            data: null,
            error: { status: 401, name: 'UnauthorizedError', message: 'Missing or invalid credentials' },
          },
        })
      : route.continue(),
  )
  await standfirst.fill('It did not come.')
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('alertdialog', { name: 'Log in again' })
  await dialog.waitFor()
  await check(t, 'log-in-again')
  await page.unroute(`**/api/articles/${id}*`)
  await dialog.getByLabel(/^Password/).fill(passwordOf('editor'))
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  t.equal(await standfirst.inputValue(), 'It did not come.', 'the form is as it was')
  await page.keyboard.press('Control+s')
  await isSaved.waitFor()
  t.match(await articles.findOne(id), { standfirst: 'It did not come.' })

  await standfirst.fill('Only for editors')
  await untilKept(page, 1)
  const logInAs = async (name: string) =>
    page.addInitScript(`sessionStorage.setItem('plinth-studio.token', ${JSON.stringify(await server.tokenOf(name))})`)
  await logInAs('author')
  await go(path)
  await page.getByRole('button', { name: 'Menu of author' }).waitFor()
  t.equal(await offer.count(), 0, 'another user sees nothing of it')
  t.equal((await keptNames(page)).length, 1)
  await logInAs('editor')
  await articles.delete(id as number)
  await go(path)
  await page.getByRole('heading', { name: 'This entry does not exist any more' }).waitFor()
  await check(t, 'kept-lost')
  await page.getByRole('button', { name: 'Delete it' }).click()
  await untilKept(page, 0)

  await go('/content/tags/new')
  await page.getByRole('textbox', { name: /^Name/ }).fill('not saved')
  await untilKept(page, 1)
  await page.getByRole('link', { name: 'Back to Tags' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await go('/content/tags/new')
  await offer.waitFor()
  await page.getByRole('button', { name: 'Put it back' }).click()
  await isChanged.waitFor()
  t.equal(await page.getByRole('textbox', { name: /^Name/ }).inputValue(), 'not saved', 'a new entry as well')
  await page.getByRole('button', { name: 'Menu of editor' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByLabel('Email or username').waitFor()
  await untilKept(page, 0)
}
