// Fills an empty database with the magazine, and shows the progress.

import { setTimeout as sleep } from 'node:timers/promises'
import type {} from '@plinth/draft-publish'
import { type Kernel, UnavailableError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import { hasLocales } from './locales.ts'
import type { PictureStore } from './pictures.ts'
import { createProgress, type Screen } from './progress.ts'

/** Milliseconds for which a start waits for another process that fills the database. */
const patience = 120_000

/** Seeds once: a database with articles is left unchanged, and if another process fills it, this one waits. */
export async function seedWhenEmpty(app: FastifyInstance, screen: Screen): Promise<void> {
  if (!(await isEmpty(app.kernel))) return
  screen.write('The database is empty: writing the magazine into it\n')
  const end = Date.now() + patience
  // Imported here, so that later starts do not load what draws.
  const { PictureStore } = await import('./pictures.ts')
  const pictures = new PictureStore(app.kernel)
  while (!(await fill(app.kernel, pictures, screen))) {
    if (!(await isEmpty(app.kernel))) {
      await pictures.removeUnused()
      return void screen.write('Another process has filled it meanwhile\n')
    }
    if (Date.now() > end) throw new UnavailableError('Another process has been writing to the database for two minutes')
    await sleep(100)
  }
}

/** Writes the magazine. Returns false if another process writes it, which a conflict of slugs or a lock shows. */
async function fill(kernel: Kernel, store: PictureStore, screen: Screen): Promise<boolean> {
  const begun = performance.now()
  // Imported here, so that later starts do not load all texts.
  const [{ makeMagazine }, { makePictures }, { writeMagazine }] = await Promise.all([
    import('./magazine.ts'),
    import('./pictures.ts'),
    import('./write.ts'),
  ])
  const magazine = makeMagazine()
  try {
    // Before the entries, whose transaction names them: a start that is killed leaves no article without its cover.
    const pictures = await store.store(makePictures(magazine.categories))
    await writeMagazine(kernel, { magazine, pictures }, total => createProgress(total, screen))
  } catch (error) {
    if (error instanceof UnavailableError || !(await isEmpty(kernel))) return false
    throw error
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  screen.write(`${magazine.articles.length} articles are in place after ${seconds} s\n`)
  return true
}

/** Returns whether nothing has been written yet: no draft either, and in no language. */
async function isEmpty(kernel: Kernel): Promise<boolean> {
  const drafts = kernel.parameters.values().some(({ name }) => name === 'publicationState')
  const everywhere = { ...(drafts && { publicationState: 'preview' }), ...(hasLocales(kernel) && { locale: 'all' }) }
  return (await kernel.query('api::article.article').count(everywhere)) === 0
}
