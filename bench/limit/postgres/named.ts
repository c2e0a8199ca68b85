// Statements that pg prepares once per connection, by name.

/** A statement, which is run on a client or on the pool. */
export interface Named {
  readonly name: string
  readonly text: string
}

let count = 0

/** Replaces each `?` by `$1`, `$2`, …. */
export function named(text: string): Named {
  let place = 0
  return { name: `s${count++}`, text: text.replaceAll('?', () => `$${++place}`) }
}
