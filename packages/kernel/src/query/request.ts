// Declares what is asked of the kernel: one type for transports and for all stages of a read, of which each stage takes
// its part. Who asks is the context beside it, because a request is prepared once for all callers with the same rights.

import type { PaginationRules } from './pagination.ts'
import type { Action, OwnMeta, ReadAction, Stage } from './query.ts'

/** The parameters of a query as transports pass them: REST's nested objects of text, or typed values. */
export type Params = Readonly<Record<string, unknown>>

/** A question about the entries of one content type: a read, unless `A` names actions of writes, whose answers are asked for. */
export interface ReadRequest<A extends Action = ReadAction> {
  /** The content type. */
  readonly uid: string
  readonly action: A
  /** The parameters that the caller sent: filters, populate, and those of plugins. */
  readonly params: Params
  /** The id of the entry, for `findOne`. */
  readonly id?: unknown
  /**
   * Entries that the caller has read already, for a list of what is below them: relations that are asked for one by one. No
   * parameter and no condition of a plugin hides the entries themselves, and lifecycles of reads do not run; everything
   * below the entries is checked as in a list, and hidden attributes stay hidden. `filters` and `_q` have no effect.
   */
  readonly entries?: { readonly ids: readonly number[] }
  /** The rules of pagination. Without them a list is complete, and its total is not counted. */
  readonly pagination?: PaginationRules | null
  /** True if entries carry their own `meta`. */
  readonly meta?: OwnMeta
  /** True if private attributes are shown: for trusted code. */
  readonly internal?: boolean
  /** True if `page`, `pageSize`, `start` and `limit` outside of `pagination` are refused, as lists of v4 do (B-2.5). */
  readonly refuseLoosePaging?: boolean
  /**
   * True if names that mean nothing are refused, which v4 ignores: unknown clauses, keys of `pagination`, options of
   * populates, and attributes and components to be populated. The error has the place and the nearest name.
   */
  readonly refuseUnknown?: boolean
  /**
   * True if the transport itself has checked that the caller may do the action: the right to it is not asked for again.
   * The access stays what it is. `prePlan` hooks check everything below the root as they would without the option, and
   * the conditions that they lay on the root hold, too: a rule of a role restricts the entries and hides attributes
   * also if the role lacks the action. With `withRights`, such rules would not apply.
   */
  readonly isAuthorized?: boolean
  /**
   * True if the rest is answered when the caller may not ask for every part, for transports that answer an error at
   * each part: attributes of `fields` that the caller may not read, and branches whose parameters are wrong or not
   * allowed, are left out and listed in `refused` of the prepared query. Errors that concern the query as a whole are
   * thrown. Nothing is left out of reads of a type with lifecycles of reads, which must run first.
   */
  readonly isPartial?: boolean
  /**
   * By default `read`, and `answer` for the actions of writes.
   * @internal
   */
  readonly stage?: Stage
}
