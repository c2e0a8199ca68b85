// The built packages as users have them: all kinds of module resolution find their types, internal members are missing
// from these, and their code runs.

import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import t from 'tap'
import { publishedIn } from '../published.ts'
import { compile, link } from './fixtures/built.ts'
import { writeGuide } from './fixtures/guide.ts'
import { root, tarballOf, tool } from './fixtures/packed.ts'
import { prepared } from './fixtures/prepared.ts'

interface SourceMap {
  readonly sources: readonly string[]
  readonly sourcesContent?: readonly string[]
}

const run = promisify(execFile)
const { dir, report } = await prepared()

// By the resolution nodenext, which tsconfig.base.json sets.
t.test('packages and an external plugin compile with the built types', async t => {
  t.equal(report, '')
})

// Packages are ESM only, so what a CommonJS program sees of their types is the ESM form; and `moduleResolution: node10`
// reads no exports at all.
t.test('publint and arethetypeswrong find nothing wrong', async t => {
  for (const { name, version } of (await publishedIn(root)).values()) {
    const data = await readFile(join(dir, 'tarballs', tarballOf({ name, version })))
    const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
    const texts = messages.map(one => formatMessage(one, pkg))
    t.same(texts, [], `${name}: publint`)
    const analysis = await checkPackage(createPackageFromTarballData(data))
    t.ok(analysis.types, `${name} has types`)
    const problems = 'problems' in analysis ? analysis.problems : []
    const wrong = problems.filter(
      one => one.kind !== 'CJSResolvesToESM' && !('resolutionKind' in one && one.resolutionKind === 'node10'),
    )
    t.same(wrong, [], `${name}: arethetypeswrong`)
  }
})

t.test('plugins, by the resolution bundler', async t => {
  const plugins = ['rest', 'i18n', 'draft-publish', 'reading-time'].map(name => `sources/${name}/src`)
  const options = { noEmit: true, rootDir: '.', module: 'esnext', moduleResolution: 'bundler' }
  t.equal(await compile(dir, 'bundler', plugins, options), '')
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

t.test('source maps contain the sources, and stack traces show their lines', async t => {
  for (const { name } of (await publishedIn(root)).values()) {
    const dist = join(dir, 'node_modules', name, 'dist')
    const modules = (await readdir(dist, { recursive: true })).filter(path => path.endsWith('.js'))
    const wrong: string[] = []
    for (const path of modules) {
      const source = path.replace(/js$/, 'ts').replaceAll('\\', '/')
      const text = await readFile(join(dir, 'sources', name.replace('@plinth/', ''), 'src', source), 'utf8')
      const map = JSON.parse(await readFile(join(dist, `${path}.map`), 'utf8')) as SourceMap
      if (!map.sources[0]?.endsWith(`/src/${source}`) || map.sourcesContent?.[0] !== text) wrong.push(path)
    }
    t.ok(modules.length > 0, name)
    t.same(wrong, [], `${name}: each module has its own`)
  }
  const program = `const { createKernel } = await import('@plinth/kernel')
    await createKernel({ pluggins: {} }).catch(error => console.log(error.stack))`
  const words = ['--enable-source-maps', '--no-strip-types', '--input-type=module', '--eval', program]
  const { stdout } = await run(process.execPath, words, { cwd: dir, env: { ...process.env, NODE_OPTIONS: '' } })
  const [, file = '', line] = /kernel\/(src\/[^:]+\.ts):(\d+)/.exec(stdout.replaceAll('\\', '/')) ?? []
  const lines = (await readFile(join(root, 'packages/kernel', file), 'utf8')).split('\n')
  t.match(lines[Number(line) - 1], /\bnew \w+Error\b/, `${file}:${line}`)
})

t.test('the plugin of the guide passes its test and the type check, and is built', async t => {
  const guide = join(dir, 'guide')
  const files = await writeGuide('docs/guides/rating-plugin.md', guide)
  t.ok(files.includes('src/index.ts') && files.includes('test/rating.test.ts'), 'it has files')
  // What its package.json names beside the packages of Plinth.
  await link(join(root, 'packages/testing'), ['fastify'], dir)
  await link(join(root, 'packages/graphql'), ['graphql'], dir)
  t.equal(await tool('typescript/bin/tsc', ['-p', guide, '--noEmit', '--pretty', 'false'], guide), '')
  const env = { ...process.env, NODE_OPTIONS: '' }
  const test = () => run(process.execPath, ['--test', 'test/rating.test.ts'], { cwd: guide, env })
  t.match((await test()).stdout, /pass 4\n.*fail 0\n/s)
  await tool('typescript/bin/tsc', ['-p', join(guide, 'tsconfig.build.json')], guide)
  const { default: plugin } = await import(join(guide, 'dist/index.js'))
  t.equal(plugin.plinth.name, 'rating', 'what is published can be imported')
  const file = join(guide, 'src/questions.ts')
  await writeFile(file, (await readFile(file, 'utf8')).replace("'gte'", "'lte'"))
  const failed = await test().catch((error: { readonly stdout: string }) => error)
  t.match(failed.stdout, /fail 1\n/, 'its test can fail')
})
