// The commands that the plugins of an application add, as commands of the command line. Knows no plugin.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type Command,
  type CommandGroup,
  type EnabledPlugin,
  type Kernel,
  loadConfig,
  type PluginsConfig,
  resolvePlugins,
} from '@plinth/kernel'
import { type CommandDef, defineCommand } from '#citty'
import { Failure } from './failure.ts'
import { dirOption, withKernel } from './open.ts'
import { withExamples } from './usage.ts'

/** The folder that `--dir` names among the words, which are not parsed yet. */
export function dirIn(args: readonly string[]): string {
  const at = args.findIndex(word => word === '--dir' || word.startsWith('--dir='))
  if (at === -1) return '.'
  return args[at] === '--dir' ? (args[at + 1] ?? '.') : args[at]!.slice('--dir='.length)
}

/**
 * The commands of the plugins of the application in a folder, by their first words; none if the folder contains no
 * application. `ownWords` are the words of this package's commands. Throws Failure for a word that is taken, and what
 * resolvePlugins throws.
 */
export async function commandsOfPlugins(dir: string, ownWords: readonly string[]): Promise<Record<string, CommandDef>> {
  const folder = resolve(dir)
  if (!existsSync(folder)) return {}
  const plugins = await resolvePlugins((await loadConfig(folder, 'plugins')) as PluginsConfig, folder)
  const commands: Record<string, CommandDef> = {}
  for (const one of plugins) {
    for (const [word, group] of Object.entries(one.plugin.plinth.commands ?? {})) {
      if (ownWords.includes(word) || word in commands)
        throw new Failure(`plugin ${one.plugin.plinth.name}: the command "${word}" exists already`)
      commands[word] = groupCommand(word, group, one)
    }
  }
  return commands
}

function groupCommand(word: string, { description, commands }: CommandGroup, plugin: EnabledPlugin): CommandDef {
  const subCommands = Object.fromEntries(
    Object.entries(commands).map(([name, command]) => [name, leafCommand(name, command, plugin)]),
  )
  const examples = Object.values(commands).flatMap(command => command.examples ?? [])
  return shown(defineCommand({ meta: { name: word, description }, subCommands }), examples)
}

function shown<T extends object>(command: T, examples: readonly string[]): T {
  return examples.length === 0 ? command : withExamples(command, examples)
}

function leafCommand(name: string, command: Command, { config }: EnabledPlugin): CommandDef {
  const { description, words = [], options = {}, examples = [], withoutDatabase = 'refuse' } = command
  const positional = { type: 'positional', description: '', required: false } as const
  const commandDef = defineCommand({
    meta: { name, description },
    args: { ...Object.fromEntries(words.map(word => [word, positional])), ...options, dir: dirOption },
    run: ({ args }) => {
      const optionValues = Object.keys(options).map(option => [option, args[option] as string | boolean | undefined])
      const tools = {
        config,
        words: args._,
        options: Object.fromEntries(optionValues),
        print: (line: string) => console.log(line),
        remark: (line: string) => console.error(line),
      }
      const run = async (kernel: Kernel) => command.run({ kernel, ...tools })
      return withKernel(args.dir as string | undefined, run, { withoutDatabase })
    },
  }) as CommandDef
  return shown(commandDef, examples)
}
