// Says that an answer contains an error, so that it must be executed: the executed way finds the error again and gives
// it a message and a path. The text writer therefore needs to know nothing about errors.

/** A value that cannot stand in the answer without an error. */
export class Inexpressible extends Error {
  constructor() {
    super('The answer contains an error')
    this.name = 'Inexpressible'
  }
}
