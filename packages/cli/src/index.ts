// The command line as a function: `run(['migrate', 'plan'])` answers with the exit code.

import { type CommandDef, defineCommand, renderUsage, runCommand } from 'citty'
import { doctor } from './doctor.ts'
import { migrate } from './migrate.ts'
import { nearestOf } from './nearest.ts'
import { Failure } from './failure.ts'

const main = defineCommand({
  meta: { name: 'plinth', description: 'Plinth on the command line' },
  subCommands: { migrate, doctor },
})

/** Runs a command. 0: done; 1: it failed, or found something that a script should stop at; 2: no such command. */
export async function run(args: readonly string[]): Promise<number> {
  const { command, parent, unknown } = find(args)
  if (unknown !== null) {
    console.error(`plinth: ${unknown}`)
    return 2
  }
  if (args.includes('--help') || args.includes('-h') || command.run === undefined) {
    console.log(await renderUsage(command, parent))
    return 0
  }
  try {
    await runCommand(main, { rawArgs: [...args] })
    return 0
  } catch (error) {
    if (!(error instanceof Failure) || error.message !== '') console.error(`plinth: ${(error as Error).message}`)
    return 1
  }
}

interface Found {
  readonly command: CommandDef
  readonly parent: CommandDef | undefined
  /** What is wrong with the words before the options. */
  readonly unknown: string | null
}

/** The command that the words name. */
function find(args: readonly string[]): Found {
  let command: CommandDef = main as CommandDef
  let parent: CommandDef | undefined
  for (const word of args.filter(one => !one.startsWith('-'))) {
    const below = command.subCommands as Record<string, CommandDef> | undefined
    if (below === undefined) break
    const next = below[word]
    if (next === undefined) return { command, parent, unknown: nearestOf('command', word, Object.keys(below)) }
    parent = command
    command = next
  }
  return { command, parent, unknown: null }
}
