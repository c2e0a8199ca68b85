// Blocks: they are edited as they look, each that was not edited stays as it is, and what is pasted brings no script.

import type { Test } from 'tap'
import type { Stage } from '../../fixtures/stage.ts'

const text = (value: string) => ({ type: 'text', text: value })
const paragraph = (...children: unknown[]) => ({ type: 'paragraph', children })
const stored = [
  { type: 'heading', level: 2, children: [text('<script>window.attacked = 1</script>')] },
  paragraph(text('A '), { type: 'link', url: 'javascript:window.attacked=1', children: [text('link')] }, text('.')),
  {
    type: 'list',
    format: 'ordered',
    children: [
      { type: 'list-item', children: [text('one')] },
      { type: 'list', format: 'unordered', indentLevel: 1, children: [{ type: 'list-item', children: [text('two')] }] },
    ],
  },
  { type: 'quote', children: [{ type: 'text', text: 'Said', bold: true }] },
  { type: 'code', language: 'ts', children: [text('let a = 1\r\n')] },
  { type: 'image', image: { url: 'https://images.example/a.png', name: 'far' }, children: [text('')] },
  paragraph(),
  paragraph(text('End')),
]

const table = { type: 'table', rows: [[1, 2]] }

const pasted =
  '<script>window.attacked = 1</script><b style="font-weight:normal"><h2>Pasted</h2><p onclick="window.attacked = 1">' +
  'with <b>bold</b> and ' +
  '<a href="javascript:window.attacked=1">a link</a> <a href="https://a.example">another</a></p>' +
  '<ul><li>one<ol><li>two</li></ol></li></ul><img src="https://images.example/b.png" onerror="window.attacked = 1"></b>'

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const authors = server.app.kernel.query('api::author.author')
  const author = await authors.create({ data: { name: 'Blocks', slug: 'blocks', bio: stored } })
  const id = Number(author!.id)
  const bioOf = async () => (await authors.findMany({ filters: { id } }))[0]!.bio as unknown[]
  const { page, go, check } = await open({ expects: [/status of 400/] })
  const bio = page.locator('[data-field=bio]')
  const editor = bio.getByRole('textbox', { name: 'Bio' })
  const save = async () => {
    const answer = page.waitForResponse(one => one.request().method() === 'PUT')
    await page.keyboard.press('Control+s')
    await answer
    await page.getByText('Everything is saved.').waitFor()
  }

  await go(`/content/authors/${id}`)
  await editor.scrollIntoViewIfNeeded()
  await check(t, 'blocks')
  await page.getByRole('textbox', { name: 'Name' }).fill('Other')
  await save()
  t.equal(JSON.stringify(await bioOf()), JSON.stringify(stored), 'blocks that were not touched stay as they are')

  await editor.getByText('End').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' of it')
  await save()
  t.equal(JSON.stringify((await bioOf()).slice(0, -1)), JSON.stringify(stored.slice(0, -1)))
  t.same((await bioOf()).at(-1), paragraph(text('End of it')))

  await page.keyboard.press('Enter')
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.setData('text/html', ${JSON.stringify(pasted)})
    const init = { inputType: 'insertFromPaste', dataTransfer, bubbles: true, cancelable: true }
    document.activeElement.dispatchEvent(new InputEvent('beforeinput', init))
  })()`)
  await editor.getByText('Pasted').waitFor()
  await save()
  const link = { type: 'link', url: 'https://a.example', children: [text('another')] }
  t.same((await bioOf()).slice(stored.length), [
    { type: 'heading', level: 2, children: [text('Pasted')] },
    paragraph(text('with '), { ...text('bold'), bold: true }, text(' and a link '), link, text('')),
    {
      type: 'list',
      format: 'unordered',
      children: [
        { type: 'list-item', children: [text('one')] },
        { type: 'list', format: 'ordered', indentLevel: 1, children: [{ type: 'list-item', children: [text('two')] }] },
      ],
    },
  ])

  await page.keyboard.press('Control+Shift+K')
  const dialog = page.getByRole('dialog', { name: 'Link' })
  await dialog.getByLabel('Address').fill('javascript:alert(1)')
  await page.keyboard.press('Enter')
  await dialog.getByText('This address cannot be linked').waitFor()
  await check(t, 'blocks-link')
  await dialog.getByLabel('Address').fill('/about')
  await dialog.getByLabel('Text').fill('About')
  await page.keyboard.press('Enter')
  await editor.locator('a[href="/about"]').waitFor()

  await page.keyboard.press('Shift+Tab')
  t.equal(
    await page.evaluate('document.activeElement.closest("[role=toolbar]")?.getAttribute("aria-label")'),
    'Formatting',
  )
  await bio.getByRole('button', { name: 'Kind of block: List' }).click()
  await check(t, 'blocks-kinds')
  await page.getByRole('menuitem', { name: 'Quote' }).click()
  await editor.locator('blockquote', { hasText: 'twoAbout' }).waitFor()
  await save()
  t.equal(await page.evaluate('window.attacked'), undefined)
  t.equal(await editor.locator('script, a[href^=javascript], img').count(), 0)

  await page.route('**/api/authors/*', async route => {
    const response = await route.fetch()
    const json = await response.json()
    if (route.request().method() === 'GET') json.data.attributes.bio = [table, ...stored]
    await route.fulfill({ response, json })
  })
  await go(`/content/authors/${id}`)
  await editor.getByText('This block cannot be edited here').waitFor()
  await editor.getByText('End').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const request = page.waitForRequest(one => one.method() === 'PUT')
  await page.keyboard.press('Control+s')
  const { bio: sent } = (await request).postDataJSON().data
  t.equal(JSON.stringify(sent.slice(0, -1)), JSON.stringify([table, ...stored]), 'a block that nobody knows is kept')
  await bio.getByText('Block node is of invalid type').waitFor()
  t.equal(await page.evaluate('document.activeElement.role'), 'textbox', 'what the server refuses has the focus')
  await check(t, 'blocks-refused')
}
