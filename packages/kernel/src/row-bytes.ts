// Counts the bytes of the rows of one read while they arrive, for the share of its request. Knows no statements.

import type { UnavailableError } from './errors.ts'
import type { RowShare } from './row-share.ts'

/** A longer text is measured in bytes. */
const longText = 64 * 1024

/** A shorter one, but longer than this, is measured in bytes if one of a few of its characters is not ASCII. */
const shortText = 64

/** The bytes of a row and of a value beside their text. */
const perRow = 32
const perValue = 8

/** The bytes of rows. */
export function bytesOfRows(rows: readonly (readonly unknown[])[]): number {
  let bytes = 0
  for (let i = 0; i < rows.length; i++) bytes += bytesOfRow(rows[i]!)
  return bytes
}

/** The bytes of a row. */
export function bytesOfRow(row: readonly unknown[]): number {
  const { length } = row
  let bytes = perRow + perValue * length
  for (let i = 0; i < length; i++) {
    const value = row[i]
    if (typeof value === 'string') bytes += bytesOfText(value)
    else if (typeof value === 'object' && value !== null && Buffer.isBuffer(value)) bytes += value.length
  }
  return bytes
}

/**
 * Returns the bytes of a text in UTF-8, or about as many, because measuring each text of a list takes time. A text that
 * seems to have characters other than ASCII is measured exactly, as is each of more than 64 KiB.
 */
export function bytesOfText(text: string): number {
  const { length } = text
  return length <= shortText || (length <= longText && seemsAscii(text)) ? length : Buffer.byteLength(text)
}

/** Looks at one character in sixteen, and at about 32 of a longer text. */
function seemsAscii(text: string): boolean {
  const step = Math.max(16, text.length >> 5)
  for (let i = step; i < text.length; i += step) if (text.charCodeAt(i) > 127) return false
  return true
}

/**
 * Thrown by a read that exceeds the memory budget and cannot keep its rows while it waits. The read discards its rows and
 * restarts when the memory budget allows it.
 */
export class NoRoomError extends Error {
  /** The number of bytes that it needs beside those that it has counted. */
  readonly bytes: number

  constructor(bytes: number) {
    super('There is no room for the rows of the read')
    this.bytes = bytes
  }
}

/** The bytes of one read, which may begin again. */
export class RowBytes {
  readonly #share: RowShare
  #counted = 0
  #isBegun = false

  constructor(share: RowShare) {
    this.#share = share
  }

  /** The object of the caller, if its share has one. */
  get caller(): object | undefined {
    return this.#share.caller
  }

  /**
   * Claims the first part, and takes back what an earlier run of the read has counted. Called when the read has a
   * connection: those that wait for one hold nothing.
   */
  begin(): void {
    if (this.#counted > 0) this.takeBack()
    if (this.#isBegun) return
    this.#isBegun = true
    this.#share.beginRead()
  }

  end(): void {
    if (this.#isBegun) this.#share.endRead()
  }

  /** Counts bytes. False if no more may arrive before `room` has resolved. */
  add(bytes: number): boolean {
    this.#counted += bytes
    return this.#share.addRows(bytes)
  }

  /** Counts rows that are there. Throws NoRoomError if there is no room for them. */
  addRows(rows: readonly (readonly unknown[])[]): void {
    if (!this.add(bytesOfRows(rows))) throw new NoRoomError(0)
  }

  /** The number of bytes that may arrive before `add` returns false. */
  get left(): number {
    return this.#share.rowsLeft
  }

  /** Takes back what was counted: the read has failed, or begins again. Returns it. */
  takeBack(): number {
    const counted = this.#counted
    this.#counted = 0
    this.#share.removeRows(counted)
    return counted
  }

  /** Resolves when there is room for `bytes` more, or for the next ones. Rejects with UnavailableError. */
  room(bytes?: number): Promise<void> {
    return this.#share.roomForRows(bytes)
  }

  /** The error of a read that cannot wait. */
  refuse(): UnavailableError {
    return this.#share.refuseRows()
  }
}
