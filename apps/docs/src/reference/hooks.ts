// Writes docs/hooks.md from the doc comments of the interface `Hooks`, in the kernel and in the plugins that extend it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contents.ts'

/** The files that declare hooks, and who calls them. */
const sources: readonly [path: string, caller: string][] = [
  ['packages/kernel/src/hooks/hooks.ts', 'Hooks of the kernel'],
  ['packages/graphql/src/index.ts', 'Hooks of GraphQL'],
]

/** A hook, as it is declared. */
export interface Hook {
  readonly name: string
  readonly signature: string
  readonly meaning: string
}

/** Returns the members of the interface `Hooks` in a source. */
export function hooksIn(source: string): Hook[] {
  const [, indent, body] = /^( *)(?:export )?interface Hooks \{\n([\s\S]*?)\n\1\}/m.exec(source) ?? []
  if (body === undefined) throw new Error('The source declares no hooks')
  const members = body.matchAll(new RegExp(`/\\*\\*([\\s\\S]*?)\\*/\\n${indent}  (.+)`, 'g'))
  return [...members].map(([, comment, signature]) => ({
    name: /^'?([\w:-]+)/.exec(signature!)![1]!,
    signature: signature!,
    meaning: comment!.replaceAll(/\s*\n\s*\* ?/g, ' ').trim(),
  }))
}

/** The text of docs/hooks.md. */
export function hooksPage(): string {
  const sections = sources.map(([path, caller]) => {
    const hooks = hooksIn(readFileSync(join(root, path), 'utf8'))
    const entries = hooks.map(({ name, signature, meaning }) => `### ${name}\n\n\`${signature}\`\n\n${meaning}`)
    return [`## ${caller}`, ...entries].join('\n\n')
  })
  return `${[
    '# Hooks',
    '<!-- Made by apps/docs/src/reference/hooks.ts from the doc comments in the sources. -->',
    '`kernel.hooks.on(name, fn)` in `register` of the application or of a plugin adds a listener. [Plugins](plugins.md#hooks) ' +
      'has the order in which listeners run, what an error does, an example of each, and [how a plugin declares hooks](plugins.md#hooks-of-your-own).',
    ...sections,
  ].join('\n\n')}\n`
}
