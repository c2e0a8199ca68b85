// The TypeScript in the documents compiles: each block is a file of its own, with the options of tsconfig.base.json.

import { execFile } from 'node:child_process'
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nativeCompiler } from '@plinth/test-tools/compiler'
import t from 'tap'

const root = join(import.meta.dirname, '..')
const documents = ['*.md', 'docs/*.md', 'packages/*/README.md', 'apps/*/README.md']

/** Names that a block may use without declaring them. */
const given = `import type { Kernel } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'

declare global {
  /** The folder of the application. */
  const dir: string
  const kernel: Kernel
  const app: FastifyInstance
}
`

/** A block of a document, under the name of its file. */
type Blocks = Readonly<Record<string, string>>

/** The blocks of a document. They begin with empty lines, so that their lines have the numbers of the document's. */
function blocksOf(path: string, text: string): Blocks {
  const blocks: Record<string, string> = {}
  const lines = text.split('\n')
  for (const [start, line] of lines.entries()) {
    if (!/^```(?:ts|typescript)\b/.test(line)) continue
    const end = lines.indexOf('```', start)
    const code = lines.slice(start + 1, end).join('\n')
    blocks[`${path.replaceAll('/', '-')}-${start + 1}.ts`] = `${'\n'.repeat(start + 1)}${code}\nexport {}\n`
  }
  return blocks
}

/** Compiles the blocks in a folder of this package, which has all packages. Returns what the compiler reports. */
async function compile(blocks: Blocks): Promise<string> {
  await mkdir(join(import.meta.dirname, '.data'), { recursive: true })
  const dir = await mkdtemp(join(import.meta.dirname, '.data/documents-'))
  try {
    // Examples declare results that they do not use.
    const compilerOptions = { noEmit: true, noUnusedLocals: false, noUnusedParameters: false }
    const config = JSON.stringify({ extends: '../../../tsconfig.base.json', compilerOptions, include: ['*.ts'] })
    await writeFile(join(dir, 'tsconfig.json'), config)
    await writeFile(join(dir, 'given.d.ts'), given)
    for (const [name, code] of Object.entries(blocks)) await writeFile(join(dir, name), code)
    const args = [nativeCompiler, '--pretty', 'false', '-p', '.']
    return await new Promise(resolve =>
      execFile(process.execPath, args, { cwd: dir }, (_, out, err) => resolve(out + err)),
    )
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

t.test('all documents', async t => {
  // One deliberate mistake shows that the compiler reports mistakes at all.
  const mistaken = blocksOf('docs/none.md', 'Text\n```ts\nkernel.transaction(1)\n```\n```json\n{\n```')
  t.same(Object.keys(mistaken), ['docs-none.md-2.ts'])
  const blocks: Record<string, string> = { ...mistaken }
  for await (const path of glob(documents, { cwd: root }))
    Object.assign(blocks, blocksOf(path.replaceAll('\\', '/'), await readFile(join(root, path), 'utf8')))
  t.ok(Object.keys(blocks).length > 15, 'they have blocks')
  t.match(await compile(blocks), /^docs-none\.md-2\.ts\(3,20\): error TS2345: [^\n]+\n$/)
})
