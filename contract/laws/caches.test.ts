/**
 * Law: each cache is bounded and described in docs/architecture.md, with its key, its bound, its owner and when it is
 * emptied. A map with weak keys is in the second table if it holds state that belongs to its keys, and nothing that could
 * be computed again.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { filesOf, root } from './imports.ts'

/** A map in the sources: its package, its name, and whether it is bounded by its size or by the life of its keys. */
interface FoundMap {
  readonly where: string
  readonly isWeak: boolean
  /** The text of its options. */
  readonly options: string
}

/** The LRU caches and weak maps of a text. A map in another one, such as `byNode`, is a part of it. */
function mapsIn(folder: string, text: string): FoundMap[] {
  const pattern =
    /(?:(?:const|readonly|this\.) ?|^ *)(#?\w+)(?:: [^=\n]+)? = (?:new )?(LRUCache|WeakMap|WeakSet|StatementCache|CheckedTexts|PreparedTexts|CredentialCache|TextCache)\b(?:<[^(]*>)?\(([\s\S]*?)\)\n/gm
  return [...text.matchAll(pattern)].flatMap(([line, name, kind, options]) =>
    /^ {4,}by\w+ =/.test(line)
      ? []
      : [{ where: `${folder} ${name}`, isWeak: kind!.startsWith('Weak'), options: options! }],
  )
}

/** The first two cells of the rows of the tables in a section: package and name. */
function listedIn(section: string): string[][] {
  const tables = section.split(/\n\n+/).filter(part => part.startsWith('|'))
  return tables.map(table =>
    [...table.matchAll(/^\| `([\w-]+)` +\| `(#?\w+)`/gm)].map(([, folder, name]) => `${folder} ${name}`),
  )
}

const sources = await filesOf(['packages/*/src/**/*.ts'])
const maps = sources.flatMap(({ path, text }) => mapsIn(path.split('/')[1]!, text))
const page = await readFile(join(root, 'docs/architecture.md'), 'utf8')
const [, section = ''] = /^## Caches\n([\s\S]*?)^## /m.exec(page) ?? []
const [caches = [], states = []] = listedIn(section)

t.test('what counts', async t => {
  const text = `const known = new WeakMap<A, B>()
  readonly #kept: LRUCache<string, C> = new LRUCache<string, C>({
    max: 5,
  })
    byNode = new WeakMap()
    this.#seen = new LRUCache({ max: most })
`
  t.same(
    mapsIn('a', text).map(({ where, isWeak }) => [where, isWeak]),
    [
      ['a known', true],
      ['a #kept', false],
      ['a #seen', false],
    ],
  )
})

t.test('every cache and every weak map is listed once', async t => {
  t.ok(maps.length > 40, `${maps.length} maps`)
  const places = maps.map(({ where }) => where).sort()
  t.same([...caches, ...states].sort(), places)
  const attached = new Set(maps.filter(one => one.isWeak).map(({ where }) => where))
  t.same(
    states.filter(one => !attached.has(one)),
    [],
    'state is attached by weak maps only',
  )
})

t.test('every cache that does not go with its keys has a bound', async t => {
  const unbounded = maps.filter(({ isWeak, options }) => !isWeak && options !== '' && !/\bmax|bounds/i.test(options))
  t.same(unbounded, [])
})
