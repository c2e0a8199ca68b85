/**
 * Collects the codes of errors from the doc comments in the sources. `node contract/error-codes.ts` writes
 * docs/errors.md; the test in laws/errors.test.ts fails if the page is older than the sources.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
export const page = join(root, 'docs/errors.md')

/** A source file of a package. */
export interface Source {
  /** A path such as `packages/kernel/src/errors.ts`. */
  readonly path: string
  readonly text: string
}

/** The published packages, the kernel first; errors of the others do not reach users. */
const published = readdirSync(join(root, 'packages'))
  .filter(name => JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).private !== true)
  .sort((a, b) => Number(b === 'kernel') - Number(a === 'kernel'))

/** All sources of all packages. */
export function sources(): Source[] {
  return published.flatMap(name => {
    const folder = join(root, 'packages', name, 'src')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
      /(?<!\.test)\.ts$/.test(file),
    )
    return files.sort().map(file => ({
      path: relative(root, join(folder, file)),
      text: readFileSync(join(folder, file), 'utf8'),
    }))
  })
}

/** A code, as it is declared in its interface; `value` is the HTTP status of the response. */
export interface Code {
  readonly code: string
  readonly value: string
  readonly meaning: string
}

/** The members of all interfaces of this name. */
export function codesOf(name: 'ErrorCodes' | 'AnswerCodes', all: readonly Source[] = sources()): Code[] {
  const bodies = all.flatMap(({ text }) =>
    [...text.matchAll(new RegExp(`interface ${name} \\{\\n([\\s\\S]*?)\\n *\\}\\n`, 'g'))].map(([, body]) => body!),
  )
  const member = /(?:\/\*\*([\s\S]*?)\*\/\s*)?^ *(\w+): (\w+)$/gm
  return bodies.flatMap(body =>
    [...body.matchAll(member)].map(([, comment = '', code, value]) => ({
      code: code!,
      value: value!,
      meaning: comment.replaceAll(/\s*\n\s*\* ?/g, ' ').trim(),
    })),
  )
}

/** The headings of codes, by prefix. */
const families: Readonly<Record<string, string>> = {
  CONFIG: 'Configuration',
  SECRET: 'Configuration',
  OPTION: 'Configuration',
  APP: 'Configuration',
  SCHEMA: 'Schemas',
  LIFECYCLE: 'Schemas',
  DATABASE: 'Databases',
  MIGRATION: 'Migrations',
  PLUGIN: 'Plugins',
  DEFINITION: 'Plugins',
  HOOK: 'Plugins',
  FROZEN: 'Plugins',
  ACTION: 'Plugins',
  POLICY: 'Plugins',
  GRAPHQL: 'GraphQL',
  TRANSFER: 'Exports and imports',
  IMPORT: 'Exports and imports',
}

const entry = ({ code, meaning }: Code) => `### ${code}\n\n${meaning}`

/** The text of docs/errors.md. */
export function pageText(all: readonly Source[] = sources()): string {
  const groups = new Map<string, Code[]>()
  for (const one of codesOf('ErrorCodes', all)) {
    const family = families[one.code.split('_')[1]!] ?? 'Code'
    groups.set(family, [...(groups.get(family) ?? []), one])
  }
  const answers = codesOf('AnswerCodes', all).sort((a, b) => Number(a.value) - Number(b.value))
  return `${[
    '# Errors',
    '<!-- Made by contract/error-codes.ts from the doc comments in the sources. -->',
    'Every error has a `code`. Those that begin with `PLINTH_` keep a server from starting, or report that ' +
      'code uses something that does not exist; their messages say what is wrong, where, and what helps. Errors that are answers have the ' +
      '`name` in the body as their code.',
    ...[...groups].flatMap(([family, codes]) => [`## ${family}`, ...codes.map(entry)]),
    '## Answers',
    ...answers.map(one => `### ${one.code}\n\n${one.value}. ${one.meaning}`),
  ].join('\n\n')}\n`
}

if (import.meta.main) writeFileSync(page, pageText())
