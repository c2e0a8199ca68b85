// The examples in the documents are right as far as that can be seen without running them: TypeScript compiles, each block as a
// file of its own with the options of tsconfig.base.json, and the other languages are parsed. Beside this file,
// documents/command-lines.test.ts checks every command line, and documents/models.test.ts makes models of schemas.
// apps/docs/test/requests.test.ts sends the requests and validates the operations of GraphQL. Other tests run the tour, the
// newcomer's run, the guide, the recipes of webhooks, and the pages of apps/docs/test/pages.test.ts.

import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nativeCompiler } from '@plinth/test-tools/compiler'
import { type Placed, placed, readDocuments, valuesIn } from '@plinth/test-tools/documents'
import { commandsIn } from '@plinth/test-tools/shell-words'
import { parse } from 'graphql'
import t from 'tap'

/** Languages that are not looked at, with the reason. */
const unchecked: Readonly<Record<string, string>> = {
  console: 'docs/newcomer.md is compared with a run by release/test/newcomer.test.ts',
  diff: 'a part of the same run',
  dockerfile: 'release/test/created.test.ts compares it with the one that create-plinth writes',
  text: 'what a command or a module prints: compared by the test that runs it',
  ini: 'a unit of systemd, which documents/deployment-files.test.ts lets systemd read where there is one',
  nginx: 'a configuration with which documents/deployment-files.test.ts runs nginx where there is one',
  caddyfile: 'a configuration with which the same test runs Caddy',
  sql: 'statements of an administrator of PostgreSQL, run by documents/statements.test.ts where there is a server',
  md: 'a text that a user writes',
}

/** Blocks without a language are output, addresses or settings of other programs. */
const plain = ''

/** Names that a block may use without declaring them. */
const given = `import type { Kernel } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'

declare global {
  /** The folder of the application. */
  const dir: string
  const kernel: Kernel
  const app: FastifyInstance
  /** Of a browser. */
  const sessionStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void }
  /** What Next adds to the options of fetch. */
  interface RequestInit {
    next?: { tags?: string[] }
  }
}
`

/** Modules of frameworks that the documents name and the tests do not install. */
const frameworks = `declare module 'next/headers' {
  export function draftMode(): Promise<{ readonly isEnabled: boolean; enable(): void; disable(): void }>
}
declare module 'next/navigation' {
  export function redirect(path: string): never
}
`

/** A block of a document, under the name of its file. */
type Blocks = Readonly<Record<string, string>>

/**
 * The examples that are compiled, as files. They begin with empty lines, so that their lines have the numbers of the document's.
 * JavaScript may be a part of the settings of a plugin.
 */
function blocksOf(examples: readonly Placed[]): Blocks {
  const compiled = examples.filter(
    // The guide is a package whose files import each other: release/test/built.test.ts builds and tests it.
    ({ language, document }) => (language === 'ts' || language === 'js') && !document.startsWith('docs/guides/'),
  )
  return Object.fromEntries(
    compiled.map(({ language, code, document, line }) => {
      const isPart = /^'?[\w-]+'?: \{/.test(code)
      const text = isPart ? `export default {${code}}` : `${code}\nexport {}`
      return [`${document.replaceAll('/', '-')}-${line}.${language}`, `${'\n'.repeat(line)}${text}\n`]
    }),
  )
}

/** The first line of a request or of an answer. */
const httpLine = /^(?:(?:GET|POST|PUT|DELETE|OPTIONS|HEAD) \/|HTTP\/\S+ \d{3})/

/** What reads the languages that are not compiled; each throws an error for what it does not understand. */
const parsers: Readonly<Record<string, (example: Placed) => void>> = {
  json: valuesIn,
  jsonc: valuesIn,
  graphql: ({ code }) => void parse(code),
  http({ code }) {
    if (!httpLine.test(code)) throw new Error('There is neither a request nor an answer')
  },
  sh: ({ code }) => void commandsIn(code),
}

/** Returns what a shell reports of these blocks, which it reads and does not run, in one process. */
function readByShell(blocks: readonly string[]): string {
  const { stderr } = spawnSync('sh', ['-n'], { input: blocks.join('\n'), encoding: 'utf8' })
  return stderr
}

/** Compiles the blocks in a folder of this package, which has all packages. Returns what the compiler reports. */
async function compile(blocks: Blocks): Promise<string> {
  await mkdir(join(import.meta.dirname, '.data'), { recursive: true })
  const dir = await mkdtemp(join(import.meta.dirname, '.data/documents-'))
  try {
    // Examples declare results that they do not use.
    const compilerOptions = {
      noEmit: true,
      allowJs: true,
      declaration: false,
      noUnusedLocals: false,
      noUnusedParameters: false,
    }
    const config = JSON.stringify({
      extends: '../../../tsconfig.base.json',
      compilerOptions,
      include: ['*.ts', '*.js'],
    })
    await writeFile(join(dir, 'tsconfig.json'), config)
    await writeFile(join(dir, 'given.d.ts'), given)
    await writeFile(join(dir, 'frameworks.d.ts'), frameworks)
    for (const [name, code] of Object.entries(blocks)) await writeFile(join(dir, name), code)
    const args = [nativeCompiler, '--pretty', 'false', '-p', '.']
    return await new Promise(resolve =>
      execFile(process.execPath, args, { cwd: dir }, (_, out, err) => resolve(out + err)),
    )
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const examples = [...(await readDocuments())].flatMap(([document, text]) => placed(document, text))

t.test('every language is looked at, or named with the reason why it is not', t => {
  const known = [...Object.keys(parsers), ...Object.keys(unchecked), 'ts', 'js', plain]
  t.same(
    examples.filter(({ language }) => !known.includes(language)),
    [],
  )
  const used = new Set(examples.map(({ language }) => language))
  t.same(
    Object.keys(unchecked).filter(language => !used.has(language)),
    [],
    'no reason is left over',
  )
  t.end()
})

t.test('what is compiled', async t => {
  // One deliberate mistake shows that the compiler reports mistakes at all.
  const mistaken = placed('docs/none.md', 'Text\n```ts\nkernel.transaction(1)\n```\n```json\n{\n```')
  t.same(Object.keys(blocksOf(mistaken)), ['docs-none.md-2.ts'])
  const blocks = blocksOf([...mistaken, ...examples])
  t.ok(Object.keys(blocks).length > 15, 'they have blocks')
  t.match(await compile(blocks), /^docs-none\.md-2\.ts\(3,20\): error TS2345: [^\n]+\n$/)
})

for (const [language, read] of Object.entries(parsers)) {
  t.test(`what is ${language}`, t => {
    const found = examples.filter(example => example.language === language)
    t.ok(found.length > 0, 'there is some')
    for (const example of found) t.doesNotThrow(() => read(example), example.place)
    t.throws(() => read({ ...found[0]!, code: '{ " unfinished' }), 'a mistake is seen')
    t.end()
  })
}

t.test('what a shell reads', t => {
  const blocks = examples.filter(({ language }) => language === 'sh').map(({ code }) => code)
  t.equal(readByShell(blocks), '')
  t.match(readByShell([...blocks, 'if true']), /[Ss]yntax error/, 'a mistake is seen')
  t.end()
})
