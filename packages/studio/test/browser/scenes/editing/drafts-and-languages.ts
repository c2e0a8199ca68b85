// Drafts and languages: what a save leaves published, linked drafts, translations, and what a role may not decide.

import type { Test } from 'tap'
import type { Stage } from '../../fixtures/stage.ts'

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const { page, go, check } = await open()
  const sent: { readonly path: string; readonly data: Readonly<Record<string, unknown>> }[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (/^\/api\/articles/.test(pathname) && request.method() !== 'GET') {
      const body = request.postDataJSON()
      sent.push({ path: `${request.method()} ${pathname}`, data: body?.data ?? body })
    }
  })

  await go('/content/articles/5')
  await page.getByRole('textbox', { name: /^Standfirst/ }).fill('Changed')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  t.same(sent.at(-1), { path: 'PUT /api/articles/5', data: { standfirst: 'Changed' } }, 'a draft stays one')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Save and update what is live' }).waitFor()
  t.same(Object.keys(sent.at(-1)!.data), ['publishedAt'])
  await check(t, 'entry-live')
  await page.getByRole('button', { name: 'Unpublish' }).click()
  await page.getByRole('button', { name: 'Save draft' }).waitFor()
  t.same(sent.at(-1)!.data, { publishedAt: null })

  await page.getByRole('link', { name: 'Add French (fr)' }).click()
  await page.getByText('This is a translation of the entry in en').waitFor()
  t.equal(
    await page.getByRole('textbox', { name: /^Title/ }).inputValue(),
    'Orchard 5',
    'begins with the text of the other language',
  )
  await check(t, 'translation-new')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Verger 5')
  // The uid follows its target.
  await page.locator('input[name=slug][value=verger-5]').waitFor()
  await page.getByText('This is free.').waitFor()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/articles\/\d+$/)
  t.match(sent.at(-1), { path: 'POST /api/articles/5/localizations', data: { locale: 'fr', title: 'Verger 5' } })
  const url = '/api/articles?locale=fr&publicationState=preview&filters[slug]=verger-5'
  const headers = { authorization: `Bearer ${await server.tokenOf('editor')}` }
  const stored = (await server.app.inject({ url, headers })).json()
  t.match(stored.data, [{ attributes: { locale: 'fr', publishedAt: null } }])
  await page.getByRole('button', { name: /Show beside the form/ }).click()
  await page.getByRole('option', { name: 'English (en)' }).click()
  await page.getByRole('blockquote').first().waitFor()
  await check(t, 'translation-beside')

  await go('/content/articles/1')
  await page.getByRole('link', { name: 'Duplicate' }).click()
  await page.getByText('Not copied: Slug').waitFor()
  await page.getByRole('link', { name: 'Back to Articles' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()

  const author = await open({ as: 'author' })
  await author.go('/content/articles/1')
  t.equal(
    await author.page.getByRole('button', { name: /^(?:Un)?publish$/i }).count(),
    0,
    'a role that may not publish sees no button',
  )
  t.equal(
    await author.page.locator('[data-field=publishedOn]').getByRole('spinbutton').first().getAttribute('aria-disabled'),
    'true',
    'what it may not fill is shown and shut',
  )
  await author.check(t, 'entry-author')
  await author.go('/content/articles/new')
  await author.page.getByRole('button', { name: 'Save draft' }).waitFor()
  t.equal(await author.page.getByRole('button', { name: /publish$/i }).count(), 0, 'a new entry begins as a draft')
  await author.check(t, 'entry-author-draft')

  // Of a server whose new entries are published, as those of v4 are.
  await author.page.route('**/studio/content/articles/new', async route => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('"beginsAsDraft":true', '"beginsAsDraft":false')
    await route.fulfill({ response: answer, body })
  })
  await author.go('/content/articles/new')
  await author.page.getByRole('button', { name: 'Save and publish' }).waitFor()
  await author.page.getByText('Your role may not keep drafts of its own').waitFor()
  await author.check(t, 'entry-author-new')
}
