/**
 * Law: only the folder `databases` distinguishes between databases, and only the folder of the opened database is
 * loaded.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import t from 'tap'

const packages = join(import.meta.dirname, '../../packages')
const own = 'kernel/src/databases/'

/** Names of databases, clients and drivers. */
const names = "'(?:sqlite3?|better-sqlite3|mysql2?|mariadb|postgres(?:ql)?|pg)'"

/** Files outside the folder that contain such a name, with the reason. */
const named: Readonly<Record<string, string>> = {
  'kernel/src/sql/dialect.ts': 'the names that dialects have, for tests and tools',
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
    .map(async path => ({ path, text: codeOf(await readFile(join(packages, path), 'utf8')) })),
)
const others = files.filter(({ path }) => !path.startsWith(own))

/** `path: line` of the matches of a pattern. */
const find = (pattern: RegExp, where: typeof files) =>
  where.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${found.trim()}`))

t.test('what counts', async t => {
  t.equal(codeOf("// is it 'pg'?\n * 'mysql'\nconst a = 1 // not 'pg'\n/** 'pg' */"), '\n\nconst a = 1\n')
  t.match("client === 'mysql'", new RegExp(names))
  t.ok(files.length > 150 && others.length < files.length - 20, 'there are files to look at')
})

t.test('only the folder of the databases contains their names', async t => {
  const found = others.filter(({ text }) => new RegExp(names).test(text)).map(({ path }) => path)
  t.same(found.sort(), Object.keys(named).sort())
})

t.test('nothing is looked up by the name of a dialect', async t => {
  t.same(find(/.*\bdialect\.name\b.*|.*\bDialect\['name'\].*/g, others), [])
})

t.test('only the folder of the databases contains codes of their errors', async t => {
  t.same(find(/.*(?:\bSQLITE_[A-Z]|\bER_[A-Z]|'(?:08|22|23|25|40|42|53|55|57)[0-9A-Z]{3}').*/g, others), [])
})

t.test('the folder of a database is loaded when it is opened, and not before', async t => {
  const outside = files.filter(({ path }) => !/^kernel\/src\/databases\/\w+\//.test(path))
  t.same(find(/^(?:import|export) (?!type\b).*\/(?:sqlite|mysql|postgres)\/.*$/gm, outside), [])
  const drivers = /^(?:import|export) .*'(?:better-sqlite3|mysql2|pg)'$/gm
  t.same(find(drivers, outside), [])
})
