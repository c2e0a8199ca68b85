// The command line as a function: `run(['migrate', 'plan'])` resolves to the exit code.

import { readFileSync } from 'node:fs'
import { redactText } from '@plinth/kernel'
import { type CommandDef, defineCommand, runCommand } from '#citty'
import { absentIn } from './absent-plugins.ts'
import { advise } from './advise.ts'
import { consoleCommand } from './console.ts'
import { contentTypes } from './content-types.ts'
import { dev } from './dev.ts'
import { doctor } from './doctor.ts'
import { exportCommand } from './export.ts'
import { Failure } from './failure.ts'
import { faultOfWords, isHelp } from './faults-of-words.ts'
import { generate } from './generate.ts'
import { importCommand } from './import.ts'
import { migrate } from './migrate.ts'
import { nearestOf } from './nearest.ts'
import { openapi } from './openapi.ts'
import { commandsOfPlugins, dirIn } from './plugin-commands.ts'
import { routes } from './routes.ts'
import { start } from './start.ts'
import { types } from './types.ts'
import { usageOf, withExamples } from './usage.ts'
import { insteadOf } from './v4-words.ts'

export { endAtSignals } from './signals.ts'

const builtIn = {
  dev,
  start,
  routes,
  openapi,
  'content-types': contentTypes,
  types,
  generate,
  console: consoleCommand,
  migrate,
  doctor,
  advise,
  export: exportCommand,
  import: importCommand,
} as unknown as Record<string, CommandDef>

/** The words that are taken: the commands and their other names. */
const builtInWords = Object.values(builtIn).flatMap(one => [nameOf(one), ...aliasesOf(one)])

const mainOf = (subCommands: Record<string, CommandDef>): CommandDef =>
  withExamples(
    defineCommand({
      meta: { name: 'plinth', description: 'develops, serves and inspects an application; plugins add commands' },
      subCommands,
    }),
    [
      'plinth dev             # serves the application in the current folder',
      'plinth help migrate    # the same as plinth migrate --help',
      'plinth --version',
      'plinth migrate status  # as all commands: 0 for success, 1 for a failure, 2 for an unknown command or option',
    ],
  )

/**
 * Runs a command and returns its exit code. 0: it succeeded. 1: it failed, or found something at which a script should stop.
 * 2: the command or an option is unknown.
 */
export async function run(words: readonly string[]): Promise<number> {
  const args = words[0] === 'help' ? [...words.slice(1), '--help'] : words
  if (args[0] === '--version' || args[0] === 'version') {
    console.log(versionOf())
    return 0
  }
  let main: CommandDef
  try {
    main = await commandsFor(args)
  } catch (error) {
    console.error(`plinth: ${redactText((error as Error).message)}`)
    return 1
  }
  const { command, path, unknown } = find(main, args)
  const isGroup = command.subCommands !== undefined
  const behind = args.filter(word => !isHelp(word)).slice(path.length)
  const refusal = unknown ?? (isGroup ? null : faultOfWords(command, path.join(' '), behind))
  if (refusal !== null) {
    console.error(`plinth: ${refusal}`)
    return 2
  }
  if (args.some(isHelp) || command.run === undefined) {
    console.log(await usageOf(command, ['plinth', ...path]))
    return 0
  }
  try {
    await runCommand(main, { rawArgs: [...args] })
    return 0
  } catch (error) {
    if (!(error instanceof Failure) || error.message !== '')
      console.error(`plinth: ${redactText((error as Error).message)}`)
    return 1
  }
}

/**
 * All commands that the words may name. Plugins are only loaded if no command of this package is named; the usage text
 * can be printed even if they cannot be loaded.
 */
async function commandsFor(args: readonly string[]): Promise<CommandDef> {
  const [word] = args
  if (word !== undefined && builtInWords.includes(word)) return mainOf(builtIn)
  const isUsage = word === undefined || word.startsWith('-')
  try {
    return mainOf({ ...builtIn, ...(await commandsOfPlugins(dirIn(args), builtInWords)) })
  } catch (error) {
    if (isUsage) return mainOf(builtIn)
    throw error
  }
}

interface CommandMatch {
  readonly command: CommandDef
  /** The names of the command and of those above it, without `plinth`. */
  readonly path: readonly string[]
  /** The fault of the words before the options; null if there is none. */
  readonly unknown: string | null
}

/** Finds the command that the words name. */
function find(main: CommandDef, args: readonly string[]): CommandMatch {
  let command = main
  const path: string[] = []
  for (const word of args) {
    const below = command.subCommands as Record<string, CommandDef> | undefined
    if (below === undefined) break
    if (isHelp(word)) continue
    const names = Object.keys(below).join(', ')
    if (word.startsWith('-'))
      return { command, path, unknown: `${word} must follow the command, which is one of ${names}` }
    const commandByName = Object.hasOwn(below, word) ? below[word] : undefined
    const next = commandByName ?? Object.values(below).find(one => aliasesOf(one).includes(word))
    if (next === undefined) {
      const absent = path.length === 0 ? absentIn(dirIn(args), word) : null
      return { command, path, unknown: absent ?? unknownIn(below, word) }
    }
    command = next
    path.push(nameOf(next))
  }
  return { command, path, unknown: null }
}

/** The message for a word that is not a command. */
function unknownIn(commands: Record<string, CommandDef>, word: string): string {
  return insteadOf(word) ?? nearestOf('command', word, Object.keys(commands))
}

interface Meta {
  readonly name: string
  readonly alias?: string | readonly string[]
}

function nameOf({ meta }: CommandDef): string {
  return (meta as Meta).name
}

/** The other names of a command. */
function aliasesOf({ meta }: CommandDef): readonly string[] {
  return [(meta as Meta).alias ?? []].flat()
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
