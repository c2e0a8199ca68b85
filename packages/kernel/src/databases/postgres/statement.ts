// A run of prepared statements on a pg connection, in the form that pg lets others bring (as pg-cursor does). pg's own query
// asks for the description of the rows each time and sends a message in five pieces; here a statement is described once per
// connection, and a run is one write, whether of one statement or of several.

import type { Connection } from 'pg'
import type { Bound } from '../../sql/dialect.ts'
import type { Rows } from '../../database/session.ts'
import { bindMessage, closeMessage, describeMessage, executeMessage, parseMessage, syncMessage } from './messages.ts'

const int2 = 21
const int4 = 23
const float4 = 700
const float8 = 701
const bool = 16

type Parse = (text: string) => unknown

const isTrue: Parse = text => text === 't'

/** Whole numbers that fit, floats and booleans are worth parsing; all else stays text. */
function parserOf(type: number): Parse | null {
  if (type === int4 || type === int2 || type === float8 || type === float4) return Number
  return type === bool ? isTrue : null
}

/** A statement on one connection. */
export class PreparedStatement {
  readonly text: string
  /** Empty: prepared for one use. */
  name: string
  /** Columns to parse; null until the rows were described. */
  columns: readonly { readonly at: number; readonly parse: Parse }[] | null = null
  /** Does the server know it? `maybe` after a run that failed, which may have come so far or not. */
  prepared: 'yes' | 'no' | 'maybe' = 'no'

  constructor(text: string, name: string) {
    this.text = text
    this.name = name
  }

  /** What makes the server know it. */
  prepare(): Buffer[] {
    if (this.prepared === 'yes') return []
    const parse = parseMessage(this.name, this.text)
    if (this.name === '') return [parse]
    const isNew = this.prepared === 'no'
    // Known once the run has ended.
    this.prepared = 'maybe'
    return isNew ? [parse] : [closeMessage(this.name), parse]
  }

  /** From now on it is prepared for one use. Returns the name under which the server may keep it; null where it does not. */
  retire(): string | null {
    const { name } = this
    const isKept = name !== '' && this.prepared !== 'no'
    this.name = ''
    this.prepared = 'no'
    return isKept ? name : null
  }

  /** Learns how a run ended that prepared it. */
  settle(isDone: boolean): void {
    if (this.name !== '' && this.prepared !== 'yes') this.prepared = isDone ? 'yes' : 'maybe'
  }
}

/** A prepared statement with its values. */
export interface Prepared {
  readonly statement: PreparedStatement
  readonly values: readonly Bound[]
}

/** What the last statements of a run gave, the rows of each. `tag`: what the server says the last one did, `INSERT 0 1`. */
export interface Outcome {
  readonly rows: Rows[]
  readonly tag: string
}

/** What of pg's connection a run uses. */
type Wire = Connection & { readonly stream: { write(message: Buffer): void } }

/** What a run is made of. */
interface Run {
  /** Names of statements that the server need not keep any more. */
  readonly retired: readonly string[]
  readonly steps: readonly Prepared[]
  /** Of how many steps, the last ones, the rows are wanted. */
  readonly kept: number
}

/** A run, in pg's hands until it is done. The first statement that fails ends it, and the error is its. */
export class StatementRun {
  readonly #retired: readonly string[]
  readonly #steps: readonly Prepared[]
  /** Steps before it give no rows that anyone wants. */
  readonly #firstKept: number
  readonly #done: (error: unknown, outcome: Outcome) => void
  readonly #rows: Rows[] = []
  #tag = ''
  /** Steps done. */
  #at = 0
  #isDone = false
  /** pg puts its own here where a time limit is configured, and waits to be told. */
  callback = (_error: unknown): void => {}

  constructor({ retired, steps, kept }: Run, done: (error: unknown, outcome: Outcome) => void) {
    this.#retired = retired
    this.#steps = steps
    this.#firstKept = steps.length - kept
    for (let i = 0; i < kept; i++) this.#rows.push([])
    this.#done = done
  }

  /** An error that it returns is the run's: pg goes on to the next one. */
  submit(connection: Connection): unknown {
    try {
      ;(connection as Wire).stream.write(this.#message())
      return null
    } catch (error) {
      return error
    }
  }

  #message(): Buffer {
    const messages: Buffer[] = this.#retired.map(closeMessage)
    const prepared = new Set<PreparedStatement>()
    for (const [i, { statement, values }] of this.#steps.entries()) {
      if (!prepared.has(statement)) messages.push(...statement.prepare())
      if (statement.name !== '') prepared.add(statement)
      messages.push(bindMessage(statement.name, values))
      if (i >= this.#firstKept && statement.columns === null) messages.push(describeMessage)
      messages.push(executeMessage)
    }
    messages.push(syncMessage)
    return Buffer.concat(messages)
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
    // A statement without rows has nothing to describe.
    for (const { statement } of this.#steps.slice(this.#firstKept)) statement.columns ??= []
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

  /** A text without a statement is a step, too. */
  handleEmptyQuery(): void {
    this.#at++
  }
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
  handleCopyInResponse(connection: Connection): void {
    ;(connection as Connection & { sendCopyFail(why: string): void }).sendCopyFail('COPY is not served')
  }
}
