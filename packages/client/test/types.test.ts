// The client is typed by the written types: what is right compiles, and each wrong use is an error.

import { execFile } from 'node:child_process'
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createKernel } from '@plinth/kernel'
import { nativeCompiler } from '@plinth/test-tools/compiler'
import { temporary } from '@plinth/test-tools/fixtures'
import { describeModel, writeTypes } from '@plinth/types'
import t, { type Test } from 'tap'
import * as large from './fixtures/large-model.ts'
import * as model from './fixtures/model.ts'

const packageDir = join(import.meta.dirname, '..')

/** The written types of a model. */
async function typesOf(t: Test, { contentTypes, components }: typeof large | typeof model): Promise<string> {
  const kernel = await createKernel({
    dir: import.meta.dirname,
    database: { client: 'sqlite', connection: { filename: ':memory:' } },
    contentTypes,
    components,
    plugins: {
      'draft-publish': true,
      i18n: { config: { locales: ['en', 'de'] } },
      upload: { config: { folder: await temporary(t) } },
      'users-permissions': { config: { jwtSecret: 'a secret of the tests of the client, long enough' } },
    },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
  t.teardown(() => kernel.close())
  return writeTypes(describeModel(kernel))
}

/** Compiles a program as a strict front end does, without types of Node. Returns what the compiler reports. */
async function compile(t: Test, program: string, types: string | null, word = '--noEmit'): Promise<string> {
  const dir = await temporary(t)
  await mkdir(join(dir, 'node_modules/@plinth'), { recursive: true })
  await symlink(packageDir, join(dir, 'node_modules/@plinth/client'), 'junction')
  await writeFile(join(dir, 'package.json'), '{ "type": "module" }')
  await copyFile(join(import.meta.dirname, 'programs', program), join(dir, program))
  if (types !== null) await writeFile(join(dir, 'content.d.ts'), types)
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  }
  const files = types === null ? [program] : ['content.d.ts', program]
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  return new Promise(resolve =>
    execFile(process.execPath, [nativeCompiler, '--pretty', 'false', '-p', dir, word], (_, out, err) =>
      resolve(out + err),
    ),
  )
}

t.test('with the types of the content', async t => {
  t.equal(await compile(t, 'typed.ts', await typesOf(t, model)), '')
})

t.test('53 types and 35 nested components', async t => {
  const report = await compile(t, 'large-model.ts', await typesOf(t, large), '--extendedDiagnostics')
  t.notMatch(report, /error TS/)
  const instantiations = Number(/Instantiations:\s+(\d+)/.exec(report)?.[1])
  t.ok(instantiations > 0 && instantiations < 1_000_000, `${instantiations} instantiations of types`)
})

t.test('without them', async t => {
  t.equal(await compile(t, 'untyped.ts', null), '')
})
