// Makes both servers' databases afresh, and hands out copies: every run starts from the same bytes.
import { constants, copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { createLimitDatabase } from '../limit/tables.ts'
import { createPlinthDatabase } from '../plinth.ts'
import { createEntries } from './entries.ts'

export type Side = 'plinth' | 'limit'

const FOLDER = new URL('../.data/', import.meta.url).pathname

/** One published id of this many is asked for: more would only make the load generator busy. */
const STRIDE = 18

/** Returns ids of published articles. */
export async function prepareDatabases(drafts: boolean): Promise<readonly number[]> {
  mkdirSync(FOLDER, { recursive: true })
  const entries = createEntries()
  createLimitDatabase(removed(pristine('limit')), entries, drafts)
  await createPlinthDatabase(removed(pristine('plinth')), entries, drafts)
  const published = entries.articles.filter(article => article.publishedAt !== null)
  return published.filter((_, index) => index % STRIDE === 0).map(article => article.id)
}

/** A fresh copy; the copy before it of the same side is gone. */
export function copyDatabase(side: Side): string {
  const copy = removed(`${FOLDER}${side}-run.db`)
  copyFileSync(pristine(side), copy, constants.COPYFILE_FICLONE)
  return copy
}

const pristine = (side: Side) => `${FOLDER}${side}.db`

/** SQLite would read a log left beside the file as belonging to the new one. */
function removed(filename: string): string {
  for (const suffix of ['', '-wal', '-shm']) rmSync(filename + suffix, { force: true })
  return filename
}
