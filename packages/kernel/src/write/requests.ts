// The requests that callers of the writer pass, and the interface by which they read entries for writes.

import type { Context } from '../context.ts'
import type { Uid } from '../model/content-type.ts'
import type { OwnMeta } from '../query/query.ts'
import type { Params } from '../query/request.ts'
import type { PreparedAnswer } from '../read/answers.ts'
import type { Entry } from '../result/rows.ts'

interface CommonRequest {
  /** The content type. */
  readonly uid: string
  readonly context: Context
  /** The query of the answer; without it, the answer has all scalars. */
  readonly params?: Params
  /** True if entries of the answer have their own `meta`. */
  readonly meta?: OwnMeta
  /**
   * Instead of `params` and `meta`, the query of the answer as `reader.prepareAnswer` has prepared it. It is prepared
   * again for other rights, and for another action than that of the write: `put` may create.
   */
  readonly answer?: PreparedAnswer
  /**
   * True if the transport itself has checked that the caller may do this write: the right to the action is not asked
   * for again. The access stays what it is, so the conditions that `prePlan` hooks lay on targets, results and links
   * hold, and everything below the root of the answer is checked as it would be without the option.
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

/** The selection of the entry of a single type: the filters and parameters among `params`. */
export interface SingleRequest extends Omit<CommonRequest, 'meta' | 'answer'> {
  readonly params: Params
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

/** The caller and the kind of a write of entries of a type. A single type is created by `update`. */
export interface WritableRequest {
  readonly uid: string
  readonly action: 'create' | 'update'
  readonly context: Context
}

/** The attributes of a type or a component that a caller may send, in the order of the schema. */
export interface WritableAttributes {
  /** Names of attributes whose sent values are written. */
  readonly writable: readonly string[]
  /**
   * Names of attributes that a write must not contain: it is answered ForbiddenError. Sent values of all other attributes
   * are left out.
   */
  readonly refused: readonly string[]
}

/** Reads entries for hooks of writes, inside the transaction, also entries that plugins hide from callers. */
export interface EntrySource {
  /** Returns an entry with all scalars, also private ones, and with what `params` populates; null if there is none. */
  read(uid: string, id: number, context: Context, params?: Params): Promise<Entry | null>
  /** Returns the named attributes of an entry, with components, as data for a write that copies them; null if there is none. */
  copy(uid: string, id: number, names: readonly string[], context: Context): Promise<Record<string, unknown> | null>
  /** Returns whether the rules of plugins let the caller change an entry. Always true for the system. */
  mayChange(uid: string, id: number, context: Context): Promise<boolean>
  /**
   * Returns whether the rules of plugins let the caller store an entry as it is now, as they are asked after an update.
   * Always true for the system.
   */
  mayStore(uid: string, id: number, context: Context): Promise<boolean>
  /** Returns the attributes of a type that the rules of plugins forbid the caller to write. None for the system. */
  forbiddenAttributes(uid: string, action: 'create' | 'update', context: Context): ReadonlySet<string>
  /**
   * Returns what the rules of plugins let the caller send of the attributes of a type, and of the components that it
   * leads to, by uid. The right to the action itself is not checked. Values, and the entries that they link, may be
   * refused all the same.
   */
  writableAttributes(request: WritableRequest): ReadonlyMap<Uid, WritableAttributes>
  /**
   * Returns the id of the entry of a single type that the action would change, given the filters; null if there is
   * none.
   */
  findSingle(request: SingleRequest): Promise<number | null>
}
