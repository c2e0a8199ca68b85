// The usage text of a command, with its examples, and without colours where no terminal shows them.

import { stripVTControlCharacters } from 'node:util'
import { type CommandDef, renderUsage } from '#citty'

const examples = new WeakMap<object, readonly string[]>()

/** Adds lines to the usage text of a command, each a command line with a comment behind it. */
export function withExamples<T extends object>(command: T, lines: readonly string[]): T {
  examples.set(command, lines)
  return command
}

/**
 * The usage text of the command with these names, `plinth` first. Colours are only for terminals, and NO_COLOR turns them
 * off there too.
 */
export async function usageOf(command: CommandDef, path: readonly string[]): Promise<string> {
  const above = path.slice(0, -1).join(' ')
  const text = await renderUsage(command, above === '' ? undefined : { meta: { name: above } })
  const lines = examples.get(command)
  const whole = lines === undefined ? text : `${text.trimEnd()}\n\nEXAMPLES\n\n${lines.map(l => `  ${l}`).join('\n')}\n`
  return process.stdout.isTTY && !process.env.NO_COLOR ? whole : stripVTControlCharacters(whole)
}
