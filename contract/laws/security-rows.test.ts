/**
 * Law: every row of security.md B1 and B4 to B8 and every advisory of its section C has a test that is named by it, or
 * waits for a feature that is listed here.
 *
 * A test is named by its title: `security.md row 12a: …` or `security.md rows 1, 2 and 8: …`, and the number of an
 * advisory anywhere in it. What a row demands can be more than one test shows; that is for its reader to decide.
 */

import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')
const skipped = new Set(['node_modules', '.git', '.tap', '.turbo', 'dist'])

/** Rows and advisories that no test can show yet, and why. Who adds the feature removes the line. */
const waiting: Readonly<Record<string, string>> = {}

/** The rows of the tables of these sections, in their order. */
function rowsOf(text: string, sections: readonly string[]): string[] {
  return sections.flatMap(name => {
    const section = new RegExp(`^### ${name} .*?(?=^##)`, 'ms').exec(text)?.[0] ?? ''
    return [...section.matchAll(/^\| \*\*(\d+[a-z]?)\*\* /gm)].map(([, id]) => id!)
  })
}

/** The advisories of section C. */
function advisoriesOf(text: string): string[] {
  const section = /^## C .*?(?=^## )/ms.exec(text)?.[0] ?? ''
  return [...new Set(section.match(/\b(?:CVE-\d{4}-\d+|GHSA-[\w-]+)/g))]
}

/** The titles of tests: the texts that open a call of `test`, `onEach` or `onOwn`. */
function titlesIn(text: string): string[] {
  const calls = /(?:\.test|\bonEach|\bonOwn)\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g
  return [...text.matchAll(calls)].map(([, ...found]) => found.find(one => one !== undefined)!)
}

/** The rows and advisories that a title names. */
function named(title: string): string[] {
  const rows = /^security\.md rows? ((?:\d+[a-z]?(?:, | and )?)+):/.exec(title)?.[1] ?? ''
  return [...(rows.match(/\d+[a-z]?/g) ?? []), ...(title.match(/\b(?:CVE-\d{4}-\d+|GHSA-[\w-]+)/g) ?? [])]
}

/** All tests of the repository. */
async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = entries.map(entry => {
    const path = join(folder, entry.name)
    if (skipped.has(entry.name)) return []
    return entry.isDirectory() ? testFiles(path) : entry.name.endsWith('.test.ts') ? [path] : []
  })
  return (await Promise.all(found)).flat()
}

t.test('what counts', async t => {
  t.same(named('security.md row 12a: as in v4 (CVE-2023-22894, CVE-2026-27886)'), [
    ...['12a', 'CVE-2023-22894', 'CVE-2026-27886'],
  ])
  t.same(named('security.md rows 1, 2, 4 and 8: x'), ['1', '2', '4', '8'])
  t.same(named('a leak (security.md row 5)'), [], 'a row must begin the title')
  t.same(titlesIn("t.test('one', f)\nawait onOwn(`two`, f)\nonEach(\n  \"three\", f)\nconst x = 'four'"), [
    ...['one', 'two', 'three'],
  ])
  t.same(rowsOf('### B1 a\n| **1** | x |\n| **12a** | y |\n### B2 b\n| **16** | z |\n## C', ['B1']), ['1', '12a'])
})

t.test('security.md', async t => {
  const text = await readFile(join(root, 'docs/dialect/security.md'), 'utf8')
  const rows = rowsOf(text, ['B1', 'B4', 'B5', 'B6', 'B7', 'B8'])
  const advisories = advisoriesOf(text)
  t.same([rows.length, advisories.length], [62, 36], 'the tables are found')

  const tests = new Map<string, string[]>()
  for (const file of await testFiles(root))
    for (const title of titlesIn(await readFile(file, 'utf8')))
      for (const id of named(title)) tests.set(id, [...(tests.get(id) ?? []), `${relative(root, file)}: ${title}`])

  t.test('each row of B1 and B4 to B8 has a test that its title names', async t => {
    t.same(
      rows.filter(id => !tests.has(id) && !(id in waiting)),
      [],
    )
  })

  t.test('each advisory of section C has one', async t => {
    t.same(
      advisories.filter(id => !tests.has(id) && !(id in waiting)),
      [],
    )
  })

  t.test('nothing waits that has a test, or that is no row', async t => {
    const known = new Set([...rows, ...advisories])
    t.same(
      Object.keys(waiting).filter(id => tests.has(id) || !known.has(id)),
      [],
    )
  })

  t.test('no title names a row or an advisory that does not exist', async t => {
    const cited = new Set([...text.matchAll(/^\| \*\*(\d+[a-z]?)\*\* /gm)].map(([, id]) => id!))
    const unknown = [...tests].filter(([id]) => !(cited.has(id) || advisories.includes(id)))
    t.same(
      unknown.map(([id, [first]]) => `${id}: ${first}`),
      [],
    )
  })
})
