/**
 * Laws: the folders of the kernel have an order, and no file imports from a folder above its own, types included. No
 * folder depends on a server or on HTTP.
 */

import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import t from 'tap'
import { importsOf, layerOf, sourcesBelow, upward } from './imports.ts'

const src = join(import.meta.dirname, '../../packages/kernel/src')

/** Folders and files of `src`, the lowest first, and what each of them contains. */
const layers: Readonly<Record<string, string>> = {
  'nearest.ts': 'similar words',
  'record.ts': 'which values are objects with members',
  'entry-id.ts': 'ids of entries in texts of requests',
  'text-cache.ts': 'values by texts, within limits',
  redaction: 'what is secret in texts and records',
  'error-codes.ts': 'the codes of errors',
  'errors.ts': 'the errors',
  registration: 'what plugins may register and until when, and which plugin an error names',
  'row-count.ts': 'the rows that reads fetch for a request, and their limit',
  'row-share.ts': 'what reads tell of the bytes that they hold for a request',
  'row-bytes.ts': 'the bytes of the rows of one read',
  'context.ts': 'what accompanies a query or a write: rights, request, limits',
  query: 'parsed queries, independent of the model',
  typed: 'the types of queries whose content types the compiler knows',
  model: 'types, attributes, names of tables, forms of values',
  plan: 'queries resolved to columns and tables, with the rules of plugins',
  sql: 'the SQL text of statements',
  connection: 'connections, transactions and the tables of a model',
  migrate: 'the steps from the existing tables to those of the model',
  result: 'a query that runs, and its rows',
  hooks: 'what plugins and lifecycles receive',
  read: 'the pipeline of reads, from parameters to rows',
  write: 'the order and the rules of writes',
  databases: 'config/database, and the contract of database packages',
  application: 'the files of an application: configuration, environment, model, policies, its own module',
  boot: 'the start: plugins and the kernel',
  'tables.ts': 'the exports for packages that send statements of their own',
  'index.ts': 'the public exports',
}
const order = Object.keys(layers)

/** Matches modules of servers: those of Fastify, and Node's own. */
const ofServers = /^(?:fastify(?:-plugin)?|@fastify\/.+|(?:node:)?https?2?|@plinth\/.+)$/

/** The modules of servers that a text imports, in types or at run time, or whose types it augments. */
function serversOf(text: string): string[] {
  const augmented = [...text.matchAll(/^declare module '([^']+)'/gm)].map(([, name]) => name!)
  return [...importsOf(text), ...augmented].filter(name => ofServers.test(name))
}

const files = await sourcesBelow(src)

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
    upward({ path: 'connection/x.ts', text }, order),
    targets.map(target => `connection/x.ts → ${target}`),
  )
  const other = { path: 'sql/drivers/x.ts', text: "import type { X } from '../../connection/y.ts'" }
  t.same(upward(other, order), ['sql/drivers/x.ts → connection/y.ts'])
  const some = `import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { IncomingMessage } from 'node:http'
declare module 'fastify' {}
import { connect } from 'node:net'
`
  t.same(serversOf(some), ['fastify', 'fastify-plugin', 'node:http', 'fastify'])
})

t.test('every file is in a layer, and every layer has files', async t => {
  t.ok(files.length > 100, 'there is a kernel to look at')
  t.same([...new Set(files.map(({ path }) => layerOf(path)))].sort(), [...order].sort())
})

t.test('no import leads to a higher layer', async t => {
  t.same(
    files.flatMap(file => upward(file, order)),
    [],
  )
})

t.test('no file of the kernel imports a server, not even its types', async t => {
  t.same(
    files.flatMap(({ path, text }) => serversOf(text).map(name => `${path} → ${name}`)),
    [],
  )
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(
    await readFile(join(src, '../package.json'), 'utf8'),
  )
  const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })
  t.same(
    names.filter(name => ofServers.test(name) && name !== '@plinth/test-tools'),
    [],
  )
})

t.test('what transports share loads no Fastify', async t => {
  const server = join(import.meta.dirname, '../../packages/server/src')
  const seen = new Set<string>()
  const follow = async (path: string): Promise<void> => {
    if (seen.has(path)) return
    seen.add(path)
    const text = (await readFile(join(server, path), 'utf8')).replaceAll(/^(?:import|export) type [^']*'[^']+'$/gm, '')
    const names = importsOf(text)
    t.notOk(names.includes('fastify') || names.includes('fastify-plugin'), path)
    for (const name of names) if (name.startsWith('.')) await follow(posix.join(posix.dirname(path), name))
  }
  await follow('transport.ts')
  t.ok(seen.size > 3, 'there is something to follow')
})
