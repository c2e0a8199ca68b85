// One run of a prepared statement on a pg connection, in the form that pg lets others bring (as pg-cursor does). pg's own
// query asks for the description of the rows each time and sends a message in five pieces; here a statement is described once
// per connection, and a run is one write.

import type { Connection } from 'pg'
import type { Bound } from '../../sql/dialect.ts'
import type { Rows } from '../session.ts'

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
  readonly name: string
  /** Columns to parse; null until the rows were described. */
  columns: readonly { readonly at: number; readonly parse: Parse }[] | null = null

  constructor(text: string, name: string) {
    this.text = text
    this.name = name
  }
}

/** What of pg's connection a run uses. */
type Wire = Connection & {
  /** Texts by name: pg notes what the server has prepared. */
  readonly parsedStatements: Readonly<Record<string, string>>
  parse(message: { text: string; name: string }): void
  describe(message: { type: 'P'; name: string }): void
  readonly stream: { cork(): void; uncork(): void; write(message: Buffer): void }
}

/** Hands over what a run gave. */
type Done = (error: unknown, rows: Rows, changes: number) => void

/** A run, in pg's hands until it is done. */
export class StatementRun {
  readonly #statement: PreparedStatement
  /** pg notes a statement by these once the server has prepared it. */
  readonly name: string
  readonly text: string
  readonly #values: readonly Bound[]
  readonly #rows: Rows = []
  readonly #done: Done
  #changes = 0
  #isDone = false
  /** pg puts its own here where a time limit is configured, and waits to be told. */
  callback = (_error: unknown): void => {}

  constructor(statement: PreparedStatement, values: readonly Bound[], done: Done) {
    this.#statement = statement
    this.name = statement.name
    this.text = statement.text
    this.#values = values
    this.#done = done
  }

  submit(connection: Connection): void {
    const wire = connection as Wire
    const { name, text } = this
    const isPrepared = name !== '' && wire.parsedStatements[name] !== undefined
    const message = bindMessage(name, this.#values)
    if (isPrepared && this.#statement.columns !== null) {
      wire.stream.write(Buffer.concat([message, executeAndSync]))
      return
    }
    wire.stream.cork()
    if (!isPrepared) wire.parse({ text, name })
    wire.stream.write(message)
    wire.describe({ type: 'P', name: '' })
    wire.stream.write(executeAndSync)
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    this.#statement.columns = fields.flatMap(({ dataTypeID }, at) => {
      const parse = parserOf(dataTypeID)
      return parse === null ? [] : [{ at, parse }]
    })
  }

  handleDataRow({ fields }: { readonly fields: unknown[] }): void {
    for (const { at, parse } of this.#statement.columns!) {
      if (fields[at] !== null) fields[at] = parse(fields[at] as string)
    }
    this.#rows.push(fields)
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#changes = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
  }

  handleReadyForQuery(): void {
    // A statement without rows has nothing to describe.
    this.#statement.columns ??= []
    this.#end(null)
  }

  handleError(error: unknown): void {
    this.#end(error)
  }

  #end(error: unknown): void {
    if (this.#isDone) return
    this.#isDone = true
    this.callback(error)
    this.#done(error, this.#rows, this.#changes)
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
  handleCopyInResponse(connection: Connection): void {
    ;(connection as Connection & { sendCopyFail(why: string): void }).sendCopyFail('COPY is not served')
  }
}

/** Execute without an end of rows, and Sync. */
const executeAndSync = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4])

/** Bind: the values as text, bytes as they are; results as text. */
function bindMessage(name: string, values: readonly Bound[]): Buffer {
  const sent = values.map(value => (value === null || Buffer.isBuffer(value) ? value : textOf(value)))
  const sizes = sent.map(value => (value === null ? 0 : Buffer.byteLength(value)))
  // Head and names, a form and a size for each value, the values, one form for all results.
  const length = 12 + Buffer.byteLength(name) + 6 * sent.length + sizes.reduce((sum, size) => sum + size, 0)
  const message = Buffer.allocUnsafe(length + 1)
  let at = message.writeUInt8(0x42, 0)
  at = message.writeInt32BE(length, at)
  at = message.writeUInt8(0, at)
  at += message.write(name, at)
  at = message.writeUInt8(0, at)
  at = message.writeUInt16BE(sent.length, at)
  for (const value of sent) at = message.writeUInt16BE(Buffer.isBuffer(value) ? 1 : 0, at)
  at = message.writeUInt16BE(sent.length, at)
  for (const [i, value] of sent.entries()) {
    at = message.writeInt32BE(value === null ? -1 : sizes[i]!, at)
    if (value !== null) at += typeof value === 'string' ? message.write(value, at) : value.copy(message, at)
  }
  message.writeUInt16BE(0, at)
  return message
}

function textOf(value: Exclude<Bound, Buffer | null>): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? `{${value.map(elementOf).join(',')}}` : String(value)
}

function elementOf(value: unknown): string {
  if (value === null) return 'NULL'
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value)
}
