// The arguments of the methods of the writer.

import type { Context } from '../context.ts'
import type { Params } from '../query/parse.ts'
import type { OwnMeta } from '../query/query.ts'

interface CommonRequest {
  /** The content type. */
  readonly uid: string
  /** The query of the answer. */
  readonly params: Params
  readonly context: Context
  /** Whether entries of the answer have their own `meta`. */
  readonly meta?: OwnMeta
  /**
   * Whether the transport has checked itself that the caller may do this write: the right to the action is not asked for
   * again. The access stays what it is, so the conditions that `prePlan` hooks lay on targets, results and links hold,
   * and everything below the root of the answer is judged as it would be without the option.
   */
  readonly isAuthorized?: boolean
}

/** The creation of an entry, or a change of the entry of a single type. */
export interface CreateRequest extends CommonRequest {
  readonly data: unknown
}

/** A change of the entry `id`. */
export interface UpdateRequest extends CreateRequest {
  readonly id: number
}

/** The deletion of the entry `id`. */
export interface DeleteRequest extends CommonRequest {
  readonly id: number
}

/** What selects the entry of a single type: the filters and parameters among `params`. */
export interface SingleRequest extends Omit<CommonRequest, 'meta'> {
  /** The action that would change the entry. */
  readonly action: 'update' | 'delete'
}

/** A link that a caller wants to set. */
export interface LinkRequest {
  /** The type of the new entry. */
  readonly uid: string
  /** The relation that links. */
  readonly name: string
  /** The entry to be linked. */
  readonly id: number
  readonly context: Context
}
