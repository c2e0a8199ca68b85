// The scenes of the pictures of docs/studio.md: a page of the studio of the example for each, and the actions on it before
// the picture is taken. Knows nothing of files.

import type { Page } from '@plinth/test-tools/chromium'

/** The studio in a browser. */
export interface Studio {
  readonly page: Page
  /** Goes to a path below that of the studio, and waits until the page is complete. */
  go(path: string): Promise<void>
  /** Changes an article as another editor would at the same time. */
  changeElsewhere(id: number, data: Readonly<Record<string, unknown>>): Promise<unknown>
}

/** The picture of a page. */
export interface Scene {
  /** The role of the user; null before the log-in. By default, `editor`. */
  readonly as?: string | null
  readonly isPhone?: boolean
  readonly isDark?: boolean
  readonly language?: string
  readonly show: (studio: Studio) => Promise<void>
}

/** An article with a picture, links and sources, and its ids in other languages. */
const article = 218

const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name }).first()

/** Scrolls a field of the form to the middle of the page. */
const centre = (page: Page, name: string) =>
  page.evaluate(`document.querySelector('[data-field=${name}]').scrollIntoView({ block: 'center' })`)

/** The scenes by the names of their pictures. */
export const scenes: Readonly<Record<string, Scene>> = {
  'log-in': {
    as: null,
    show: ({ go }) => go('/'),
  },
  home: {
    show: ({ go }) => go('/'),
  },
  list: {
    show: ({ go }) => go('/content/articles?locale=en'),
  },
  filter: {
    async show({ page, go }) {
      await go('/content/articles?locale=en')
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: /Attribute/ }).click()
      await option(page, 'Kind').click()
      await dialog.getByRole('button', { name: /Value/ }).click()
      await option(page, 'essay').click()
    },
  },
  chosen: {
    async show({ page, go }) {
      await go('/content/articles?locale=en')
      for (const index of [2, 3, 5]) await page.getByRole('row').nth(index).getByRole('checkbox').check({ force: true })
      await page.getByText('3 chosen').waitFor()
    },
  },
  entry: {
    show: ({ go }) => go(`/content/articles/${article}`),
  },
  markdown: {
    async show({ page, go }) {
      await go(`/content/articles/${article}`)
      await page.getByRole('button', { name: 'Fill the window' }).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  blocks: {
    async show({ page, go }) {
      await go('/content/authors/1')
      await centre(page, 'bio')
    },
  },
  links: {
    async show({ page, go }) {
      await go(`/content/articles/${article}`)
      await centre(page, 'tags')
      await page.getByRole('button', { name: /Search .*: Tags/ }).click()
      await page.keyboard.type('sea')
      await option(page, 'seasons').waitFor()
      // The list of before goes when the answer comes.
      await option(page, 'baking').waitFor({ state: 'detached' })
    },
  },
  media: {
    show: ({ go }) => go('/media'),
  },
  'media-details': {
    async show({ page, go }) {
      await go('/media')
      await page.getByRole('row').first().click()
      await page.getByRole('dialog').getByText('Used in').waitFor()
      await page.waitForTimeout(500)
    },
  },
  'media-in-entry': {
    async show({ page, go }) {
      await go(`/content/articles/${article}`)
      await centre(page, 'cover')
      await page.waitForTimeout(500)
    },
  },
  zone: {
    async show({ page, go }) {
      await go('/content/pages/1')
      await centre(page, 'sections')
    },
  },
  components: {
    async show({ page, go }) {
      await go('/content/pages/1')
      await page.getByRole('button', { name: 'Add a component' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  translation: {
    async show({ page, go }) {
      await go(`/content/articles/${article}`)
      await page.getByRole('link', { name: /French/ }).click()
      await page.waitForURL(url => !url.pathname.endsWith(`/${article}`))
      await page.getByRole('button', { name: /Show beside the form/ }).click()
      await option(page, /^English/).click()
      await page.getByRole('blockquote').first().waitFor()
    },
  },
  conflict: {
    async show({ page, go, changeElsewhere }) {
      await go(`/content/articles/${article}`)
      await changeElsewhere(article, {
        title: 'The new oven at Mirefield',
        standfirst:
          'Every morning but one, Clara Norling lights an oven in Mirefield. We went to taste what comes out.',
      })
      await page.getByRole('textbox', { name: /^Title/ }).fill('The old oven at Mirefield')
      await page
        .getByRole('textbox', { name: /^Standfirst/ })
        .fill(
          'Each morning, Clara Norling lights an oven in Mirefield. We went to see what happens before the door opens.',
        )
      await page.keyboard.press('Control+s')
      await page.getByRole('region', { name: 'Saved elsewhere since you opened it' }).waitFor()
    },
  },
  kept: {
    async show({ page, go }) {
      await go('/content/articles/210')
      await page.getByRole('textbox', { name: /^Standfirst/ }).fill('What was typed before the lights went out.')
      await page.waitForTimeout(1500)
      await go('/content/articles/210')
      await page.getByText(/^You typed something here on/).waitFor()
    },
  },
  search: {
    async show({ page, go }) {
      await go('/')
      await page.keyboard.press('Control+k')
      await page.keyboard.type('oven')
      await page.getByText('What the crust remembers').first().waitFor()
    },
  },
  users: {
    as: 'administrator',
    show: ({ go }) => go('/users'),
  },
  role: {
    as: 'administrator',
    async show({ page, go }) {
      await go('/roles')
      await page.getByRole('link', { name: 'Author', exact: true }).click()
      await page.getByRole('checkbox').first().waitFor()
    },
  },
  token: {
    as: 'administrator',
    async show({ page, go }) {
      await go('/tokens')
      await page.getByRole('button', { name: 'New token' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('site')
    },
  },
  dark: {
    isDark: true,
    show: ({ go }) => go(`/content/articles/${article}`),
  },
  phone: {
    isPhone: true,
    isDark: true,
    language: 'de-DE',
    show: ({ go }) => go(`/content/articles/${article}`),
  },
}
