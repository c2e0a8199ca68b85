/**
 * Counts the statements of a read. On SQLite, a read that takes too long on the event loop runs again, from its
 * beginning, in a reader process; its first statements are then observed twice, which a busy machine causes now and then.
 */

/** Whether a prefix of the statements is there twice in a row, as when a read runs again from its beginning. */
function isRestarted(statements: readonly string[]): boolean {
  return statements.some((_, at) => {
    const first = statements.slice(0, at)
    const again = statements.slice(at, at + first.length)
    return at > 0 && again.length === at && first.every((text, i) => text === again[i])
  })
}

/**
 * The statements that `work` runs, without PRAGMAs, of those that a listener appends to `statements`. A read that seems
 * to have run again is asked again; one that repeats its statements each time is answered with all of them.
 */
export async function observe(statements: string[], work: () => Promise<unknown>): Promise<string[]> {
  for (let left = 4; ; left--) {
    statements.length = 0
    await work()
    const own = statements.filter(text => !text.startsWith('PRAGMA'))
    if (left === 0 || !isRestarted(own)) return own
  }
}
