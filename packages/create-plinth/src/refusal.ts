// The error that ends the command with a message for people.

/** Ends the command. `code` is the exit code: 1 if it failed, 2 if its words are wrong. */
export class Refusal extends Error {
  readonly code: 1 | 2

  constructor(message: string, code: 1 | 2 = 1) {
    super(message)
    this.code = code
  }
}
