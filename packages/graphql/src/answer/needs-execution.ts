// Says that an answer must be executed although its plan has all that it shows: a value of its rows is an error. The text
// writer needs to know nothing about errors, because execution finds the value again and gives it a message and a path.

/** Thrown by the text writer if the answer contains an error, which only execution can report. */
export class NeedsExecution extends Error {
  constructor() {
    super('The answer contains an error')
    this.name = 'NeedsExecution'
  }
}
