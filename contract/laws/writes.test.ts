/** Law: `write/` contains the order and the rules of writes, and `sql/` their statements. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'

const folder = join(import.meta.dirname, '../../packages/kernel/src/write')

/** Matches members of a dialect that only code that builds SQL text uses. */
const spelling = /\.(?:quote|finish|within|compare|asText|unindexed|insertRow)\(/
/** Matches keywords of SQL as in statements; comments may contain them. */
const words =
  /\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|VALUES|RETURNING|SET|JOIN|ORDER BY|LIMIT|MAX|COUNT|FOR UPDATE|NULL)\b/

/** The lines of a text that contain SQL, without comments. */
function sqlIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')
  return code.split('\n').filter(line => spelling.test(line) || words.test(line))
}

t.test('what counts', async t => {
  t.same(sqlIn('// An UPDATE\n/** A DELETE */\nconst updated = await rows.update(tx)'), [])
  t.equal(sqlIn('const text = `DELETE FROM x`').length, 1)
  t.equal(sqlIn('const name = dialect.quote(table)').length, 1)
})

t.test('the folder `write` builds no SQL text', async t => {
  const names = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.ts'))
  t.ok(names.length > 20, 'there are writes to look at')
  for (const name of names) t.same(sqlIn(await readFile(join(folder, name), 'utf8')), [], name)
})
