// Fills an empty database with the magazine, and shows how far it is.

import type { Kernel } from '@plinth/kernel'
import { makeMagazine } from './magazine.ts'
import { createProgress, type Screen } from './progress.ts'
import { isEmpty, writeMagazine } from './write.ts'

/** Seeds once: a database that has articles is left as it is. */
export async function seedWhenEmpty(kernel: Kernel, screen: Screen): Promise<void> {
  if (!(await isEmpty(kernel))) return
  const begun = performance.now()
  screen.write('The database is empty: writing the magazine into it\n')
  const magazine = makeMagazine()
  await writeMagazine(kernel, magazine, total => createProgress(total, screen))
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  screen.write(`${magazine.articles.length} articles are in place after ${seconds} s\n`)
}
