// Counts what one request, or one connection of a WebSocket, holds of a budget. Bytes are counted where they are, also
// if there is no room for them: whoever adds them then waits, or lets them go. Does not know HTTP.

import { type RowShare, UnavailableError } from '@plinth/kernel'
import type { Account } from './account.ts'
import type { Budget } from './budget.ts'
import { type Kind, kinds, smallAnswer, zeros } from './kinds.ts'

/** Seconds after which a refused client may ask again. */
const retryAfter = 2

/** Bytes that a share asks for when it waits for its next ones. */
const step = 64 * 1024

/**
 * The bytes of one request. It is small until it holds more than an answer of 64 KiB needs, and claims from the part of
 * the budget that is kept for such answers. To become large, it needs room in the other part.
 */
export class Share implements RowShare {
  readonly #budget: Budget
  #account: Account
  /** The bytes that it holds. */
  #bytes = 0
  /** The bytes of rows, of answers, and of other kinds that it holds. */
  #rows = 0
  #answers = 0
  #others: Record<Kind, number> | null = null
  /** The bytes that it has claimed in the budget: those that it holds, or more while it reads. */
  #claimed = 0
  #isLarge = false
  /** It became large because there was no room among the small ones, and none among the large: it may not wait. */
  #isExcess = false
  /** Reads that run. */
  #reads = 0
  /** Milliseconds that it has waited. */
  #waited = 0
  #isClosed = false
  #refusal: UnavailableError | null = null

  /** @internal */
  constructor(budget: Budget, account: Account) {
    this.#budget = budget
    this.#account = account
    account.shares++
  }

  /** The account of its caller. @internal */
  get account(): Account {
    return this.#account
  }

  get caller(): object {
    return this.#account
  }

  /** The bytes that it holds. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns whether it was closed, because the answer was taken or its client has gone. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** The last error with which something of it was refused; null if nothing was. */
  get refusal(): UnavailableError | null {
    return this.#refusal
  }

  /** Returns whether the budget has no room for what it holds: `room` says whether there will be. */
  get isFull(): boolean {
    return this.#isLarge && !this.#budget.fits(this.#account, 0, 'answers')
  }

  /** Moves it to another caller, when it is known who asks. */
  moveTo(caller: string): void {
    const account = this.#budget.account(caller)
    if (this.#isClosed || account === this.#account) return
    const part = this.#part
    this.#budget.claim(this.#account, part, -this.#claimed)
    this.#account.shares--
    this.#account.rows -= this.#rows
    this.#budget.waiting.move(this, account)
    this.#account = account
    account.shares++
    account.rows += this.#rows
    this.#budget.claim(account, part, this.#claimed)
  }

  /**
   * Counts bytes that are there. False if the budget has no room for them: then `room` says whether there will be, or
   * `remove` takes them back. A closed share counts nothing.
   */
  add(kind: Kind, bytes: number): boolean {
    if (this.#isClosed) return false
    this.#count(kind, bytes)
    return this.#bytes <= this.#claimed || this.#grow(kind)
  }

  /** Takes back bytes that were added: they were let go. */
  remove(kind: Kind, bytes: number): void {
    if (this.#isClosed) return
    this.#count(kind, -bytes)
    this.#shrink()
  }

  /**
   * Counts bytes that will be there, such as those of a body. Throws UnavailableError at once, and counts nothing, if
   * there is no room for them.
   */
  claim(kind: Kind, bytes: number): void {
    if (this.add(kind, bytes)) return
    this.remove(kind, bytes)
    throw this.refuse(kind)
  }

  /**
   * Waits for room for `bytes` more. Rejects with UnavailableError if there is none within the time that a read may
   * wait, and at once if the share is small or closed, or if it asks for more than one caller may hold.
   */
  async room(kind: Kind, bytes = step): Promise<void> {
    const budget = this.#budget
    if (this.#isClosed) throw gone()
    if (this.#isLarge ? budget.fits(this.#account, bytes, kind) : this.#mayBecomeLarge(bytes, kind)) {
      this.#isExcess = false
      return
    }
    const timeout = budget.waitTimeout - this.#waited
    const most = budget.limits.large / (kind === 'rows' ? 4 : 2)
    const isTooLarge = (kind === 'rows' ? this.#rows : this.#claimed) + bytes > most
    if (!this.#isLarge || this.#isExcess || isTooLarge || timeout <= 0) throw this.refuse(kind)
    const began = performance.now()
    try {
      await budget.waiting.wait(this, { kind, bytes, timeout, refuse: () => this.refuse(kind) })
    } finally {
      this.#waited += performance.now() - began
    }
  }

  /** Counts a refusal, and returns its error. */
  refuse(kind: Kind): UnavailableError {
    this.#budget.refusals[kind]++
    this.#refusal = new UnavailableError(refusals[kind], { retryAfter, isOverload: true })
    return this.#refusal
  }

  beginRead(): void {
    this.#reads++
    const first = this.#budget.firstClaim
    if (this.#isLarge || this.#isClosed || first <= this.#claimed) return
    // Bytes that are returned are for those that have begun.
    if (this.#account.waiting === 0 && this.#budget.fits(this.#account, first, 'rows')) this.#become(true, first)
  }

  endRead(): void {
    this.#reads--
    // A closed share has returned its claim already.
    if (!this.#isClosed) this.#shrink()
  }

  addRows(bytes: number): boolean {
    return this.add('rows', bytes)
  }

  removeRows(bytes: number): void {
    this.remove('rows', bytes)
  }

  get rowsLeft(): number {
    if (!this.#isLarge) {
      const small = 2 * smallAnswer - this.#bytes
      if (this.#account.waiting > 0) return small
      const large = this.#budget.left(this.#account, 'answers') - this.#bytes
      return Math.max(small, Math.min(large, this.#budget.leftForRows(this.#account)))
    }
    const left = this.#budget.left(this.#account, 'answers') + this.#claimed - this.#bytes
    return Math.min(left, this.#budget.leftForRows(this.#account))
  }

  roomForRows(bytes?: number): Promise<void> {
    return this.room('rows', bytes)
  }

  refuseRows(): UnavailableError {
    return this.refuse('rows')
  }

  /**
   * Counts the finished text of the answer: its rows, and the bytes that were added while it was written, are not needed any
   * more. Returns false if there is no room for it, as `add` does.
   */
  answer(bytes: number): boolean {
    if (this.#isClosed) return false
    const rows = this.#rows
    const answers = this.#answers
    this.#count('rows', -rows)
    const fits = this.add('answers', bytes - answers)
    this.#shrink()
    // Rows have a limit of their own, below which others may read now, also if nothing else is returned.
    if (rows > 0 && this.#budget.waiting.size > 0) this.#budget.waiting.serve()
    return fits
  }

  /** Returns everything: the answer was taken, or the client has gone. What waits for room is rejected. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const { held: totals } = this.#budget
    totals.rows -= this.#rows
    totals.answers -= this.#answers
    if (this.#others !== null) for (const kind of kinds) totals[kind] -= this.#others[kind]
    this.#account.rows -= this.#rows
    this.#account.shares--
    if (this.#claimed > 0) this.#budget.claim(this.#account, this.#part, -this.#claimed)
    if (this.#budget.waiting.size > 0) this.#budget.waiting.leave(this, gone())
  }

  get #part(): 'large' | 'small' {
    return this.#isLarge ? 'large' : 'small'
  }

  /** Returns whether an answer of 64 KiB may need this number of bytes: its rows are in memory together with its text. */
  get #isSmall(): boolean {
    return this.#bytes - this.#rows / 2 <= smallAnswer
  }

  #count(kind: Kind, bytes: number): void {
    this.#budget.held[kind] += bytes
    this.#bytes += bytes
    if (kind === 'answers') this.#answers += bytes
    else if (kind === 'rows') {
      this.#rows += bytes
      this.#account.rows += bytes
    } else {
      this.#others ??= zeros()
      this.#others[kind] += bytes
    }
  }

  /** Claims what is held and not claimed yet. */
  #grow(kind: Kind): boolean {
    const budget = this.#budget
    const account = this.#account
    const more = this.#bytes - this.#claimed
    if (this.#isLarge) {
      this.#claimed += more
      budget.claim(account, 'large', more)
      return budget.fits(account, 0, kind) || (this.#isSmall && this.#becomeSmall())
    }
    if (this.#isSmall && budget.fitsSmall(account, more)) {
      this.#claimed += more
      budget.claim(account, 'small', more)
      return true
    }
    if (!this.#mayBecomeLarge(0, kind)) {
      // The bytes are there: what is kept for small answers must not shrink by them.
      this.#become(true, this.#bytes)
      this.#isExcess = true
      return false
    }
    this.#become(true, this.#bytes)
    return true
  }

  /**
   * Returns whether a small share can become large, with this number of further bytes. Bytes that others return are for
   * requests that have begun.
   */
  #mayBecomeLarge(more: number, kind: Kind): boolean {
    const budget = this.#budget
    const account = this.#account
    if (account.waiting > 0 || !budget.fits(account, this.#bytes + more, 'answers')) return false
    // The rows that it has are counted already.
    return kind !== 'rows' || budget.leftForRows(account) >= more
  }

  /** Returns what is claimed and not held, unless a read may need it. */
  #shrink(): void {
    const mayNeedMore = this.#reads > 0 && !this.#isExcess
    if (this.#isLarge && !mayNeedMore && this.#isSmall && this.#becomeSmall()) return
    const least = this.#isLarge && mayNeedMore ? Math.max(this.#bytes, this.#budget.firstClaim) : this.#bytes
    if (this.#claimed <= least) return
    const less = this.#claimed - least
    this.#claimed = least
    this.#budget.claim(this.#account, this.#part, -less)
  }

  #becomeSmall(): boolean {
    if (!this.#budget.fitsSmall(this.#account, this.#bytes)) return false
    this.#become(false, this.#bytes)
    return true
  }

  #become(isLarge: boolean, bytes: number): void {
    const budget = this.#budget
    if (this.#claimed > 0) budget.claim(this.#account, this.#part, -this.#claimed)
    this.#isLarge = isLarge
    this.#isExcess = false
    this.#claimed = bytes
    if (bytes > 0) budget.claim(this.#account, this.#part, bytes)
  }
}

const refusals: Readonly<Record<Kind, string>> = {
  rows: 'The server has too many bytes under way for the rows of this request',
  answers: 'The server has too many bytes under way for this answer',
  bodies: 'The server has too many bytes under way for this body',
  files: 'The server has too many bytes under way for these files',
  variables: 'The server has too many bytes under way for these variables',
  messages: 'The server has too many bytes under way for this message',
}

function gone(): UnavailableError {
  return new UnavailableError('The client no longer waits for the answer')
}
