// Components and zones: added, moved, removed and brought back, by keys, by buttons and by pointer; faults in them; and that
// what was not touched stays as it was.

import type { Page } from '@plinth/test-tools/chromium'
import type { Test } from 'tap'
import { takeRenders, watchRenders } from '../../fixtures/renders.ts'
import type { Stage } from '../../fixtures/stage.ts'

interface Section {
  readonly id: number
  readonly [name: string]: unknown
}

const paragraph = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text }] }]

const sections = [
  { __component: 'sections.text', heading: 'One', body: paragraph('The first.') },
  {
    __component: 'sections.contact',
    heading: 'Two',
    openingHours: { exact: '12345678901234567890', list: [1, null] },
    links: [
      { label: 'Map', url: '/map' },
      { label: 'Door', url: '/door', external: true },
    ],
  },
  { __component: 'shared.quote', text: 'Three' },
  ...Array.from({ length: 3 }, (_, index) => ({ __component: 'shared.callout', heading: `Note ${index}`, text: 'T' })),
]

/** The names in the outline, in their order. */
const namesIn = async (page: Page): Promise<readonly string[]> =>
  (await page.getByRole('grid', { name: 'Outline: Sections' }).getByRole('row').allInnerTexts())
    .slice(0, 4)
    .map(text => text.split('\n')[0]!)

const focusedField = (page: Page) => page.evaluate('document.activeElement.closest("[data-field]")?.dataset.field')

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const { kernel } = server.app
  const data = { title: 'Sections', slug: 'sections', locale: 'en', publishedAt: '2026-01-01T00:00:00.000Z', sections }
  const { id } = (await kernel.query('api::page.page').create({ data }))!
  const stored = async () => {
    const url = `/api/pages/${id}?publicationState=preview&populate[sections][populate]=*`
    const headers = { authorization: `Bearer ${await server.tokenOf('editor')}` }
    const reply = await server.app.inject({ url, headers })
    return reply.json().data.attributes.sections as readonly Section[]
  }
  const before = await stored()

  const { page, go, check } = await open({ width: 1440, expects: [/status of 400/] })
  const sent: Record<string, unknown>[] = []
  page.on('request', request => {
    if (request.method() === 'PUT') sent.push(request.postDataJSON().data)
  })
  const save = async () => {
    const answered = page.waitForResponse(one => one.request().method() === 'PUT')
    await page.keyboard.press('Control+s')
    await answered
  }
  await watchRenders(page)
  await go(`/content/pages/${id}`)
  await page.getByRole('grid').waitFor()

  await page.getByRole('textbox', { name: 'Title' }).fill('Sections again')
  await save()
  t.same(sent, [{ title: 'Sections again' }], 'an untouched zone is not sent')
  t.same(await stored(), before)

  await page.getByRole('button', { name: 'Add a component' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await check(t, 'zone-picker')
  await page.keyboard.type('quote')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.locator('[data-field="sections.6.text"] textarea').waitFor()
  t.equal(await focusedField(page), 'sections.6.text', 'the keys are in the first field of the new component')
  await page.keyboard.type('New')
  await page.getByRole('button', { name: 'More for 7 Pull quote' }).click()
  await page.getByRole('menuitem', { name: 'To the top' }).click()
  t.same(await namesIn(page), ['New', 'One', 'Two', 'Three'])

  const rows = page.getByRole('grid').getByRole('row')
  await rows.nth(0).focus()
  await page.keyboard.press('Alt+ArrowDown')
  t.same(await namesIn(page), ['One', 'New', 'Two', 'Three'], 'Alt and an arrow move a row')
  await rows.nth(0).focus()
  await page.keyboard.press('ArrowRight')
  for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  t.same(await namesIn(page), ['New', 'Two', 'One', 'Three'], 'it is dragged by keys')
  await rows.nth(2).dragTo(rows.nth(0), { targetPosition: { x: 60, y: 4 } })
  t.same(await namesIn(page), ['One', 'New', 'Two', 'Three'], 'it is dragged by the pointer')
  await page.getByRole('button', { name: 'Move 2 Pull quote down' }).click()
  t.same(await namesIn(page), ['One', 'Two', 'New', 'Three'])
  t.match(
    await page.evaluate('document.activeElement.ariaLabel'),
    'Move 3 Pull quote down',
    'the button keeps the keys',
  )

  const card = (index: number) => page.locator(`[data-field="sections.${index}"]`)
  await card(3).locator('[data-action=menu]').click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByText('Pull quote “Three” was removed').waitFor()
  t.same((await namesIn(page)).slice(2), ['New', 'Note 0'])
  await page.keyboard.press('Enter')
  t.same((await namesIn(page)).slice(2), ['New', 'Three'], 'it is brought back, by the button that has the keys')

  await card(1).locator('[data-action=fold]').first().click()
  const links = card(1).getByRole('group', { name: 'Links' })
  await links.getByRole('button', { name: 'Move 2 Link up' }).click()
  await links.getByRole('button', { name: 'Add Link' }).click()
  await page.keyboard.type('Third')
  await check(t, 'zone-unfolded')
  await save()
  await page.getByRole('alert').waitFor()
  t.equal(await focusedField(page), 'sections.1.links.2.url', "the keys are where the server's words are")
  await page.getByRole('button', { name: 'Fold all' }).first().click()
  await card(1).getByText('1 fault').first().waitFor()
  await check(t, 'zone-faults')
  await page.getByRole('alert').getByRole('button').click()
  t.equal(await focusedField(page), 'sections.1.links.2.url', 'the list of faults unfolds what is around the field')
  await page.keyboard.type('/third')
  t.equal(await page.getByText('1 fault').count(), 0)
  await save()
  await page.getByText('Everything is saved.').waitFor()
  t.equal(await focusedField(page), 'sections.1.links.2.url', 'saving leaves the keys where they are')

  const [text, contact, quote] = before
  const after = await stored()
  t.same(after[0], text, 'a component that was moved stays as it was')
  t.match(after[1], { id: contact!.id, openingHours: contact!.openingHours })
  t.match(after[1]!.links, [
    (contact!.links as Section[])[1],
    (contact!.links as Section[])[0],
    { label: 'Third', url: '/third', external: false },
  ])
  t.match(after[2], { __component: 'shared.quote', text: 'New' })
  t.same(after.slice(3), [quote, ...before.slice(3)])

  const field = page.locator('[data-field="sections.1.heading"] input')
  await page.getByRole('button', { name: 'Fold all' }).first().click()
  await page.getByRole('button', { name: 'Unfold all' }).first().click()
  await field.click()
  await takeRenders(page)
  await page.keyboard.type('x')
  t.same(
    await takeRenders(page),
    ['sections.1.heading'],
    'a key renders the field in which it is typed, and no other, no card and no outline',
  )

  const phone = await open({ width: 390, isDark: true, language: 'de-DE' })
  await phone.page.route(new RegExp(`/api/pages/${id}\\b`), async route => {
    const response = await route.fetch()
    const json = await response.json()
    json.data.attributes.sections.unshift({ id: 1, __component: 'gone.banner', text: 'Old' })
    await route.fulfill({ response, json })
  })
  await phone.go(`/content/pages/${id}`)
  await phone.page.getByRole('button', { name: 'Gliederung' }).click()
  await phone.page.getByRole('dialog').waitFor()
  await phone.check(t, 'zone-phone-outline')
  await phone.page.getByRole('button', { name: 'Fertig' }).click()
  await phone.page.getByRole('button', { name: 'Unbekannte Komponente' }).first().click()
  await phone.page.getByText('"text": "Old"').waitFor()
  await phone.page.locator('[data-action=fold]').nth(2).click()
  await phone.check(t, 'zone-phone')
  t.equal(await phone.page.evaluate('document.documentElement.scrollWidth'), 390)
}
