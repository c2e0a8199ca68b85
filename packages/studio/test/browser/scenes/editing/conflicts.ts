// Two editors on one entry: nothing is overwritten unseen, and each field is decided by the user.

import type { Test } from 'tap'
import type { PanelPage, Stage } from '../../fixtures/stage.ts'

/** Notes the writes that a page sends. */
function writesOf({ page }: PanelPage) {
  const writes: { readonly method: string; readonly match: string | undefined; readonly data: unknown }[] = []
  page.on('request', request => {
    if (!request.url().includes('/api/articles') || request.method() === 'GET') return
    const match = request.headers()['if-match']
    writes.push({ method: request.method(), match, data: request.postDataJSON()?.data })
  })
  return writes
}

export default async function play(t: Test, { server, open }: Stage): Promise<void> {
  const articles = server.app.kernel.query('api::article.article')
  const { id } = (await articles.create({
    data: {
      title: 'The harbour',
      slug: 'conflict',
      kind: 'report',
      standfirst: 'What happened at night, and why nobody saw it.',
      body: 'Text',
      locale: 'en',
      sources: [
        { label: 'First', url: 'https://example.com/1' },
        { label: 'Second', url: 'https://example.com/2' },
      ],
      publishedAt: null,
    },
  }))!
  const path = `/content/articles/${id}`
  const preview = { publicationState: 'preview' } as const
  const ann = await open({ expects: [/status of 4(?:12|04)/] })
  const bob = await open({ language: 'de-DE', expects: [/status of 412/] })
  const sent = writesOf(ann)
  const title = (one: PanelPage, name = /^Title/) => one.page.getByRole('textbox', { name })
  const standfirst = (one: PanelPage) => one.page.getByRole('textbox', { name: /^Standfirst/ })
  await Promise.all([ann.go(path), bob.go(path)])

  await title(bob).fill('The old harbour')
  await standfirst(bob).fill('What happened at noon, and why nobody saw it.')
  await bob.page.keyboard.press('Control+s')
  await bob.page.getByText('Gespeichert', { exact: true }).waitFor()

  await title(ann).fill('The new harbour')
  await standfirst(ann).fill('What happened at dawn, and why nobody saw it.')
  await ann.page.getByRole('textbox', { name: /^Editors note/ }).fill('Ask Bob')
  await ann.page.getByRole('button', { name: 'Save and publish' }).click()
  const view = ann.page.getByRole('region', { name: 'Saved elsewhere since you opened it' })
  await view.waitFor()
  t.equal(await ann.page.evaluate('document.activeElement.id'), 'conflict-title', 'the keys are at its beginning')
  await ann.check(t, 'conflict')
  await ann.page.emulateMedia({ colorScheme: 'dark' })
  await ann.check(t, 'conflict-dark')
  await ann.page.emulateMedia({ colorScheme: 'light' })
  t.equal(
    await view.getByRole('button', { name: /^Save this choice/ }).isDisabled(),
    true,
    'nothing is chosen for the user',
  )

  await view.getByRole('button', { name: 'Back to the form' }).click()
  t.equal(await title(ann).inputValue(), 'The new harbour')
  await title(ann).fill('The newest harbour')
  const before = sent.length
  for (const name of [/^Save draft/, /publish$/i, 'Delete'])
    t.equal(await ann.page.getByRole('button', { name }).isDisabled(), true, `${name} is shut while a conflict is open`)
  await ann.check(t, 'conflict-form')
  await ann.page.keyboard.press('Control+s')
  await view.waitFor()
  t.equal(sent.length, before, 'nothing was sent')

  await view.getByRole('radiogroup', { name: 'Title' }).getByRole('radio', { name: 'Keep mine' }).check({ force: true })
  await view
    .getByRole('radiogroup', { name: 'Standfirst' })
    .getByRole('radio', { name: 'Take theirs' })
    .check({ force: true })
  await ann.check(t, 'conflict-decided')
  await view.getByRole('button', { name: 'Save this choice' }).click()
  await ann.page.getByText('Saved', { exact: true }).waitFor()
  t.same(sent.at(-1)?.data, { title: 'The newest harbour', editorsNote: 'Ask Bob' }, 'what was kept is sent')
  const [merged] = await articles.findMany({ ...preview, filters: { id } })
  t.match(merged, {
    title: 'The newest harbour',
    standfirst: 'What happened at noon, and why nobody saw it.',
    editorsNote: 'Ask Bob',
    publishedAt: null,
  })
  t.equal(await standfirst(ann).inputValue(), 'What happened at noon, and why nobody saw it.')
  t.ok(
    sent.every(({ match }) => match !== undefined),
    'every write names a version',
  )

  await bob.page.setViewportSize({ width: 390, height: 844 })
  await title(bob, /^Title/).fill('The last harbour')
  await bob.page.keyboard.press('Control+s')
  await bob.page.getByRole('region', { name: 'Inzwischen anderswo gespeichert' }).waitFor()
  await bob.check(t, 'conflict-phone-german')
  t.ok(Number(await bob.page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, 'fits a telephone')
  await bob.page.getByRole('radio', { name: 'Das andere übernehmen' }).check({ force: true })
  await bob.page.getByRole('button', { name: 'Mit dem anderen weiter' }).click()
  await bob.page.getByText('Das Formular zeigt den jetzigen Stand').waitFor()
  t.equal(await title(bob).inputValue(), 'The newest harbour', 'theirs is in the form')
  await bob.page.getByRole('button', { name: 'Veröffentlichen', exact: true }).click()
  await bob.page.getByRole('button', { name: 'Zurückziehen' }).waitFor()

  await ann.page.getByRole('button', { name: 'Delete' }).click()
  await ann.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await ann.page.getByText('It was not deleted.').waitFor()
  await ann.check(t, 'conflict-delete')
  await ann.page.getByRole('button', { name: 'Show what is stored now' }).click()
  const unpublish = ann.page.getByRole('button', { name: 'Unpublish' })
  await unpublish.waitFor()
  await articles.update(id as number, { data: { kind: 'report' } })
  const early = sent.length
  await unpublish.click()
  await ann.page.getByRole('button', { name: 'Save draft' }).waitFor()
  t.equal(sent.length, early + 2, 'what changes nothing that the form shows is no question')

  await articles.delete(id as number)
  await title(ann).fill('The harbour, once more')
  await ann.page.keyboard.press('Control+s')
  await ann.page.getByRole('region', { name: 'Deleted elsewhere since you opened it' }).waitFor()
  await ann.check(t, 'conflict-deleted')
  await ann.page.getByRole('button', { name: 'Create it again as a new entry' }).click()
  await ann.page.waitForURL(url => /articles\/\d+$/.test(url.pathname) && !url.pathname.endsWith(`/${id}`))
  const [again] = await articles.findMany({ ...preview, filters: { slug: 'conflict' }, populate: { sources: true } })
  t.match(again, {
    title: 'The harbour, once more',
    sources: [{ label: 'First' }, { label: 'Second' }],
    publishedAt: null,
  })
  await articles.delete(again!.id as number)

  const homepages = server.app.kernel.query('api::homepage.homepage')
  await ann.go('/content/homepage?locale=fr')
  const [english] = await homepages.findMany({ filters: { locale: 'en' } })
  const french = await homepages.create({
    data: { greeting: 'Bonjour', locale: 'fr', hero: { heading: 'Ce mois' }, localizations: [english!.id as number] },
  })
  const greeting = ann.page.getByRole('textbox', { name: /^Greeting/ })
  await greeting.fill('Salut')
  await ann.page.keyboard.press('Control+s')
  await ann.page.getByText('Bonjour').waitFor()
  await ann.page.getByRole('radio', { name: 'Keep mine' }).check({ force: true })
  await ann.page.getByRole('button', { name: 'Save this choice' }).click()
  await ann.page.getByText('Everything is saved.').waitFor()
  const saved = await homepages.findOne(french!.id as number, { populate: { hero: true } })
  t.match(saved, { greeting: 'Salut', hero: { heading: 'Ce mois' } }, 'a single type that both have begun is one entry')
  await homepages.delete(french!.id as number)
}
