// The command in a process of its own.

import { join } from 'node:path'
import { type ProgramResult, runProgram } from '@plinth/test-tools/command'

export type Answer = ProgramResult

export const bin = join(import.meta.dirname, '../src/bin.ts')

/** Runs `plinth` with these words, in the folder `cwd`. */
export const plinth = (words: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string) =>
  runProgram([bin, ...words], env, cwd)
