// The commands `plinth generate` of the documents are run as they stand there, each in an application of its own: their words
// describe attributes, which no usage text knows.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ProgramResult, runHere } from '@plinth/test-tools/command'
import { readDocuments } from '@plinth/test-tools/documents'
import t from 'tap'
import { run } from '../../packages/cli/src/index.ts'
import { commandLinesIn } from './command-lines.ts'
import { typeWith } from './schema-files.ts'

/** The words behind `plinth generate`, if they name what is generated; null for other commands. */
function generatedBy(words: readonly string[]): readonly string[] | null {
  const at = words.findIndex(word => word.split('/').at(-1) === 'plinth')
  const [command, , name] = words.slice(at + 1)
  return command === 'generate' && name !== undefined ? words.slice(at + 1) : null
}

/** Runs a command in an application that has the API that it extends, and one to link. */
async function generate(words: readonly string[]): Promise<ProgramResult> {
  const dir = await mkdtemp(join(import.meta.dirname, '../.data/generation-'))
  try {
    const extended = words.includes('--api') ? [words[words.indexOf('--api') + 1]!] : []
    const types = ['writer', ...extended].map(name => [
      `src/api/${name}/content-types/${name}/schema.json`,
      JSON.stringify(typeWith(name, { name: { type: 'string' } })),
    ])
    for (const [path, text] of [...types, ['package.json', '{}']] as [string, string][]) {
      await mkdir(dirname(join(dir, path)), { recursive: true })
      await writeFile(join(dir, path), text)
    }
    return await runHere(run, words, {}, dir)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

t.test('generate', async t => {
  await mkdir(join(import.meta.dirname, '../.data'), { recursive: true })
  const lines = [...(await readDocuments())].flatMap(([document, text]) =>
    commandLinesIn(document, text).flatMap(({ words, place }) => {
      const generated = generatedBy(words)
      return generated === null ? [] : [{ words: generated, place }]
    }),
  )
  t.ok(lines.length >= 7, `${lines.length} commands`)
  for (const { words, place } of lines) {
    const { code, err } = await generate(words)
    t.equal(code, 0, `${place}: ${words.join(' ')}`, { err })
  }
  const mistake = ['generate', 'api', 'book', 'title:strng']
  t.match(await generate(mistake), { code: 1, err: /strng/ }, 'a mistake is seen')
})
