// Finds what is wrong with the words behind a command: options that it does not have, values that are missing, and words
// that it would ignore. Runs nothing.

import type { CommandDef } from '#citty'
import { nearestOf } from './nearest.ts'

interface Arg {
  readonly type?: string
  readonly alias?: string
}

export const isHelp = (word: string): boolean => word === '--help' || word === '-h'

/**
 * Returns the fault of the words behind a command; null if there is none. Nothing must be ignored: `--dri app`, or the folder
 * alone, would run the command on the current folder. `title` is the command as it is written, for messages.
 */
export function faultOfWords(command: CommandDef, title: string, words: readonly string[]): string | null {
  const args = Object.values((command.args ?? {}) as Record<string, Arg>)
  const takesWords = args.some(({ type }) => type === 'positional')
  const options = optionsOf(command)
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (isHelp(word)) continue
    if (!word.startsWith('-')) {
      if (takesWords) continue
      return `"${word}" is too much: \`plinth ${title}\` takes options only${hintOn(word, options)}`
    }
    const [name = word] = word.split('=', 1)
    const type = options.get(name)
    if (!options.has(name)) return nearestOf('option', name, [...options.keys(), '--help'])
    const value = word.includes('=') ? word.slice(name.length + 1) : null
    if (type === 'string') {
      const fault = faultOfValue(name, value, words[i + 1] ?? '')
      if (fault !== null) return fault
      if (value === null) i++
    } else if (value !== null && value !== 'true' && value !== 'false') return `${name} takes no value`
  }
  return null
}

/** The fault of the value of an option: `value` stands behind `=`, and is null if the `next` word is the value. */
function faultOfValue(name: string, value: string | null, next: string): string | null {
  if ((value ?? next) === '') return `${name} needs a value`
  if (value !== null || !next.startsWith('-')) return null
  return `${name} needs a value, which is written ${name}=${next} if it begins with "-"`
}

/** Names the option for which a word may be meant: that of a file, or that of a folder if it is written as a path. */
function hintOn(word: string, options: ReadonlyMap<string, unknown>): string {
  if (options.has('--file')) return `, such as --file ${word}`
  return options.has('--dir') && /^[.~]|\//.test(word) ? `, such as --dir ${word}` : ''
}

/** The words of the options of a command with their types: `--file`, `-f`, and `--no-compress` for what can be turned off. */
function optionsOf({ args = {} }: CommandDef): Map<string, string | undefined> {
  return new Map(
    Object.entries(args as Record<string, Arg>)
      .filter(([, { type }]) => type !== 'positional')
      .flatMap(([name, { type, alias }]) => [
        [`--${name}`, type] as const,
        ...(alias === undefined ? [] : [[`-${alias}`, type] as const]),
        ...(type === 'boolean' ? [[`--no-${name}`, type] as const] : []),
      ]),
  )
}
