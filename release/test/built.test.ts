// The built packages as users have them: all kinds of module resolution find their types, internal members are missing
// from these, and their code runs.

import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { publishedIn } from '../plan.ts'
import { buildAll, compile } from './fixtures/built.ts'
import { folderFor, packAll, root } from './fixtures/packed.ts'

const run = promisify(execFile)
const dir = await folderFor(t)
await packAll(dir)

// By the resolution nodenext, which tsconfig.base.json sets.
t.test('packages and an external plugin compile with the built types', async t => {
  t.equal(await buildAll(dir, ['contract/fixtures/reading-time']), '')
})

t.test('programs', async t => {
  for (const name of ['application', 'alone'])
    await cp(join(import.meta.dirname, `fixtures/programs/${name}.ts`), join(dir, 'sources', name, 'index.ts'))
  const plugins = ['rest', 'i18n', 'draft-publish', 'reading-time'].map(name => `sources/${name}/src`)
  const only = { noEmit: true, rootDir: '.' }
  const node16 = { ...only, module: 'node16', moduleResolution: 'node16' }
  const bundler = { ...only, module: 'esnext', moduleResolution: 'bundler' }
  const [byNode, byBundler, alone] = await Promise.all([
    compile(dir, 'node16', ['sources/application'], node16),
    compile(dir, 'bundler', ['sources/application', ...plugins], bundler),
    compile(dir, 'alone', ['sources/alone'], { ...only, skipLibCheck: false }),
  ])
  t.equal(byNode, '', 'an application, by node16')
  t.equal(byBundler, '', 'an application and plugins, by bundler')
  t.equal(alone, '', 'the kernel without a server, its types and those of drivers')
})

t.test('the modules that the manifests name exist and run without the sources', async t => {
  const paths = [...(await publishedIn(root)).values()].flatMap(({ name, exports = {} }) =>
    Object.keys(exports).flatMap(path => (path === './package.json' ? [] : [join(name, path)])),
  )
  const program = paths.map(path => `await import('${path}')`).join('\n')
  const env = { ...process.env, NODE_OPTIONS: '' }
  await run(process.execPath, ['--no-strip-types', '--input-type=module', '--eval', program], { cwd: dir, env })
  const bin = join(dir, 'node_modules/@plinth/cli/dist/bin.js')
  t.match((await run(process.execPath, ['--no-strip-types', bin, '--version'], { env })).stdout, /^\d+\.\d+\.\d+/)
})
