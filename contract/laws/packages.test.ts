/**
 * Law: a package of the folder packages/<folder> is `@plinth/<folder>`, with one exception, and refers to others only by
 * their names. No import and no path of a test leads into another package's
 * folder, and every imported package is declared, so each package's tests run on their own.
 */

import { readdir, readFile } from 'node:fs/promises'
import { join, posix, relative, sep } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '../..')
const below = async (folder: string) => (await readdir(join(root, folder))).map(name => `${folder}/${name}`)
const folders = ['packages', 'apps', 'acceptance', 'contract/fixtures']
const packages = (await Promise.all(folders.map(below))).flat()

/** Paths that lead out of a package, with the reason; none of them leads to code. */
const exceptions: Readonly<Record<string, string>> = {
  'packages/test-tools/src/recordings.ts: ../../../contract': 'names the folder of the recordings for all packages',
  'packages/test-tools/src/coverage/report.ts: ../../..': 'reads the sources of all packages as text',
  'packages/test-tools/src/run/reports.ts: ../../../..': 'reads the reports of the tests of all packages',
  'packages/test-tools/src/documents.ts: ../../..': 'reads the documents of all packages as text',
  'packages/kernel/test/setup.ts: ../..': 'links the packages of databases, on which the kernel cannot depend',
  'packages/cli/test/doctor.test.ts: ../../../apps/example': 'an application, as the argument of a command',
  'acceptance/clients/test/fixtures/compile.ts: ../../../../tsconfig.base.json': 'options of the compiler',
  'apps/docs/src/contents.ts: ../../..': 'the documents, which are read as text',
  'packages/studio/test/browser/fixtures/server.ts: ../../../../../apps/example':
    'an application whose entries are edited, as the folder of a server',
  'apps/example/test/start.test.ts: ../../../': 'reads what the root of the workspace installs',
}

/** Packages with other names than that of their folder below `@plinth/`, with the reason. */
const otherNames: Readonly<Record<string, string>> = {
  'packages/create-plinth': 'npm looks for the package create-plinth when somebody runs `npm create plinth`',
}

/** The imports of a text, and its paths relative to its own folder. */
function pathsIn(text: string): string[] {
  const found = text.matchAll(/(?:from|import|import\() ?'([^']+)'|import\.meta\.dirname, '([^']+)'|URL\('([^']+)'/g)
  return [...found].map(([, imported, joined, url]) => (imported ?? joined ?? url)!)
}

/** `path: target` for each path that leads out of the package. */
function outward(folder: string, path: string, text: string): string[] {
  const targets = pathsIn(text).filter(name => name.startsWith('.'))
  return targets
    .filter(name => !`${posix.join(posix.dirname(path), name)}/`.startsWith(`${folder}/`))
    .map(name => `${path}: ${name}`)
    .filter(found => !(found in exceptions))
}

/** The packages of this repository that a text imports and a manifest does not declare. */
function undeclared(path: string, text: string, manifest: Readonly<Record<string, unknown>>): string[] {
  const declared = Object.keys({
    ...(manifest.dependencies as object),
    ...(manifest.devDependencies as object),
    ...(manifest.peerDependencies as object),
    [String(manifest.name)]: true,
  })
  const names = pathsIn(text).flatMap(name => /^(?:@plinth\/[^/]+|plinth-plugin-[^/]+)/.exec(name) ?? [])
  return names.filter(name => !declared.includes(name)).map(name => `${path}: ${name}`)
}

async function filesOf(folder: string): Promise<{ path: string; text: string }[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  const files = entries
    .filter(one => one.isFile() && /\.[jt]s$/.test(one.name))
    .map(one => relative(root, join(one.parentPath, one.name)).replaceAll(sep, '/'))
    .filter(path => !/\/(?:node_modules|dist|\.tap)\//.test(path))
  return Promise.all(files.map(async path => ({ path, text: await readFile(join(root, path), 'utf8') })))
}

t.test('what counts', async t => {
  const text = `import { a } from '../../b/src/a.ts'
import '../src/c.ts'
const d = await import('../../e.ts')
const f = join(import.meta.dirname, '../../../contract/app')
import { g } from '@plinth/g/h'`
  const path = 'packages/a/test/a.test.ts'
  t.same(outward('packages/a', path, text), [
    `${path}: ../../b/src/a.ts`,
    `${path}: ../../e.ts`,
    `${path}: ../../../contract/app`,
  ])
  t.same(undeclared(path, text, { name: '@plinth/a' }), [`${path}: @plinth/g`])
  t.same(undeclared(path, text, { name: '@plinth/a', devDependencies: { '@plinth/g': '*' } }), [])
})

for (const folder of packages) {
  t.test(folder, async t => {
    const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
    const files = await filesOf(folder)
    t.ok(files.length > 0, 'has files')
    const [, name] = folder.split('/')
    if (folder.startsWith('packages/'))
      t.equal(manifest.name, folder in otherNames ? name : `@plinth/${name}`, 'has the name of its folder')
    t.same(
      files.flatMap(({ path, text }) => outward(folder, path, text)),
      [],
      'nothing leads into another package',
    )
    t.same(
      files.flatMap(({ path, text }) => undeclared(path, text, manifest)),
      [],
      'what is imported is declared',
    )
  })
}
