// The main module of a reader process: runs the statements that it is sent on a connection of its own and sends their rows,
// a part at a time. Knows no kernel; ends with the connection to the server that started it.

import BetterSqlite3 from 'better-sqlite3'
import { OverdueError } from './clock.ts'
import { addFunctions, clockOf } from './connection.ts'
import type { Order, Reply } from './messages.ts'

/** Most rows and about most characters of one message: what takes the server a millisecond or two. */
const maxRows = 1000
const maxText = 128 * 1024

let filename = ''
let connection: BetterSqlite3.Database | null = null
/** Milliseconds of the question that begins with its first statement; null where it has begun. */
let waitTimeout: number | null = null
let rows: IterableIterator<unknown[]> | null = null
let began = 0

/** The server may have gone. */
const tell = (reply: Reply): void => void process.send!(reply, undefined, undefined, () => {})

/** Only statements can fail: what else fails would be told to nobody, or to the next question. */
function obey(order: Order): void {
  switch (order.kind) {
    case 'open':
      filename = order.filename
      return
    case 'begin':
      finish()
      waitTimeout = order.waitTimeout
      return
    case 'all': {
      const opened = begin()
      began = performance.now()
      rows = opened
        .prepare<unknown[], unknown[]>(order.text)
        .raw(true)
        .iterate(...order.values)
      sendRows()
      return
    }
    case 'next':
      sendRows()
      return
    case 'end':
      finish()
  }
}

/** The connection, in the question's transaction. A file that could not be opened is opened with the next statement. */
function begin(): BetterSqlite3.Database {
  connection ??= open()
  if (waitTimeout === null) return connection
  clockOf(connection).allow(waitTimeout)
  connection.exec('BEGIN')
  waitTimeout = null
  return connection
}

function open(): BetterSqlite3.Database {
  const opened = new BetterSqlite3(filename, { readonly: true })
  opened.pragma('busy_timeout = 250')
  opened.pragma('temp_store = MEMORY')
  opened.pragma('mmap_size = 268435456')
  addFunctions(opened)
  return opened
}

function finish(): void {
  rows?.return?.()
  rows = null
  if (connection?.inTransaction === true) connection.exec('COMMIT')
}

function sendRows(): void {
  const some: unknown[][] = []
  let size = 0
  while (some.length < maxRows && size < maxText) {
    const { value, done } = rows!.next()
    if (done === true) {
      rows = null
      tell({ kind: 'rows', rows: some, took: performance.now() - began })
      return
    }
    some.push(value)
    for (const one of value) size += typeof one === 'string' ? one.length : 8
  }
  tell({ kind: 'rows', rows: some, took: null })
}

process.on('message', (order: Order) => {
  try {
    obey(order)
  } catch (error) {
    rows = null
    const { message, code = null } = error as Error & { code?: string }
    tell({ kind: 'error', message, code, isOverdue: error instanceof OverdueError })
  }
})
// The server decides when it ends, also where a terminal or a supervisor signals all processes at once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit(0))
