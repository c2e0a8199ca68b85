// An editor's day, on SQLite and on PostgreSQL: each role logs in, an article with every kind of field becomes public in two
// languages, its zone is rearranged, a conflict is decided, a session ends, and a list of ten thousand entries is opened.

import { type Client, databases } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { passwordOf } from './fixtures/content.ts'
import { picture } from './fixtures/picture.ts'
import { openStage, type PanelPage, type Stage } from './fixtures/stage.ts'

/** What the parts of the day hand on. */
interface Day {
  readonly stage: Stage
  /** The page of the editor. */
  readonly ann: PanelPage
  /** The path of the article in English. */
  path: string
}

/** Notes when the first row of a list is there. */
const watchRows = `(() => {
  const look = () => {
    if (document.querySelector('[role=rowheader]') === null) return requestAnimationFrame(look)
    window.firstRowAt = performance.now()
  }
  requestAnimationFrame(look)
})()`

/** Milliseconds between the answer with the list and its first row. */
const drawing = `firstRowAt - performance.getEntriesByType('resource').findLast(one => one.name.includes('/api/tags?')).responseEnd`

/** Milliseconds in which the browser lays out 25 rows of text a hundred times: about as much work as the list is. */
const layouts = `(() => {
  const box = document.body.appendChild(document.createElement('div'))
  const began = performance.now()
  for (let count = 0; count < 100; count++) {
    box.replaceChildren(...Array.from({ length: 25 }, (_, row) => Object.assign(document.createElement('p'), { textContent: row })))
    box.getBoundingClientRect()
  }
  box.remove()
  return performance.now() - began
})()`

/** Milliseconds until the first row of a list must be there, */
const mostForRow = 1000
/** or so many times as long as `layouts`, if the machine takes long for everything. */
const mostWork = 5

/** In their order. */
const parts: Readonly<Record<string, (t: Test, day: Day) => Promise<void>>> = {
  'each role sees what it may do': logInAsEachRole,
  'an article is written': writeArticle,
  'it is translated and published': translateArticle,
  'its zone is rearranged': rearrangeZone,
  'two editors disagree': decideConflict,
  'a role is refused a field': refuseField,
  'a session ends': endSession,
  'ten thousand entries are listed': listMany,
}

for (const client of await databases()) {
  // The panel asks the API alone: what the servers do differently is tested below it.
  if (client === 'mysql') continue
  await t.test(`an editor's day (${client})`, t => live(t, client))
}

async function live(t: Test, client: Client): Promise<void> {
  const stage = await openStage(t, { client })
  const ann = await stage.open({ as: null, width: 1440, expects: [/status of 4(?:00|01|12)/] })
  const day: Day = { stage, ann, path: '' }
  for (const [name, play] of Object.entries(parts)) {
    await t.test(name, t => play(t, day))
    // Each part needs what those before it have made.
    if (!t.passing()) break
  }
  await stage.close(t)
}

async function logIn({ page }: PanelPage, name: string): Promise<void> {
  await page.getByLabel('Email or username').fill(name)
  await page.getByLabel(/^Password/).fill(passwordOf(name))
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

async function logOut({ page }: PanelPage, name: string): Promise<void> {
  await page.getByRole('button', { name: `Menu of ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('Email or username').waitFor()
}

async function logInAsEachRole(t: Test, { ann }: Day): Promise<void> {
  const { page, go } = ann
  const entries = page.getByRole('navigation', { name: 'Navigation' }).getByRole('link')
  await go('/')
  const seen: Record<string, readonly string[]> = {}
  for (const name of ['administrator', 'author', 'editor']) {
    await logIn(ann, name)
    await page.getByRole('heading', { name: new RegExp(name) }).waitFor()
    seen[name] = (await entries.allInnerTexts()).map(text => text.trim())
    if (name !== 'editor') await logOut(ann, name)
  }
  const places = Object.entries(seen).map(([name, links]) => [name, links.filter(one => /^(Media|Users)$/.test(one))])
  t.same(places, [
    ['administrator', ['Media', 'Users']],
    ['author', ['Media']],
    ['editor', ['Media']],
  ])
}

/** Chooses an entry in the search of a relation. */
async function link({ page }: PanelPage, button: string, name: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.keyboard.type(name)
  await page.getByRole('option', { name, exact: true }).click()
  await page.getByRole('row', { name, exact: true }).waitFor()
  await page.keyboard.press('Escape')
}

async function upload({ page }: PanelPage, field: string, names: readonly string[]): Promise<void> {
  await page
    .locator(`[data-field="${field}"]`)
    .getByRole('button', { name: /Choose or upload/ })
    .click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  const files = names.map((name, index) => ({ name, mimeType: 'image/png', buffer: picture(200, 40 * index, 90) }))
  await (await chooser).setFiles(files)
  const choose = names.length === 1 ? 'Choose' : `Choose ${names.length} files`
  await page.getByRole('button', { name: choose, exact: true }).click()
}

async function addComponent({ page }: PanelPage, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a component' }).last().click()
  await page.getByRole('option', { name, exact: true }).click()
}

async function writeArticle(t: Test, { ann, stage }: Day): Promise<void> {
  const { page } = ann
  await page.getByRole('link', { name: /^Articles/ }).click()
  await page.getByRole('link', { name: /^New/ }).click()
  await page.getByRole('textbox', { name: /^Title/ }).fill('The lock')
  await page.locator('input[name=slug][value=the-lock]').waitFor()
  await page.getByRole('button', { name: /Kind/ }).click()
  await page.getByRole('option', { name: 'profile' }).click()
  await page.getByRole('textbox', { name: /^Standfirst/ }).fill('Who opens it at night.')
  await page.getByRole('textbox', { name: 'Body' }).click()
  await page.keyboard.type('Water *rises*.')
  await page.getByRole('textbox', { name: /^Reading minutes/ }).fill('7')
  await page.getByRole('spinbutton', { name: 'day, Published on' }).click()
  await page.keyboard.type('24122026')
  await page.getByRole('radiogroup', { name: 'Featured' }).getByText('Yes').click()
  await page.getByRole('textbox', { name: 'Editors note' }).fill('Ask the keeper')
  await upload(ann, 'cover', ['lock.png'])
  await upload(ann, 'gallery', ['gate.png', 'keeper.png'])
  await link(ann, 'Search Authors: Author', 'Author 2')
  await link(ann, 'Search Tags: Tags', 'tag 5')
  await link(ann, 'Search Issues: Issue', 'Issue 1')
  await page.getByRole('button', { name: 'Add Search and sharing' }).click()
  await page.locator('[data-field="seo.metaTitle"] input').fill('The lock, at night')
  await page.locator('[data-field=sources]').getByRole('button', { name: 'Add Link' }).click()
  await page.locator('[data-field="sources.0.label"] input').fill('Archive')
  await page.locator('[data-field="sources.0.url"] input').fill('https://example.com/archive')
  await addComponent(ann, 'Pull quote')
  await page.keyboard.type('It never stands still.')
  await addComponent(ann, 'Callout')
  await page.locator('[data-field="blocks.1.heading"] input').fill('Opening hours')
  await page.locator('[data-field="blocks.1.text"]').getByRole('textbox').click()
  await page.keyboard.type('From six to ten.')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/articles\/\d+$/)
  await page.getByRole('link', { name: 'Add German (de)' }).waitFor()
  await ann.check(t, 'day-written')

  const populate = { cover: true, gallery: true, author: true, tags: true, issue: true, seo: true, sources: true }
  const [stored] = await stage.server.app.kernel.query('api::article.article').findMany({
    filters: { slug: 'the-lock' },
    publicationState: 'preview',
    populate: { ...populate, blocks: { populate: '*' } },
  } as never)
  t.match(stored, {
    ...{ title: 'The lock', kind: 'profile', standfirst: 'Who opens it at night.', body: 'Water *rises*.' },
    // The application counts the minutes itself.
    ...{ readingMinutes: 1, publishedOn: '2026-12-24', featured: true, editorsNote: 'Ask the keeper' },
    cover: { name: 'lock.png' },
    gallery: [{ name: 'gate.png' }, { name: 'keeper.png' }],
    author: { name: 'Author 2' },
    tags: [{ name: 'tag 5' }],
    issue: { title: 'Issue 1' },
    seo: { metaTitle: 'The lock, at night' },
    sources: [{ label: 'Archive', url: 'https://example.com/archive' }],
    blocks: [
      { __component: 'shared.quote', text: 'It never stands still.' },
      { __component: 'shared.callout', heading: 'Opening hours', text: 'From six to ten.' },
    ],
    publishedAt: null,
  })
}

async function translateArticle(t: Test, day: Day): Promise<void> {
  const { page } = day.ann
  day.path = new URL(page.url()).pathname.replace('/studio', '')
  await page.getByRole('link', { name: 'Add German (de)' }).click()
  await page.getByText('This is a translation of the entry in en').waitFor()
  await page.getByRole('textbox', { name: /^Title/ }).fill('Die Schleuse')
  await page.locator('input[name=slug][value=die-schleuse]').waitFor()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(url => /articles\/\d+$/.test(url.pathname) && !url.pathname.endsWith(day.path))
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Unpublish' }).waitFor()
  await day.ann.go(day.path)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Unpublish' }).waitFor()
  const { app } = day.stage.server
  const url = '/api/articles?filters[slug][$in][0]=the-lock&filters[slug][$in][1]=die-schleuse&locale=all&sort=locale'
  const { data } = (await app.inject({ url: `${url}&fields=title&populate[cover][fields]=name` })).json()
  t.match(
    data.map((one: { attributes: object }) => one.attributes),
    [
      { title: 'Die Schleuse', cover: { data: { attributes: { name: 'lock.png' } } } },
      { title: 'The lock', cover: { data: { attributes: { name: 'lock.png' } } } },
    ],
    'everybody reads both, with the picture that they share',
  )
}

async function save({ page }: PanelPage): Promise<void> {
  await page.keyboard.press('Control+s')
  await page.getByText('Everything is saved.').waitFor()
}

async function rearrangeZone(t: Test, { ann, stage }: Day): Promise<void> {
  const { page } = ann
  await page.getByRole('button', { name: 'Move 2 Callout up' }).click()
  await addComponent(ann, 'Recipe')
  await page.locator('[data-field="blocks.2.name"] input').fill('Keeper’s soup')
  await save(ann)
  const [stored] = await stage.server.app.kernel.query('api::article.article').findMany({
    filters: { slug: 'the-lock' },
    populate: { blocks: true },
  })
  t.same(
    (stored!.blocks as readonly { readonly __component: string }[]).map(one => one.__component),
    ['shared.callout', 'shared.quote', 'magazine.recipe'],
  )
}

async function decideConflict(t: Test, { ann, stage, path }: Day): Promise<void> {
  const bob = await stage.open()
  await bob.go(path)
  await bob.page.getByRole('textbox', { name: /^Standfirst/ }).fill('Who opens it at dawn.')
  await save(bob)
  await ann.page.getByRole('textbox', { name: /^Standfirst/ }).fill('Who shuts it at night.')
  await ann.page.keyboard.press('Control+s')
  const view = ann.page.getByRole('region', { name: 'Saved elsewhere since you opened it' })
  await view.waitFor()
  await view.getByText('Who opens it at dawn.').first().waitFor()
  await view.getByRole('radio', { name: 'Keep mine' }).check({ force: true })
  await view.getByRole('button', { name: 'Save this choice' }).click()
  await ann.page.getByText('Everything is saved.').waitFor()
  const articles = stage.server.app.kernel.query('api::article.article')
  const [stored] = await articles.findMany({ filters: { slug: 'the-lock' } })
  t.equal(stored!.standfirst, 'Who shuts it at night.')
}

async function refuseField(t: Test, { stage, path }: Day): Promise<void> {
  const author = await stage.open({ as: 'author' })
  await author.go(path)
  const day = author.page.locator('[data-field=publishedOn]').getByRole('spinbutton').first()
  t.equal(await day.getAttribute('aria-disabled'), 'true', 'what the role may not fill is shown and shut')
  await author.page.getByRole('textbox', { name: /^Standfirst/ }).fill('Who keeps it.')
  await save(author)
  const headers = { authorization: `Bearer ${await stage.server.tokenOf('author')}` }
  const payload = { data: { publishedOn: '2027-01-01' } }
  const url = `/api/articles/${path.split('/').at(-1)}`
  const reply = await stage.server.app.inject({ method: 'PUT', url, headers, payload })
  t.equal(reply.statusCode, 403, 'and the server refuses it')
}

async function endSession(t: Test, { ann, stage }: Day): Promise<void> {
  const { page, go } = ann
  await go('/content/tags/1')
  await page.getByRole('textbox', { name: /^Name/ }).fill('night')
  await page.evaluate('sessionStorage.setItem("plinth-studio.token", "ended")')
  await page.route('**/api/tags/1*', route =>
    route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer ended' } }),
  )
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('alertdialog', { name: 'Log in again' })
  await dialog.getByLabel(/^Password/).fill(passwordOf('editor'))
  await page.unroute('**/api/tags/1*')
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await save(ann)
  t.match(await stage.server.app.kernel.query('api::tag.tag').findOne(1), { name: 'night' })
}

async function listMany(t: Test, { ann, stage }: Day): Promise<void> {
  const { kernel } = stage.server.app
  const missing = 10_000 - (await kernel.query('api::tag.tag').count({}))
  const names = Array.from({ length: missing }, (_, index) => ({ name: `word ${index}`, slug: `word-${index}` }))
  await kernel.knex.batchInsert('tags', names, 400)
  const { page, go } = ann
  await page.addInitScript(watchRows)
  const times: string[] = []
  let isInTime = false
  // Usually a tenth of the limit. Other processes of the machine can only add to it: the best of three counts.
  while (times.length < 3 && !isInTime) {
    await go('/content/tags')
    await page.getByText('10,000').first().waitFor()
    const took = Number(await page.evaluate(drawing))
    const work = Number(await page.evaluate(layouts))
    times.push(`${Math.round(took)} (${Math.round(work)})`)
    isInTime = took < Math.max(mostForRow, work * mostWork)
  }
  await ann.check(t, 'day-list')
  t.ok(isInTime, `the first row is there ${times.join(', ')} ms after the answer`)
}
