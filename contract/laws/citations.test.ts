/** Law: every cited rule is defined in docs/dialect, exactly once. */

import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join, relative } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')
const dialect = join(root, 'docs/dialect')
/** Installed and generated files. */
const skippedNames = new Set(['.git', 'node_modules', '.tap', '.turbo', 'dist', 'lib'])
/** The same, and exact copies of recordings, whose text is data. The citations in their fields are checked below. */
const skippedPaths = new Set(['contract/suites', 'contract/app', 'contract/v4-database'])

/**
 * `B-2.14`; `security.md 39` for its row 39, `security.md A.3`, `service.md 4.2`; `B-2` and `service.md` for the whole
 * document.
 */
type Key = string

/** Finds definitions: a bold number that begins a list item or a row, or the number of a heading. */
function definitions(file: string, text: string): Key[] {
  const items = [...text.matchAll(/^(?:- |\| )\*\*([A-Z]?[-.]?\d+(?:\.\d+)?[a-z]?)\*\*/gm)].map(([, id]) => id!)
  const headings = [...text.matchAll(/^#+ (B-\d+|[A-Z]\d?|\d+(?:\.\d+)?) /gm)].map(([, id]) => id!)
  return [...items, ...headings].map(id => (id.startsWith('B-') ? id : `${file} ${id}`))
}

const place = '(?:(?:rows? |)\\d+(?:\\.\\d+)?[a-z]?|[A-F](?:[-.]?\\d+)?)(?![\\w%-])'
const places = `${place}(?:(?:, and |, | and | to | (?=row))${place})*`
/** Matches a document and the places in it. */
const inDocument = new RegExp(`\\b((?:security|service|clients|behaviour)\\.md)\\b\`?(?:,? (${places}))?`, 'g')

/** The citations in a text, including both ends of a range. */
function citations(text: string): Key[] {
  const rules = [...text.matchAll(/\bB-\d+(?:\.\d+)?\b(?!-)/g)].map(([id]) => id)
  const inDocuments = [...text.matchAll(inDocument)].flatMap(([, file, places = '']) => {
    const ids = places.replaceAll(/rows? |and |to /g, ' ').split(/[\s,]+/)
    return [file!, ...ids.filter(id => id !== '').map(id => `${file} ${id}`)]
  })
  return [...rules, ...inDocuments]
}

/** Matches references to documents that readers cannot open. */
const nameless = /\b(?:the spec\b|section \d+\.\d+ of the|b\d\d-[a-z-]+\.md|faults? [A-Z]-\d+|the issue ["'])/

/** `path:line` and the text of every line of the files with these endings. */
async function linesOf(folder: string, endings: readonly string[]): Promise<[place: string, text: string][]> {
  const found: [string, string][] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (skippedNames.has(entry.name) || skippedPaths.has(relative(root, path))) continue
    // One by one: a call takes fewer arguments than the repository has lines.
    if (entry.isDirectory()) for (const line of await linesOf(path, endings)) found.push(line)
    if (!entry.isFile() || !endings.includes(extname(entry.name))) continue
    const lines = (await readFile(path, 'utf8')).split('\n')
    found.push(...lines.map((line, i): [string, string] => [`${relative(root, path)}:${i + 1}`, line]))
  }
  return found
}

/** The texts of the fields of a JSON value that name a source. */
function sourcesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, below]) => {
    if (!/^(?:source|sources|rule|rules|quirk|reason)$/.test(key)) return sourcesIn(below)
    return [below].flat().filter(one => typeof one === 'string')
  })
}

async function jsonBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile() && entry.name.endsWith('.json') && !/node_modules|\.tap/.test(entry.parentPath))
    .map(entry => join(entry.parentPath, entry.name))
}

t.test('what counts', async t => {
  const text =
    '(B-2.20 to B-2.134, B-5; security.md rows 26 to 29, 12b and 83, security.md F4, F5), service.md 4.3, but'
  t.same(citations(text), [
    ...['B-2.20', 'B-2.134', 'B-5'],
    ...['security.md', 'security.md 26', 'security.md 29', 'security.md 12b', 'security.md 83'],
    ...['security.md', 'security.md F4', 'security.md F5', 'service.md', 'service.md 4.3'],
  ])
  t.same(citations('clients.md, BBB-1014, security.md B3 row 4, `behaviour.md` C-5 and others'), [
    ...['clients.md', 'security.md', 'security.md B3', 'security.md 4', 'behaviour.md', 'behaviour.md C-5'],
  ])
  t.same(definitions('x.md', '# B-2 Parameters\n- **B-2.1** a\n| **12a** | b |\n### B3 c\n**B-2.2** no\n- **A.1** d'), [
    ...['B-2.1', 'x.md 12a', 'x.md A.1', 'B-2', 'x.md B3'],
  ])
  t.match('section 1 of the spec', nameless)
  t.match("the issue 'Locales'", nameless)
  t.notMatch('the special issue', nameless)
})

t.test('docs/dialect', async t => {
  const files = (await readdir(dialect)).filter(name => name.endsWith('.md'))
  const defined: Key[] = []
  for (const file of files) {
    const found = definitions(file, await readFile(join(dialect, file), 'utf8'))
    const own = `B-${Number.parseInt(file, 10)}`
    t.same(
      found.filter(id => id.startsWith('B-') && id !== own && !id.startsWith(`${own}.`)),
      [],
      `${file} defines no rules of other chapters`,
    )
    defined.push(...found)
  }
  const known = new Set<Key>([...files, ...defined])
  t.ok(known.size > 700, 'there is a reference to look things up in', { size: known.size })
  t.same(
    defined.filter((id, i) => defined.indexOf(id) !== i),
    [],
    'every rule is defined once',
  )
  const unknown = (place: string, text: string) =>
    citations(text).flatMap(id => (known.has(id) ? [] : [`${place}: ${id}`]))

  t.test('defines the rules that sources, tests and documents cite', async t => {
    const lines = await linesOf(root, ['.ts', '.js', '.mjs', '.md'])
    t.ok(lines.filter(([, text]) => citations(text).length > 0).length > 500, 'there are citations')
    t.same(
      lines.flatMap(([place, text]) => unknown(place, text)),
      [],
    )
  })

  t.test('defines the rules that recordings and deviations name as their source', async t => {
    const paths = await jsonBelow(join(root, 'contract'))
    const sources: [string, string][] = []
    for (const path of paths) {
      const texts = sourcesIn(JSON.parse(await readFile(path, 'utf8')))
      sources.push(...texts.map((text): [string, string] => [relative(root, path), text]))
    }
    const cited = sources.filter(([, text]) => citations(text).length > 0)
    t.ok(cited.length > 50, 'there are sources', { cited: cited.length })
    t.same(
      sources.flatMap(([place, text]) => unknown(place, text)),
      [],
    )
    t.same(
      sources.filter(([, text]) => nameless.test(text)),
      [],
    )
  })
})

t.test('no reference to a document outside the repository', async t => {
  const lines = await linesOf(root, ['.ts', '.js', '.mjs', '.md'])
  t.same(
    lines
      .filter(([place, text]) => basename(place.split(':')[0]!) !== 'citations.test.ts' && nameless.test(text))
      .map(([place, text]) => `${place}: ${text.trim()}`),
    [],
  )
})
