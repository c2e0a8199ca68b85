// Shares the event loop between long pieces of work, such as writing large answers: from their second slice on, one of them
// works in each of its turns, however many there are, so that what is short waits for one slice and not for one of each.
// Does not know the work.

/** The works that wait for their next slice, in order. */
const waiting: (() => void)[] = []

/**
 * Resolves in a later turn of the event loop, in which no other work has a slice. Whoever awaits it works for some
 * milliseconds at most and awaits it again.
 */
export function nextSlice(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(serve)
  })
}

function serve(): void {
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(serve)
}
