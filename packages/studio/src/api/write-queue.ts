// Sends one write after the other, whatever part of the panel they come from, so that none overtakes another one.

let last: Promise<unknown> = Promise.resolve()

/** Runs the write when all earlier ones have ended, and returns what it returns. */
export function enqueue<Result>(write: () => Promise<Result>): Promise<Result> {
  const result = last.then(write)
  last = result.catch(() => undefined)
  return result
}
