// The pages in the dark, and in German on a telephone: nothing serious for axe in any of them.

import type { Test } from 'tap'
import type { PageOptions, Stage } from '../../fixtures/stage.ts'

const looks: Readonly<Record<string, PageOptions>> = {
  dark: { isDark: true },
  // German words are longer: what fits in the width of a telephone then fits everywhere.
  'german-phone': { width: 390, height: 844, language: 'de-DE' },
}

const paths: Readonly<Record<string, string>> = {
  home: '/',
  list: '/content/articles',
  entry: '/content/articles/1',
  issue: '/content/issues/1',
  single: '/content/homepage',
  account: '/account',
  missing: '/content/nothing',
}

export default async function play(t: Test, { open }: Stage): Promise<void> {
  for (const [look, options] of Object.entries(looks)) {
    const { page, go, check } = await open(options)
    for (const [name, path] of Object.entries(paths)) {
      await go(path)
      await check(t, `${name}-${look}`)
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      t.ok(Number(overflow) <= 0, `${name}-${look} is not wider than the window`)
    }
    if (look === 'german-phone') {
      await page.getByRole('button', { name: 'Navigation öffnen' }).click()
      await check(t, 'navigation-german-phone')
    } else {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('Harb')
      await page
        .getByRole('option', { name: /Harbour/ })
        .first()
        .waitFor()
      await check(t, `search-${look}`)
    }
  }
}
