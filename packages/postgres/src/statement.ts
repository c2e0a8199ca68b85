// Runs prepared statements on a pg connection, with the interface that pg offers for other query classes (as pg-cursor
// uses it). pg's own query requests the description of the rows each time and sends a message in five writes. Here a
// statement is described once per connection, and a run of one or several statements is one write.

import type { Bound, Rows } from '@plinth/kernel/database'
import type { Connection } from 'pg'
import { MessageWriter } from './messages.ts'

const int2 = 21
const int4 = 23
const float4 = 700
const float8 = 701
const bool = 16

/** Runs write their messages at once, so all connections share it. */
const messages = new MessageWriter()

type Parse = (text: string) => unknown

const isTrue: Parse = text => text === 't'

/** Returns the parser of small whole numbers, floats and booleans; null for other types, which stay text. */
function parserOf(type: number): Parse | null {
  if (type === int4 || type === int2 || type === float8 || type === float4) return Number
  return type === bool ? isTrue : null
}

/** A prepared statement on one connection. */
export class PreparedStatement {
  readonly text: string
  /** Empty if the statement is prepared for one use. */
  name: string
  /** The columns to parse; null until the rows were described. */
  columns: readonly { readonly at: number; readonly parse: Parse }[] | null = null
  /** The state of the statement on the server; `maybe` after a failed run, which may or may not have prepared it. */
  prepared: 'yes' | 'no' | 'maybe' = 'no'

  constructor(text: string, name: string) {
    this.text = text
    this.name = name
  }

  /** Writes the messages that prepare the statement; none if it is prepared already. */
  prepare(messages: MessageWriter): void {
    if (this.prepared === 'yes') return
    if (this.name !== '') {
      if (this.prepared === 'maybe') messages.close(this.name)
      // It is certain once the run has ended.
      this.prepared = 'maybe'
    }
    messages.parse(this.name, this.text)
  }

  /**
   * Prepares the statement for one use from now on. Returns the name under which the server may keep it; null if the
   * server does not.
   */
  retire(): string | null {
    const { name } = this
    const isKept = name !== '' && this.prepared !== 'no'
    this.name = ''
    this.prepared = 'no'
    return isKept ? name : null
  }

  /** Records the outcome of a run that prepared it. */
  settle(isDone: boolean): void {
    if (this.name !== '' && this.prepared !== 'yes') this.prepared = isDone ? 'yes' : 'maybe'
  }
}

/** A prepared statement with its values. */
export interface BoundPrepared {
  readonly statement: PreparedStatement
  readonly values: readonly Bound[]
}

/**
 * The rows of each statement of a run that returns rows. `tag`: the server's command tag of the last one, such as `INSERT 0
 * 1`.
 */
export interface Outcome {
  readonly rows: Rows[]
  readonly tag: string
}

/** The part of pg's connection that a run uses. */
type Wire = Connection & { readonly stream: { write(message: Buffer): void } }

/** The input of a run. */
interface Run {
  /** Names of prepared statements to close. */
  readonly retired: readonly string[]
  readonly steps: readonly BoundPrepared[]
  /** The number of steps that return rows. */
  readonly rowSteps: number
  /** The number of steps after them. */
  readonly ending: number
}

/** A run, which pg drives until it is done. The first statement that fails ends it with its error. */
export class StatementRun {
  readonly #retired: readonly string[]
  readonly #steps: readonly BoundPrepared[]
  /** The index of the first step whose rows are kept, and of the first after those. */
  readonly #firstKept: number
  readonly #endOfKept: number
  readonly #done: (error: unknown, outcome: Outcome) => void
  readonly #rows: Rows[] = []
  #tag = ''
  /** The number of steps done. */
  #at = 0
  #isDone = false
  /** pg replaces this function if a time limit is configured, and waits for its call. */
  callback = (_error: unknown): void => {}

  constructor({ retired, steps, rowSteps, ending }: Run, done: (error: unknown, outcome: Outcome) => void) {
    this.#retired = retired
    this.#steps = steps
    this.#endOfKept = steps.length - ending
    this.#firstKept = this.#endOfKept - rowSteps
    for (let i = 0; i < rowSteps; i++) this.#rows.push([])
    this.#done = done
  }

  /** Sends the run. A returned error is the run's error: pg goes on to the next query. */
  submit(connection: Connection): unknown {
    try {
      ;(connection as Wire).stream.write(this.#message())
      return null
    } catch (error) {
      return error
    }
  }

  #message(): Buffer {
    messages.clear()
    for (const name of this.#retired) messages.close(name)
    const steps = this.#steps
    for (let i = 0; i < steps.length; i++) {
      const { statement, values } = steps[i]!
      if (!this.#isPreparedBefore(i)) statement.prepare(messages)
      messages.bind(statement.name, values)
      if (i >= this.#firstKept && i < this.#endOfKept && statement.columns === null) messages.describe()
      messages.execute()
    }
    messages.sync()
    return messages.take()
  }

  /** Returns whether an earlier step of the run prepares the statement of a step. */
  #isPreparedBefore(step: number): boolean {
    const { statement } = this.#steps[step]!
    if (statement.prepared === 'yes' || statement.name === '') return false
    for (let i = 0; i < step; i++) if (this.#steps[i]!.statement === statement) return true
    return false
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    this.#steps[this.#at]!.statement.columns = fields.flatMap(({ dataTypeID }, at) => {
      const parse = parserOf(dataTypeID)
      return parse === null ? [] : [{ at, parse }]
    })
  }

  handleDataRow({ fields }: { readonly fields: unknown[] }): void {
    const rows = this.#rows[this.#at - this.#firstKept]
    if (rows === undefined) return
    for (const { at, parse } of this.#steps[this.#at]!.statement.columns!) {
      if (fields[at] !== null) fields[at] = parse(fields[at] as string)
    }
    rows.push(fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text
    this.#at++
  }

  handleReadyForQuery(): void {
    // A statement without rows has no description.
    for (let i = this.#firstKept; i < this.#endOfKept; i++) this.#steps[i]!.statement.columns ??= []
    this.#end(null)
  }

  handleError(error: unknown): void {
    this.#end(error)
  }

  #end(error: unknown): void {
    if (this.#isDone) return
    this.#isDone = true
    for (const { statement } of this.#steps) statement.settle(error === null)
    this.callback(error)
    this.#done(error, { rows: this.#rows, tag: this.#tag })
  }

  /** An empty text is a step too. */
  handleEmptyQuery(): void {
    this.#at++
  }
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
  handleCopyInResponse(connection: Connection): void {
    ;(connection as Connection & { sendCopyFail(why: string): void }).sendCopyFail('COPY is not supported')
  }
}
