/** Law: the folders of the kernel have an order, and no file imports from a folder above its own, types included. */
import { readdir, readFile } from 'node:fs/promises'
import { join, posix, relative, sep } from 'node:path'
import t from 'tap'

const src = join(import.meta.dirname, '../../packages/kernel/src')

/** Folders and files of `src`, the lowest first, and what each of them knows. */
const layers: Readonly<Record<string, string>> = {
  'nearest.ts': 'words that are alike',
  'error-codes.ts': 'the codes of what is thrown',
  'errors.ts': 'what is thrown',
  registration: 'who registers what, until when, and who is named in errors',
  'context.ts': 'who asks, and what comes with a question',
  query: 'what was asked, without knowing the model',
  model: 'what exists: types, attributes, names of tables, forms of values',
  plan: 'what a question means in a model, and which rules are on it',
  sql: 'how a database is told',
  database: 'connections, transactions and the tables of a model',
  databases: 'each kind of database: what it is told, by which driver, and what it answers',
  migrate: 'the way from the tables that are there to those of the model',
  answer: 'a question that runs, and the rows it gives',
  hooks: 'what plugins and lifecycles are handed',
  read: 'the way of a question, from parameters to rows',
  write: 'the way of a change',
  objection: "Objection's models of types",
  boot: 'the application: its folder, its plugins, and the kernel made of them',
  'index.ts': 'what of all this is public',
  host: 'Fastify and the process',
}
const order = Object.keys(layers)

/** The folder, or the file beside the folders, that a path below `src` belongs to. */
const layerOf = (path: string): string => path.split('/')[0]!

/** What a text imports or exports again, by statements, by calls and in types. */
function importsOf(text: string): string[] {
  const found = text.matchAll(/(?:^|[\s}])from '([^']+)'|\bimport\(\s*'([^']+)'\s*\)|^import '([^']+)'/gm)
  return [...found].map(([, from, call, bare]) => (from ?? call ?? bare)!)
}

/** `path → target` for the imports of a file that lead to a higher layer, or to none. */
function upward(path: string, text: string): string[] {
  const targets = importsOf(text)
    .filter(name => name.startsWith('.'))
    .map(name => posix.join(posix.dirname(path), name))
  const own = order.indexOf(layerOf(path))
  const fits = (target: string) => order.includes(layerOf(target)) && order.indexOf(layerOf(target)) <= own
  return targets.filter(target => !fits(target)).map(target => `${path} → ${target}`)
}

/** Does a text need Fastify when it runs? Types are gone then, unless they stand beside values. */
const runsFastify = (text: string): boolean =>
  /^(?:import|export) (?!type\b)[^']*from 'fastify'|^import 'fastify'|\bawait import\('fastify'\)/m.test(text)

const entries = await readdir(src, { recursive: true, withFileTypes: true })
const files = await Promise.all(
  entries
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(async ({ parentPath, name }) => ({
      path: relative(src, join(parentPath, name)).replaceAll(sep, '/'),
      text: await readFile(join(parentPath, name), 'utf8'),
    })),
)

t.test('what counts', async t => {
  const text = `// Not an import, but from 'nowhere'.
import { a } from '../sql/a.ts'
import type { B } from './b.ts'
import {
  type C,
} from '../model/c.ts'
import '../boot/d.ts'
export * from '../read/e.ts'
export type { F } from '../host/f.ts'
const g: import('../write/g.ts').G = await import('../../h.ts')
`
  t.same(importsOf(text), [
    ...['nowhere', '../sql/a.ts', './b.ts', '../model/c.ts', '../boot/d.ts', '../read/e.ts', '../host/f.ts'],
    ...['../write/g.ts', '../../h.ts'],
  ])
  const targets = ['boot/d.ts', 'read/e.ts', 'host/f.ts', 'write/g.ts', '../h.ts']
  t.same(
    upward('database/x.ts', text),
    targets.map(target => `database/x.ts → ${target}`),
  )
  t.same(upward('sql/drivers/x.ts', "import type { X } from '../../database/y.ts'"), [
    'sql/drivers/x.ts → database/y.ts',
  ])
  t.ok(runsFastify("import Fastify, {\n  type FastifyInstance,\n} from 'fastify'"))
  t.ok(runsFastify("import { type FastifyInstance } from 'fastify'"))
  t.notOk(runsFastify("import type { FastifyInstance } from 'fastify'\nimport fp from 'fastify-plugin'"))
})

t.test('every file is in a layer, and every layer has files', async t => {
  t.ok(files.length > 100, 'there is a kernel to look at')
  t.same([...new Set(files.map(({ path }) => layerOf(path)))].sort(), [...order].sort())
})

t.test('no import leads up', async t => {
  t.same(
    files.flatMap(({ path, text }) => upward(path, text)),
    [],
  )
})

t.test('Fastify runs in the highest layer alone', async t => {
  const found = files.filter(({ text }) => runsFastify(text)).map(({ path }) => path)
  t.same([...new Set(found.map(layerOf))], ['host'])
})
