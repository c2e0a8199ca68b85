// Statements that pg prepares once per connection, under a name.

/** A statement, to be run on a client or the pool. */
export interface Named {
  readonly name: string
  readonly text: string
}

let count = 0

/** `?` become `$1`, `$2` … */
export function named(text: string): Named {
  let place = 0
  return { name: `s${count++}`, text: text.replaceAll('?', () => `$${++place}`) }
}
