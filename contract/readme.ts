/** Writes tables of results into the README, between their markers. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const readme = join(import.meta.dirname, 'README.md')

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` by `table`. */
export async function recordTable(name: string, table: string): Promise<void> {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const text = await readFile(readme, 'utf8')
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`README.md lacks the markers ${begin} and ${end}`)
  await writeFile(readme, `${text.slice(0, before + begin.length)}\n\n${table}\n\n${text.slice(after)}`)
}
