// Declares the interface of all differences between databases. Each database has one object that implements it; nothing
// else in the kernel distinguishes between them.

import type { Storage } from '../model/attribute-types.ts'
import type { Comparison } from '../query/operators.ts'

/** One bindable value. */
export type BoundOne = string | number | bigint | boolean | Buffer | null

/** Bindable values; a list only for within() or for a test of `in`. */
export type Bound = BoundOne | readonly BoundOne[]

/** Conversions of values of one storage between JavaScript and a column. No function receives null. */
export interface Codec {
  /** Wraps the column when it is selected. */
  readonly select?: (column: string) => string
  /** Column value → value in an entry. */
  readonly decode: (raw: never) => unknown
  /** Column value → JSON text, without decode(). */
  readonly json: (raw: never) => string
  /** Canonical value → bind value. Canonical: text, number, boolean, epoch ms for datetimes, any JSON value. */
  readonly encode: (value: never) => Bound
}

/** The rows for which a statement checks the clock; all rows if not given. */
export interface TickRows {
  /** An expression that is 0 for some rows. */
  readonly skip: string
  /** A table whose rows are visited once each: if it is small, no row causes a check. */
  readonly table: string | null
}

/** The condition for inserting a row, and the returned columns. The condition comes first in the text. */
export interface InsertGuard {
  readonly condition: string
  readonly returning: string
}

/** The tests of a column of texts that cannot hold every text. */
export interface ColumnTests extends Pick<Dialect, 'compare' | 'operands'> {
  /** The placeholder of a text that is compared with the column by itself. */
  readonly placeholder: string
}

/**
 * The way in which the statement of a filtered page also counts the rows that the filters match, so that they are found
 * once.
 *
 * - `modifier`: words after SELECT, and the statement that returns the number if it follows in the same message. All
 *   rows are read then, which an index for the order would avoid.
 * - `column`: an expression whose value is the number in each row. All rows are collected for it.
 */
export type CountedPages =
  | { readonly kind: 'modifier'; readonly text: string; readonly total: string; readonly maxTotal: number }
  | { readonly kind: 'column'; readonly text: string; readonly maxTotal: number }

export interface Dialect {
  readonly name: string
  readonly codecs: Readonly<Record<Storage, Codec>>
  quote(name: string): string
  /** A test of `column`; every `?` in it stands for one bound value. */
  compare(comparison: Comparison, column: string, storage: Storage | 'id'): string
  /**
   * The bind values of a test, in the order of its `?`. A null in `value`, and a list or a pair of nulls, are bound as
   * NULL, with which neither the test nor its negation holds; `encode` keeps null.
   */
  operands(comparison: Comparison, value: unknown, storage: Storage | 'id', encode: (one: unknown) => BoundOne): Bound[]
  /**
   * The tests of a column of texts that cannot hold every text; null if it can. Null instead of a function: every column
   * can.
   */
  readonly narrowTests: ((table: string, column: string) => ColumnTests | null) | null
  /** The condition that `expression` is in a bound list of ids: one `?` whatever the list's length. */
  within(expression: string): string
  /** The bind value for within(). */
  list(values: readonly unknown[]): Bound
  /** The expression converted to text, for text operators on other storages. */
  asText(expression: string, storage: Storage | 'id'): string
  /** The expression, hidden from the choice of indexes if the optimizer would choose badly. */
  unindexed(expression: string): string
  /** The same for a column of a rule, which nearly all entries fulfil. */
  unindexedRule(expression: string): string
  /** True if `x IN (SELECT …)` with a condition finds all members first, even if few rows are tested. */
  readonly listsMembers: boolean
  /** True if `x IN (SELECT y FROM z)` seeks y's index for each x, which costs less than a correlated subquery. */
  readonly seeksMembers: boolean
  /** The placeholder of an id that a client sent, compared with a column of ids: it may be greater than any id. */
  readonly sentId: string
  /** The placeholder of a number whose type the statement does not determine. */
  readonly number: string
  /** The bind value of a LIMIT; a negative one means no limit. */
  limit(count: number): Bound
  /** The placeholder of a LIMIT and of an OFFSET. */
  readonly limitPlaceholder: string
  /**
   * The way in which a page counts; `maxTotal` is the total up to which that costs less than a count of its own, which
   * with a modifier is so for every total if no index serves the order. Null if the database reads faster in two
   * statements.
   */
  readonly countedPages: CountedPages | null
  /** The least or greatest value of a group. */
  extremum(which: 'MIN' | 'MAX', column: string, storage: Storage | 'id'): string
  /** The statements that can return their row. */
  readonly returns: { readonly insert: boolean; readonly update: boolean }
  /** Inserts a row, one `?` for each column, and returns `returning`; null returns only its id. */
  insertRow(table: string, columns: readonly string[], returning: string | null): string
  /**
   * Inserts a row only if a condition holds, and returns `returning`. Null if that saves nothing: the condition costs
   * as much as a statement of its own.
   */
  readonly insertRowIf: ((table: string, columns: readonly string[], guard: InsertGuard) => string) | null
  /**
   * True if the entries that a new entry links are not looked up where foreign keys refuse missing ones: the look costs
   * more than the refused creation, which runs again to say what is missing.
   */
  readonly leavesLinksToKeys: boolean
  /**
   * The end of a SELECT that locks its rows until the end of the transaction: `change` prevents changes by others,
   * `remove` also new links to them, `share` only their deletion. Null if the database has one writer at a time.
   */
  readonly rowLocks: { readonly change: string; readonly remove: string; readonly share: string } | null
  /** Returns whether this number of ids is bound one by one instead of as a list, because that costs less. */
  bindsEach(count: number): boolean
  /** A join whose left side is read first, whatever the optimizer would choose. */
  readonly straightJoin: string
  /**
   * Checks whether a column can hold a value: returns the end of a sentence that begins with the value's path, or null.
   * Null instead of a function: columns hold everything that passed validation.
   */
  readonly refuse: ((storage: Storage, value: unknown) => string | null) | null
  /**
   * A condition that is true for every row and checks the clock for some: it stops a statement that runs too long. Null
   * if the database limits the time of statements by itself.
   */
  readonly tick: ((rows: TickRows | null) => string) | null
  /** Replaces `?` by the placeholders of the driver. */
  finish(text: string): string
}

/** Returns whether an entry can have that id. Servers refuse to compare ids with values out of their range. */
export function mayExist({ refuse }: Dialect, id: number): boolean {
  return Number.isInteger(id) && (refuse === null || refuse('integer', id) === null)
}
