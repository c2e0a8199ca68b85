// The documents of the repository and their examples, for the tests of several packages. Does not know what examples mean.

import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Example, examplesIn } from './examples.ts'

/** The root of the repository. */
export const root = join(import.meta.dirname, '../../..')

/** All documents but the chapters of the dialect, whose examples are shortened; recordings say the same in full. */
const documents = [
  '*.md',
  '{docs,docs/guides,bench}/*.md',
  '{packages,apps,acceptance}/*/README.md',
  'contract/README.md',
]

/** An example, with its document and the line. */
export interface Placed extends Example {
  readonly document: string
  readonly place: string
}

/** Returns the examples of a text that is a document of this name. */
export const placed = (document: string, text: string): Placed[] =>
  examplesIn(text).map(example => ({ ...example, document, place: `${document}:${example.line}` }))

/** Returns the texts of the documents, by their paths from the root of the repository. */
export async function readDocuments(): Promise<ReadonlyMap<string, string>> {
  const paths: string[] = []
  for await (const path of glob(documents, { cwd: root, exclude: ['**/node_modules/**'] })) paths.push(path)
  const texts = paths.sort().map(async path => {
    return [path.replaceAll('\\', '/'), await readFile(join(root, path), 'utf8')] as const
  })
  return new Map(await Promise.all(texts))
}

/** JSON: one value, or one in each line. `…` stands for what is left out. Throws SyntaxError for anything else. */
export function valuesIn({ language, code }: Example): unknown[] {
  const plain = language === 'jsonc' ? code.replaceAll(/^\s*\/\/.*|\s\/\/ .*/gm, '') : code
  const text = plain.replaceAll(/: …(?=[,\n])/g, ': "…"')
  try {
    return [JSON.parse(text)]
  } catch (error) {
    const lines = text.split('\n')
    if (!lines.every(line => /^[{[]/.test(line))) throw error
    return lines.map(line => JSON.parse(line))
  }
}
