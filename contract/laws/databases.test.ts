/**
 * Laws: only the packages of databases distinguish between databases, they see of the kernel what is exported for them, and
 * the kernel depends on no driver.
 */

import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import mysql from '@plinth/mysql'
import postgres from '@plinth/postgres'
import sqlite from '@plinth/sqlite'
import t from 'tap'

const packages = join(import.meta.dirname, '../../packages')
const databases = [sqlite, mysql, postgres].map(one => one.database)
const drivers = databases.flatMap(one => one.drivers ?? [])
const own = new RegExp(`^(?:sql-servers|${databases.map(one => one.name).join('|')})/src/`)

/** Names of databases, clients and drivers, also as a part of a longer name and in messages. */
const names = /sqlite|mysql|mariadb|postgres|\bpg\b/i

/** Files outside the packages that contain such a name, with the reason. */
const named: Readonly<Record<string, string>> = {
  'cli/src/watch.ts': 'files of databases, whose changes restart nothing',
  'kernel/src/databases/find.ts': "v4's names of clients, and the client that needs no setting",
  'testing/src/test-app.ts': 'the database in memory, which only one of them has',
}

/** The text without comments that are on lines of their own or after a space. */
const codeOf = (text: string): string => text.replace(/^\s*\/?\*.*$|(?:^|\s)\/\/ .*$/gm, '')

const entries = await readdir(packages, { recursive: true, withFileTypes: true })
const files = await Promise.all(
  entries
    .filter(entry => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
    .map(({ parentPath, name }) => relative(packages, join(parentPath, name)).replaceAll(sep, '/'))
    // The package of test tools is private, and opens databases without the kernel. create-plinth asks which database an
    // application shall have, before there is a kernel, and opens none.
    .filter(path => /^(?!(?:test-tools|create-plinth)\/)[\w-]+\/src\//.test(path))
    .map(async path => {
      const text = await readFile(join(packages, path), 'utf8')
      return { path, text: codeOf(text), lines: text.split('\n').length - 1 }
    }),
)
const others = files.filter(({ path }) => !own.test(path))
const inside = files.filter(({ path }) => own.test(path))

/** `path: line` of the matches of a pattern. */
const find = (pattern: RegExp, where: typeof files) =>
  where.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([line]) => `${path}: ${line.trim()}`))

t.test('what counts', async t => {
  t.equal(codeOf("// is it 'pg'?\n * 'mysql'\nconst a = 1 // not 'pg'\n/** 'pg' */"), '\n\nconst a = 1\n')
  t.match("client === 'mysql'", names)
  t.match("table.startsWith('sqlite_')", names)
  t.match('`MySQL allows it`', names)
  t.notMatch('const upgrade = 1', names)
  t.ok(files.length > 150 && inside.length > 50, 'there are files to look at')
})

t.test('only the packages of the databases contain their names', async t => {
  const paths = others.filter(({ text }) => names.test(text)).map(({ path }) => path)
  t.same(paths.sort(), Object.keys(named).sort())
})

t.test("the kernel contains them in one table, v4's names of clients, and in the name of its default", async t => {
  const lines = files
    .filter(({ path }) => path.startsWith('kernel/'))
    .flatMap(({ path, text }) => text.split('\n').map(line => ({ path, line: line.trim() })))
    .filter(({ line }) => names.test(line))
  t.same([...new Set(lines.map(({ path }) => path))], ['kernel/src/databases/find.ts'])
  t.same(
    lines.map(({ line }) => line),
    [
      "sqlite: 'sqlite',",
      "'better-sqlite3': 'sqlite',",
      "mysql: 'mysql',",
      "mysql2: 'mysql',",
      "postgres: 'postgres',",
      "postgresql: 'postgres',",
      "pg: 'postgres',",
      "export const defaultClient: ClientOfV4 = 'sqlite'",
    ],
  )
})

t.test('nothing is looked up by the name of a dialect', async t => {
  t.same(find(/.*\bdialect\.name\b.*|.*\bDialect\['name'\].*/g, others), [])
})

t.test('only the packages of the databases contain codes of their errors', async t => {
  t.same(find(/.*(?:\bSQLITE_[A-Z]|\bER_[A-Z]|'(?:08|22|23|25|40|42|53|55|57)[0-9A-Z]{3}').*/g, others), [])
})

t.test('the package of a database is loaded when it is opened, and not before', async t => {
  const imported = new RegExp(
    `^(?:import|export) .*'(?:@plinth/(?:${databases.map(one => one.name).join('|')})|${drivers.join('|')})'$`,
    'gm',
  )
  // Tests of applications have a database in memory.
  t.same(find(imported, others), ["testing/src/test-app.ts: import sqlite from '@plinth/sqlite'"])
})

t.test('packages of databases use what the kernel exports for them', async t => {
  const allowed = ['@plinth/kernel/database', '@plinth/sql-servers', ...drivers]
  const imports = inside.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, name]) => ({ path, name: name! })),
  )
  const wrong = imports.filter(({ name }) => !/^(?:\.\.?\/|node:)/.test(name) && !allowed.includes(name))
  t.same(wrong, [])
})

t.test('the kernel depends on no driver, has no peer and no native module', async t => {
  const manifest = JSON.parse(await readFile(join(packages, 'kernel/package.json'), 'utf8'))
  t.same(Object.keys(manifest.dependencies).sort(), ['knex', 'lodash', 'lru-cache', 'typebox'])
  for (const kind of ['peerDependencies', 'optionalDependencies']) t.equal(manifest[kind], undefined, kind)
  const developed = Object.keys(manifest.devDependencies)
  t.same(
    developed.filter(name => drivers.includes(name) || databases.some(one => name === `@plinth/${one.name}`)),
    [],
  )
  const kernel = files.filter(({ path }) => path.startsWith('kernel/'))
  t.comment(`packages/kernel/src has ${kernel.reduce((sum, one) => sum + one.lines, 0)} lines`)
})
