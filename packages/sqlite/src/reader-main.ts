// The main module of a reader process: runs the statements that it receives on its own connection and sends their rows
// in chunks. Does not depend on the kernel; ends when the connection to its server closes.

import { setPriority } from 'node:os'
import BetterSqlite3 from 'better-sqlite3'
import { OverdueError } from './clock.ts'
import { addFunctions, clockOf } from './connection.ts'
import type { Order, Reply } from './messages.ts'

/** The maximum number of rows of one message, which the server handles in a millisecond or two. */
const maxRows = 1000
/** The approximate maximum number of characters of one message. */
const maxText = 128 * 1024

/**
 * The priority (nice value): below the server's own work, but not so far that other programs that keep the processors
 * busy leave nothing for a read.
 */
const niceness = 10

let filename = ''
let connection: BetterSqlite3.Database | null = null
/** Milliseconds for the read that begins with its next statement; null if it has begun. */
let waitTimeout: number | null = null
let rows: IterableIterator<unknown[]> | null = null
let began = 0

/** Sends a reply; the server may be gone. */
const send = (reply: Reply): void => void process.send!(reply, undefined, undefined, () => {})

/** Handles a message. Only statements may fail: another error would reach no read, or the next one. */
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

/**
 * Returns the connection, in the transaction of the read. If the file could not be opened, the next statement tries
 * again.
 */
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
      send({ kind: 'rows', rows: some, took: performance.now() - began })
      return
    }
    some.push(value)
    for (const one of value) size += typeof one === 'string' ? one.length : 8
  }
  send({ kind: 'rows', rows: some, took: null })
}

// Not before: a start with a low priority takes seconds on a busy machine, while the first read waits.
try {
  setPriority(niceness)
} catch {
  // The system may refuse the priority.
}

process.on('message', (order: Order) => {
  try {
    obey(order)
  } catch (error) {
    rows = null
    const { message, code = null } = error as Error & { code?: string }
    send({ kind: 'error', message, code, isOverdue: error instanceof OverdueError })
  }
})
// The server decides when this process ends, even if a terminal or a supervisor signals all processes at once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit(0))
