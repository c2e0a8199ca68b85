// What a package declares in the types of others (`declare module`, `declare global`) reaches whoever imports the package. The
// compiler leaves `import type {} from` out of built types, and imports of what stands in no declaration, so a file that only
// declares something must be exported from: `export type {} from './file.ts'`.

import { glob, readFile } from 'node:fs/promises'
import { join, posix, sep } from 'node:path'
import t from 'tap'
import type { Manifest } from '../published.ts'
import { prepared } from './fixtures/prepared.ts'

/** The texts of built types by their paths in the package. */
type Types = ReadonlyMap<string, string>

async function typesOf(folder: string): Promise<Types> {
  const types = new Map<string, string>()
  for await (const path of glob('dist/**/*.d.ts', { cwd: folder }))
    types.set(path.replaceAll(sep, '/'), await readFile(join(folder, path), 'utf8'))
  return types
}

/** The files of the package that a file refers to. */
function targetsOf(path: string, text: string): string[] {
  const names = text.matchAll(/(?:\bfrom |\bimport\(|^import )['"](\.[^'"]+)['"]/gm)
  return [...names].map(([, name]) => posix.join(posix.dirname(path), name!).replace(/\.[jt]s$/, '.d.ts'))
}

/** Files that declare something, and to which the files with these paths do not lead. */
function lostOf(types: Types, entries: readonly string[]): string[] {
  const reached = new Set<string>()
  const waiting = [...entries]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = types.get(path)
    if (text === undefined || reached.has(path)) continue
    reached.add(path)
    waiting.push(...targetsOf(path, text))
  }
  const declares = /^declare (?:global|module ['"])/m
  return [...types].filter(([path, text]) => declares.test(text) && !reached.has(path)).map(([path]) => path)
}

function entriesOf({ exports = {} }: Manifest): string[] {
  const targets = Object.values(exports) as readonly { readonly types?: string }[]
  return targets.flatMap(({ types }) => (types === undefined ? [] : [posix.normalize(types)]))
}

t.test('of all packages', async t => {
  const { dir, manifests } = await prepared()
  let count = 0
  for (const manifest of manifests) {
    const types = await typesOf(join(dir, 'node_modules', manifest.name))
    count += types.size
    t.same(lostOf(types, entriesOf(manifest)), [], manifest.name)
  }
  t.ok(count > 500, `${count} files`)
})

t.test('what is not reached is found', t => {
  const types = new Map([
    ['dist/index.d.ts', "export * from './a.js'\nimport('./c.ts')"],
    ['dist/a.d.ts', 'declare global {'],
    ['dist/b.d.ts', "declare module 'x' {"],
    ['dist/c.d.ts', "import './d.js'\ndeclare module 'x' {"],
    ['dist/d.d.ts', 'declare global {'],
  ])
  t.same(lostOf(types, ['dist/index.d.ts']), ['dist/b.d.ts'])
  t.end()
})
