// Markdown: the text is edited itself, so nothing but what was typed changes, and a stored script stays text.

import type { Test } from 'tap'
import type { Stage } from '../../fixtures/stage.ts'

const stored = [
  '# Harbour \r',
  '\r',
  'Trailing blanks  \r',
  '<script>window.attacked = 1</script><img src=x onerror="window.attacked = 1">\r',
  '[link](javascript:window.attacked=1) ![far](https://images.example/a.png)\r',
  '',
].join('\n')

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const articles = server.app.kernel.query('api::article.article')
  const publishedAt = '2026-01-01T00:00:00.000Z'
  const article = await articles.create({
    data: { title: 'Text', slug: 'text', body: stored, locale: 'en', publishedAt },
  })
  const id = Number(article!.id)
  const bodyOf = async () => (await articles.findMany({ filters: { id } }))[0]!.body
  const { page, go, check } = await open()
  const body = page.locator('[data-field=body]')
  const editor = body.getByRole('textbox', { name: 'Body' })
  const save = async () => {
    const answer = page.waitForResponse(one => one.request().method() === 'PUT')
    await page.keyboard.press('Control+s')
    await answer
    await page.getByText('Everything is saved.').waitFor()
  }

  await go(`/content/articles/${id}`)
  await editor.scrollIntoViewIfNeeded()
  await check(t, 'markdown')
  await page.getByRole('textbox', { name: 'Title' }).first().fill('Other')
  await save()
  t.equal(await bodyOf(), stored, 'a text that was not touched stays as it is')

  await body.getByText('Body').first().click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('New words')
  await page.keyboard.press('Control+b')
  await save()
  t.equal(await bodyOf(), `${stored}New **words**`, 'a key that saves takes what was typed just before')

  await page.keyboard.press('Shift+Tab')
  t.equal(
    await page.evaluate('document.activeElement.getAttribute("aria-label")'),
    'Fill the window',
    'Tab is left to the page',
  )
  await body.getByRole('radio', { name: 'Preview' }).click()
  await body.locator('h1', { hasText: 'Harbour' }).waitFor()
  await check(t, 'markdown-preview')
  t.equal(await body.locator('img, script, a[href^=javascript]').count(), 0)
  t.equal(await body.getByRole('link', { name: 'far' }).getAttribute('href'), 'https://images.example/a.png')
  await body.getByRole('button', { name: 'Fill the window' }).click()
  await page.getByRole('dialog', { name: 'Body' }).getByRole('textbox').waitFor()
  await check(t, 'markdown-large')
  await page.keyboard.press('Escape')
  await editor.waitFor({ state: 'detached' })
  t.equal(await page.evaluate('window.attacked'), undefined)
}
