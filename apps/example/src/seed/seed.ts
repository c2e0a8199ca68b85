// Fills an empty database with the magazine, and shows how far it is.

import type { Kernel } from '@plinth/kernel'
import { hasLocales } from './locales.ts'
import { createProgress, type Screen } from './progress.ts'

/** Seeds once: a database that has articles is left as it is. */
export async function seedWhenEmpty(kernel: Kernel, screen: Screen): Promise<void> {
  if (!(await isEmpty(kernel))) return
  const begun = performance.now()
  screen.write('The database is empty: writing the magazine into it\n')
  // Later starts are spared the loading of all its texts.
  const [{ makeMagazine }, { writeMagazine }] = await Promise.all([import('./magazine.ts'), import('./write.ts')])
  const magazine = makeMagazine()
  await writeMagazine(kernel, magazine, total => createProgress(total, screen))
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  screen.write(`${magazine.articles.length} articles are in place after ${seconds} s\n`)
}

/** Whether nothing has been written yet: no draft either, and in no language. */
async function isEmpty(kernel: Kernel): Promise<boolean> {
  const everywhere = { publicationState: 'preview', ...(hasLocales(kernel) && { locale: 'all' }) }
  return (await kernel.query('api::article.article').count(everywhere)) === 0
}
