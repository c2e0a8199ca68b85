// What editors and readers have stored is shown as text, and what the server answers is never run.

import type { Test } from 'tap'
import type { Stage } from '../../fixtures/stage.ts'

const script = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const query = (name: string) => server.app.kernel.query(`api::${name}.${name}`)
  const made = await query('issue').create({
    data: { number: 90, title: script, month: '2026-05-01', colophon: { text: script, '</script>': script } },
  })
  const author = await query('author').create({ data: { name: script, slug: 'attack', bio: null } })
  t.teardown(() => query('author').delete(author!.id as number))
  t.teardown(() => query('issue').delete(made!.id as number))
  const { page, go, check } = await open()
  for (const path of ['/content/issues', `/content/issues/${made!.id}`, '/content/authors', '/']) {
    await go(path)
    await page.getByText(script).or(page.locator(`input[name=title]`)).first().waitFor()
    t.not(await page.title(), 'run', path)
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.type('onerror')
  await page.getByRole('option').first().waitFor()
  await check(t, 'attack-search')
  t.equal(await page.locator('img[src=x]').count(), 0, 'nothing of it became an element')
}
