// Finds the command lines in documents: those of shells, of units of systemd, of scripts, and those within sentences. Knows
// no program but by the words with which it is called.

import { type Placed, placed, valuesIn } from '@plinth/test-tools/documents'
import { commandsIn, type ShellCommand } from '@plinth/test-tools/shell-words'

/** A command with its place. */
export interface CommandLine extends ShellCommand {
  readonly document: string
  readonly place: string
  /** True if a sentence mentions the command, which may leave out some of its words. */
  readonly isMention: boolean
}

/** Programs by whose names a piece of a sentence is taken for a command. */
const programs = /^(?:[A-Z_]+=\S+ )*(?:(?:\S*\/)?plinth|npx|npm|pnpm|docker) [a-z@-]/

/** Returns the command lines of a document. */
export function commandLinesIn(document: string, text: string): CommandLine[] {
  const within = (code: string, line: number, isMention = false) =>
    commandsIn(code).map(one => ({ ...one, document, place: `${document}:${line + one.line}`, isMention }))
  const blocks = placed(document, text)
  return [
    ...blocks.flatMap(block => within(shellTextOf(block), block.line + 1)),
    ...sentencesOf(text, blocks).flatMap(([sentence, line]) =>
      [...sentence.matchAll(/`([^`]+)`/g)]
        .map(([, code]) => code!)
        .filter(code => programs.test(code))
        .flatMap(code => within(withoutPlaceholders(code), line, true)),
    ),
  ]
}

/** The lines of an example that a shell would read; the others are empty. */
function shellTextOf(block: Placed): string {
  const { language, code } = block
  if (language === 'sh') return code
  const lines = code.split('\n')
  if (language === 'console' || language === '') return keeping(lines, /^\$ (.*)/)
  if (language === 'ini') return keeping(lines, /^(?:ExecStart|Environment)=(.*)/)
  if (language === 'json' && /"scripts": /.test(code)) return scriptsOf(block).join('\n')
  return ''
}

const keeping = (lines: readonly string[], begin: RegExp) => lines.map(line => begin.exec(line)?.[1] ?? '').join('\n')

function scriptsOf(block: Placed): string[] {
  const [manifest] = valuesIn(block) as { readonly scripts?: Readonly<Record<string, string>> }[]
  return Object.values(manifest?.scripts ?? {})
}

/** The lines outside of blocks, with their numbers. */
function sentencesOf(text: string, blocks: readonly Placed[]): (readonly [string, number])[] {
  const inBlocks = new Set(
    blocks.flatMap(({ line, code }) => Array.from({ length: code.split('\n').length + 2 }, (_, i) => line + i)),
  )
  return text
    .split('\n')
    .map((line, i) => [line, i + 1] as const)
    .filter(([, number]) => !inBlocks.has(number))
}

/** Replaces `<name>` by a word and `<command>` by a command that exists, takes optional words as given, and drops `…` and all behind it. */
const withoutPlaceholders = (code: string) =>
  code
    .replace(/…[\s\S]*/, '')
    .replaceAll('<command>', 'start')
    .replaceAll(/<([\w.-]+)>/g, '$1')
    .replaceAll(/\[(-[^\]]*)\]/g, '$1')
