// Asks for an argument that the command line lacks, if it runs in a terminal.

import { createInterface } from 'node:readline/promises'
import { Failure } from '../failure.ts'

/**
 * Returns the argument, or the answer to the question if the argument is missing. Throws Failure with `missingMessage`
 * without a terminal or an answer, also if Ctrl+C or Ctrl+D ends the question.
 */
export async function argumentOrAnswer(
  argument: string | undefined,
  question: string,
  missingMessage: string,
): Promise<string> {
  if (argument !== undefined) return argument
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new Failure(missingMessage)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // A question whose terminal is closed would never be answered.
  const closed = new AbortController()
  terminal.once('close', () => closed.abort())
  try {
    const answer = (await terminal.question(`${question} `, { signal: closed.signal })).trim()
    if (answer === '') throw new Failure(missingMessage)
    return answer
  } catch (error) {
    throw closed.signal.aborted ? new Failure(missingMessage) : error
  } finally {
    terminal.close()
  }
}
