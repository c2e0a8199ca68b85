// The command, in this process or in one of its own.

import { join } from 'node:path'
import { type ProgramResult, runHere, runProgram } from '@plinth/test-tools/command'
import { run } from '../src/index.ts'

export type Answer = ProgramResult

export const bin = join(import.meta.dirname, '../src/bin.ts')

type Variables = Readonly<Record<string, string>>

/** Runs `plinth` with these words in this process, in the folder `cwd`. */
export const plinth = (words: readonly string[], env?: Variables, cwd?: string): Promise<Answer> =>
  runHere(run, words, env, cwd)

/** Runs `plinth` with these words in a process of its own, in the folder `cwd`. */
export const plinthProcess = (words: readonly string[], env?: Variables, cwd?: string): Promise<Answer> =>
  runProgram([bin, ...words], env, cwd)
