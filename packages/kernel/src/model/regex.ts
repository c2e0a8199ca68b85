// Compiles patterns of schemas (`regex`): simple ones run directly, others under a time limit, so that no value can
// block the server (security.md row 47).

import { createContext, Script } from 'node:vm'

/** The fault of a `regex` option, or null. */
export function findRegexFault(source: unknown): string | null {
  if (typeof source !== 'string') return 'must be a string'
  try {
    new RegExp(source)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** Maximum time of one test of a pattern, in milliseconds. */
const limit = 50

/**
 * The maximum number of runs of a test, if the machine has no time for it: a value that matches must not be refused for
 * that.
 */
const attempts = 4

/** Milliseconds of processor time of this thread; null where Node cannot tell. */
function processorTime(): number | null {
  if (typeof process.threadCpuUsage !== 'function') return null
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Returns a test of the pattern; a value that exceeds the time limit counts as not matching. */
export function compileRegex(source: string): (value: string) => boolean {
  if (isSimple(source)) {
    const regex = new RegExp(source)
    return value => regex.test(value)
  }
  // Created once per pattern: a separate context, in which a watchdog can stop the test.
  const context = createContext({ source, value: '' })
  new Script('const regex = new RegExp(source)').runInContext(context)
  const script = new Script('regex.test(value)')
  return value => {
    context.value = value
    for (let attempt = 1; ; attempt++) {
      const before = processorTime()
      try {
        return script.runInContext(context, { timeout: limit }) as boolean
      } catch {
        const after = processorTime()
        const isTheValue = before === null || after === null || after - before > limit / 2
        if (isTheValue || attempt === attempts) return false
      }
    }
  }
}

/**
 * Returns whether the pattern certainly runs in linear time: it repeats no group, has no back-reference, and has at
 * most one unbounded quantifier. Other patterns may be safe too, but checks that try to recognize them are error-prone.
 */
function isSimple(source: string): boolean {
  const bare = source.replace(/\\[^1-9k]/g, 'x').replace(/\[[^\]]*\]/g, 'x')
  const hasRepeatedGroup = /\)[*+{]/.test(bare)
  const hasReference = /\\[1-9k]/.test(bare)
  const unbounded = bare.match(/[*+]|\{\d+,\}/g) ?? []
  const isAnchored = bare.startsWith('^')
  return !hasRepeatedGroup && !hasReference && (unbounded.length === 0 || (unbounded.length === 1 && isAnchored))
}
