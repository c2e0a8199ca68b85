// Patterns that authors write into schemas (`regex`): simple ones run as they are, others under a time limit, so that no
// value can stop the server (security.md row 47).

import { createContext, Script } from 'node:vm'

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

/** Milliseconds that one test of a pattern may take. */
const limit = 50

/** A test of the pattern; a value that exhausts the time limit counts as not matching. */
export function compileRegex(source: string): (value: string) => boolean {
  if (isSimple(source)) {
    const regex = new RegExp(source)
    return value => regex.test(value)
  }
  // Made once: a context of its own, in which a watchdog can stop the test.
  const context = createContext({ source, value: '' })
  new Script('const regex = new RegExp(source)').runInContext(context)
  const script = new Script('regex.test(value)')
  return value => {
    context.value = value
    try {
      return script.runInContext(context, { timeout: limit }) as boolean
    } catch {
      return false
    }
  }
}

/**
 * Linear for certain: no group is repeated, nothing refers back, and at most one part repeats without end. Safe patterns
 * beyond that exist, but telling them from unsafe ones is where such checks go wrong.
 */
function isSimple(source: string): boolean {
  const bare = source.replace(/\\[^1-9k]/g, 'x').replace(/\[[^\]]*\]/g, 'x')
  const hasRepeatedGroup = /\)[*+{]/.test(bare)
  const hasReference = /\\[1-9k]/.test(bare)
  const unbounded = bare.match(/[*+]|\{\d+,\}/g) ?? []
  const isAnchored = bare.startsWith('^')
  return !hasRepeatedGroup && !hasReference && (unbounded.length === 0 || (unbounded.length === 1 && isAnchored))
}
