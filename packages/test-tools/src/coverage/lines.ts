// Determines which lines of a source ran, from the notes of all processes that loaded it. Independent of packages and
// floors.

import { stripTypeScriptTypes } from 'node:module'

export interface Line {
  /** From 1. */
  readonly number: number
  readonly text: string
}

/** The lines of code of a source, and those that no process ran completely. */
export interface MeasuredLines {
  readonly lines: number
  readonly missed: readonly Line[]
}

/** Matches lines that are only a comment or only closing brackets. */
const noCode = /^\s*(?:\/\/|\/?\*|[\s{}()[\];,]*$)/

/** Measures a source by the lines that each process did not run completely; without notes, no line ran. */
export function measure(source: string, notes: readonly (readonly number[])[]): MeasuredLines {
  // Types are replaced by spaces, so line numbers stay the same.
  const code = stripTypeScriptTypes(source).split('\n')
  const texts = source.split('\n')
  const [first, ...others] = notes.map(lines => new Set(lines))
  const isMissed = (number: number) => first === undefined || [first, ...others].every(lines => lines.has(number))
  const numbers = code.flatMap((line, i) => (noCode.test(line) ? [] : [i + 1]))
  const missed = numbers.filter(isMissed).map(number => ({ number, text: texts[number - 1]!.trim() }))
  return { lines: numbers.length, missed }
}
