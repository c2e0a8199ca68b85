// Counts the bytes that a process has under way for callers: rows being read, answers that their clients have not taken
// yet, bodies, files of forms, variables and messages. Does not know HTTP, and no database: who holds bytes has a share
// (share.ts).

import { Account } from './account.ts'
import { IdleCollection } from './idle-collection.ts'
import { type Kind, zeros } from './kinds.ts'
import { Share } from './share.ts'
import { WaitingShares } from './waiting.ts'

/** Bytes that a request claims before it reads: more is claimed as rows arrive. */
const firstClaim = 1024 * 1024

/** Milliseconds that a statement that has begun waits for room for its next rows. */
const longestWait = 2000

export interface BudgetOptions {
  /** The maximum number of bytes that all callers together may hold. */
  readonly maxBytes: number
  /** Milliseconds that a read that has begun waits for room (2000). */
  readonly waitTimeout?: number
}

/**
 * The bytes under way. Three quarters are for large answers and everything else that is large, and one quarter is kept
 * for answers below 64 KiB. One caller holds at most half of each part. Rows take at most half of what is for large
 * answers: the answers that are made of them need the other half.
 */
export class Budget {
  readonly maxBytes: number
  readonly waitTimeout: number
  /** Bytes that a read claims before its first row. */
  readonly firstClaim: number
  /** The maximum numbers of bytes of large and of small shares, and of one caller. */
  readonly limits: { readonly large: number; readonly small: number }
  /** Bytes that are claimed by large and by small shares. */
  readonly claimed = { large: 0, small: 0 }
  /** The bytes of each kind that are under way. */
  readonly held: Record<Kind, number> = zeros()
  /** The number of requests, statements and messages that were refused for want of room, by kind. */
  readonly refusals: Record<Kind, number> = zeros()
  /** The number of connections that were closed because their answers had not moved for 30 s. */
  stalledSockets = 0
  readonly #accounts = new Map<string, Account>()
  /** Bytes of large shares from which garbage is collected afterwards. */
  readonly #load: number
  readonly #collection = new IdleCollection(() => this.claimed.large > this.#load)
  /** @internal */
  readonly waiting = new WaitingShares(this)

  constructor({ maxBytes, waitTimeout = longestWait }: BudgetOptions) {
    this.maxBytes = maxBytes
    this.waitTimeout = waitTimeout
    const small = Math.floor(maxBytes / 4)
    this.limits = { large: maxBytes - small, small }
    this.#load = this.limits.large / 4
    this.firstClaim = Math.min(firstClaim, Math.floor(this.limits.large / 4))
  }

  /**
   * Opens a share for a caller, which holds nothing yet: a request, a connection of a WebSocket. Whoever opens it closes it.
   * `caller` says who it is, equal for all requests of one caller (callerOf).
   */
  open(caller: string): Share {
    return new Share(this, this.account(caller))
  }

  /** Called when its server closes. */
  close(): void {
    this.#collection.stop()
  }

  /** All bytes that are under way. */
  get bytes(): number {
    return this.claimed.large + this.claimed.small
  }

  /** The account of a caller. Those of callers that hold nothing are forgotten now and then. @internal */
  account(caller: string): Account {
    let account = this.#accounts.get(caller)
    if (account === undefined) {
      if (this.#accounts.size >= maxAccounts) this.#forget()
      account = new Account()
      this.#accounts.set(caller, account)
    }
    return account
  }

  #forget(): void {
    for (const [caller, account] of this.#accounts) if (account.shares === 0) this.#accounts.delete(caller)
  }

  /** Returns whether a large share of this account may claim `bytes` more. @internal */
  fits(account: Account, bytes: number, kind: Kind): boolean {
    return bytes <= this.left(account, kind)
  }

  /**
   * Returns how many bytes more a large share of this account may claim; negative if there are too many already.
   * @internal
   */
  left(account: Account, kind: Kind): number {
    const { large } = this.limits
    const left = Math.min(large - this.claimed.large, large / 2 - account.large)
    return kind === 'rows' ? Math.min(left, this.leftForRows(account)) : left
  }

  /** Returns how many bytes of rows more an account may hold, if it has claimed them. @internal */
  leftForRows(account: Account): number {
    const { large } = this.limits
    return Math.min(large / 2 - this.held.rows, large / 4 - account.rows)
  }

  /** Returns whether a small share of this account may claim `bytes` more. @internal */
  fitsSmall(account: Account, bytes: number): boolean {
    const { small } = this.limits
    return this.claimed.small + bytes <= small && account.small + bytes <= small / 2
  }

  /** Adds to what an account has claimed, whether it fits or not; a negative number gives back. @internal */
  claim(account: Account, part: 'large' | 'small', bytes: number): void {
    account[part] += bytes
    this.claimed[part] += bytes
    if (part === 'large' && this.claimed.large > this.#load) this.#collection.begin()
    if (bytes < 0 && this.waiting.size > 0) this.waiting.serve()
  }
}

/** Callers that are remembered. */
const maxAccounts = 10_000
