// Links between entries: found, arranged, made beside the form, and seen from the other side.

import type { Test } from 'tap'
import { type Stage, untilCount } from '../../fixtures/stage.ts'

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const { kernel } = server.app
  const { page, go, check } = await open({ expects: [/status of 400/] })
  const sent: { readonly data: unknown }[] = []
  page.on('request', request => {
    const data = request.method() === 'GET' ? undefined : request.postDataJSON()?.data
    if (data !== undefined) sent.push({ data })
  })
  const save = async () => {
    const stored = page.waitForResponse(answer => answer.request().method() === 'PUT')
    await page.keyboard.press('Control+s')
    await stored
    await page.getByText('Everything is saved.').waitFor()
  }
  const tagsOf = async (id: number) => {
    const article = await kernel.query('api::article.article').findOne(id, { populate: { tags: { fields: ['name'] } } })
    return (article!.tags as readonly { readonly name: string }[]).map(({ name }) => name)
  }

  await go('/content/articles/1')
  const find = async (label: RegExp, text: string) => {
    await page.getByRole('button', { name: label }).click()
    await page.keyboard.type(text)
  }
  const tags = page.locator('[data-field=tags]')
  for (const name of ['tag 1', 'tag 12', 'tag 3']) {
    await find(/Search .*: Tags/, name)
    await page.getByRole('option', { name, exact: true }).waitFor()
    if (name === 'tag 12') await check(t, 'links-offered')
    if (name === 'tag 3') {
      await untilCount(page.getByRole('option'), 1)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    } else await page.getByRole('option', { name, exact: true }).click()
    await tags.getByRole('row', { name, exact: true }).waitFor()
  }
  await find(/Search .*: Tags/, 'tag 3')
  await page.getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await save()
  t.same(
    sent.at(-1)?.data,
    { tags: { connect: [1, 12, 3].map(id => ({ id, position: { end: true } })) } },
    'only what is added is sent',
  )

  await kernel.query('api::article.article').update(1, { data: { tags: { connect: [{ id: 7 }] } } })
  await go('/content/articles/1')
  await page.getByRole('button', { name: 'Move tag 3 up' }).click()
  await page.keyboard.press('Enter')
  t.same(
    await tags.getByRole('row').allTextContents(),
    ['tag 3', 'tag 1', 'tag 12', 'tag 7'],
    'the keys stay on the button',
  )
  await page.getByRole('button', { name: 'Remove tag 12' }).click()
  await save()
  t.same(sent.at(-1)?.data, { tags: { disconnect: [12], connect: [{ id: 3, position: { start: true } }] } })
  t.same(await tagsOf(1), ['tag 3', 'tag 1', 'tag 7'])

  // By keys alone: to the grip, Enter, the arrow, Enter.
  await page.getByRole('button', { name: 'Drag tag 7' }).focus()
  await page.keyboard.press('Enter')
  const target = page.locator('[aria-label^="Insert"]:focus')
  await target.waitFor({ state: 'attached' })
  for (let count = 0; count < 4; count++) {
    if ((await target.getAttribute('aria-label')) === 'Insert between tag 3 and tag 1') break
    await page.keyboard.press('ArrowUp')
  }
  await page.keyboard.press('Enter')
  await tags.getByRole('row').first().waitFor()
  t.same(await tags.getByRole('row').allTextContents(), ['tag 3', 'tag 7', 'tag 1'])
  await save()
  t.same(await tagsOf(1), ['tag 3', 'tag 7', 'tag 1'])

  await tags.getByRole('button', { name: 'New Tag' }).click()
  await page.getByRole('dialog', { name: 'New Tag' }).waitFor()
  await check(t, 'links-new-beside')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Slug' }).fill('harbours')
  await page.keyboard.press('Control+s')
  await page.getByRole('alert').waitFor()
  t.match(
    await page.locator('[role=dialog] [data-field=name]').textContent(),
    /name must be/,
    'a fault is at its field',
  )
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Harbours')
  await page.keyboard.press('Control+s')
  await tags.getByRole('row', { name: 'Harbours' }).waitFor()
  t.equal(await kernel.query('api::tag.tag').count({ filters: { slug: 'harbours' } }), 1)
  await tags.getByRole('button', { name: 'New Tag' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Lost')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog', { name: 'Discard this entry?' }).waitFor()
  await check(t, 'links-discard')
  await page.getByRole('button', { name: 'Discard' }).click()
  await save()
  t.match(sent.at(-1)?.data, { tags: { connect: [{ position: { end: true } }] } })

  await find(/Search .*: Read next/, 'Orchard')
  await page.getByRole('option', { name: 'Orchard 5' }).waitFor()
  t.match(await page.getByRole('option', { name: 'Orchard 5' }).textContent(), /Orchard 5enDraft/, 'drafts are marked')
  t.equal(await page.getByRole('option', { name: 'Hafen' }).count(), 0, 'other languages are not offered')
  await page.getByRole('option', { name: 'Orchard 5' }).click()
  await page.getByRole('button', { name: 'Remove Author 1' }).click()
  await save()
  t.match(sent.at(-1)?.data, { author: null, readNext: { connect: [{ position: { end: true } }] } })

  await go('/content/authors/2')
  await page.getByRole('button', { name: 'Used by' }).click()
  // Other scenes make and delete articles.
  const linking = '/api/articles?filters[author]=2&publicationState=preview&locale=all&pagination[pageSize]=1'
  const headers = { authorization: `Bearer ${await server.tokenOf('editor')}` }
  const { total } = (await server.app.inject({ url: linking, headers })).json().meta.pagination
  await page.getByText(`and ${total - 5} more`).waitFor()
  await check(t, 'links-used-by')

  // A link names its type where it can lead to several.
  await go('/content/dossiers/new')
  await page.getByRole('textbox', { name: 'Title' }).fill('Two of a kind')
  await page.getByRole('textbox', { name: 'Slug' }).fill('two')
  await page.getByRole('button', { name: 'Type of Items' }).click()
  await page.getByRole('option', { name: 'Issue' }).click()
  await find(/Search .*: Items/, '2')
  await page.getByRole('option', { name: 'Issue 2' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/dossiers\/\d+$/)
  t.match(sent.at(-1)?.data, { items: { set: [{ id: 2, __type: 'api::issue.issue' }] } })
  await page.getByRole('row', { name: 'Issue 2' }).waitFor()

  const german = await open({ language: 'de-DE', width: 390, isDark: true })
  await german.go('/content/articles/1')
  await german.page.getByRole('button', { name: 'tag 1 entfernen' }).scrollIntoViewIfNeeded()
  await german.check(t, 'links-german-dark-phone')
}
