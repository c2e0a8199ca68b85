// Patterns that authors write into schemas (`regex`): linear ones run as they are, others under a time limit, so that no
// value can stop the server (security.md row 47).

import { Script } from 'node:vm'
import isSafe from 'safe-regex2'

/** What is wrong with a `regex` option, or null. */
export function findRegexFault(source: unknown): string | null {
  if (typeof source !== 'string') return 'must be text'
  try {
    new RegExp(source)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** Milliseconds that one test of an unsafe pattern may take. */
const limit = 50

/** A test of the pattern; a value that exhausts the time limit counts as not matching. */
export function compileRegex(source: string): (value: string) => boolean {
  const regex = new RegExp(source)
  if (isSafe(regex)) return value => regex.test(value)
  const script = new Script('regex.test(value)')
  return value => {
    try {
      return script.runInNewContext({ regex: new RegExp(source), value }, { timeout: limit }) as boolean
    } catch {
      return false
    }
  }
}
