// Asks for a word that the command line lacks, if it runs in a terminal.

import { createInterface } from 'node:readline/promises'
import { Failure } from '../failure.ts'

/**
 * The given word, or the answer to the question. Throws Failure with `lacking` without a terminal or an answer, also if
 * Ctrl+C or Ctrl+D ends the question.
 */
export async function given(word: string | undefined, question: string, lacking: string): Promise<string> {
  if (word !== undefined) return word
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new Failure(lacking)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // A question whose terminal is closed would never be answered.
  const closed = new AbortController()
  terminal.once('close', () => closed.abort())
  try {
    const answer = (await terminal.question(`${question} `, { signal: closed.signal })).trim()
    if (answer === '') throw new Failure(lacking)
    return answer
  } catch (error) {
    throw closed.signal.aborted ? new Failure(lacking) : error
  } finally {
    terminal.close()
  }
}
