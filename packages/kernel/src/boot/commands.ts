// The types of the commands that plugins add to the command line. The kernel only carries them: what reads words and
// options, and runs the commands, is a package of its own.

import { checkFunction, checkOneOf, checkTexts, checkWords, shown, type Words } from '../registration/checks.ts'
import type { Refuse } from '../registration/registrar.ts'
import type { Kernel } from './kernel.ts'

/** An option of a command, as `--name value`, or `--name` if it is a flag. */
export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly description: string
  /** A name for the value in the usage text, such as `folder`. */
  readonly valueHint?: string
}

/** The argument of a command's function. */
export interface CommandTools<Config = unknown> {
  /** The application of the folder, with the mode of migration `none`: `bootstrap` has not run. */
  readonly kernel: Kernel
  /** The settings of the plugin. */
  readonly config: Config
  /** The words that follow the command. */
  readonly words: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
  /** Prints a line of the result, on the standard output. */
  print(line: string): void
  /** Prints a line for people, on the standard error output, which a script that reads the result does not receive. */
  remark(line: string): void
}

const withoutDatabase = ['refuse', 'create', 'run'] as const

type WithoutDatabase = (typeof withoutDatabase)[number]

/** A command of a plugin. An error that it throws is printed, and the exit code is 1. */
export interface Command {
  readonly description: string
  /** The names of the words that follow the command, for the usage text. Without it, words are refused. */
  readonly words?: readonly string[]
  readonly options?: Readonly<Record<string, CommandOption>>
  /** Command lines for the usage text, each perhaps with a comment behind `#`. */
  readonly examples?: readonly string[]
  /**
   * The effect of a database file that does not exist. `refuse`, the default: the command is refused, with the path of the
   * file. `create`: the file is created, as by a start. `run`: the command, which needs no rows, has an empty
   * database in memory, and what it writes is lost.
   */
  readonly withoutDatabase?: WithoutDatabase
  run(tools: CommandTools): void | Promise<void>
}

/** The commands of one word: `plinth <word> <command>`. */
export interface CommandGroup {
  readonly description: string
  readonly commands: Readonly<Record<string, Command>>
}

const groupWords: Words<CommandGroup> = { description: 'needed', commands: 'needed' }
const commandWords: Words<Command> = {
  description: 'needed',
  words: 'optional',
  options: 'optional',
  examples: 'optional',
  withoutDatabase: 'optional',
  run: 'needed',
}
const optionWords: Words<CommandOption> = { type: 'needed', description: 'needed', valueHint: 'optional' }

/** Refuses commands that the command line could not call. */
export function checkCommands(groups: unknown, refuse: Refuse): void {
  for (const [group, definition] of membersOf('commands', groups, refuse)) {
    const place = `commands.${group}`
    checkWords(definition, groupWords, at(place, refuse))
    for (const [name, command] of membersOf(`${place}.commands`, definition.commands, refuse)) {
      const refuseOne = at(`${place}.commands.${name}`, refuse)
      checkWords(command, commandWords, refuseOne)
      checkFunction('run', command.run, refuseOne)
      checkTexts('words', command.words, refuseOne)
      checkTexts('examples', command.examples, refuseOne)
      checkOneOf('withoutDatabase', command.withoutDatabase ?? 'refuse', withoutDatabase, refuseOne)
      for (const [option, one] of membersOf('options', command.options, refuseOne)) {
        const refuseOption = at(`options.${option}`, refuseOne)
        checkWords(one, optionWords, refuseOption)
        checkOneOf('type', one.type, ['string', 'boolean'], refuseOption)
      }
    }
  }
}

const at =
  (place: string, refuse: Refuse): Refuse =>
  (fault, code) =>
    refuse(`${place}: ${fault}`, code)

/** The members of an object; none if it is undefined. Names are those of words on a command line. */
function membersOf(key: string, value: unknown = {}, refuse: Refuse): [string, unknown][] {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    refuse(`${key} must be an object, found ${shown(value)}`)
  const members = Object.entries(value as object)
  for (const [name] of members)
    if (!/^[a-z][a-z0-9-]*$/.test(name))
      refuse(`${key}: the name "${name}" must be in lower case, as a word of a command`)
  return members
}
