// The only things in which databases may differ. One object per database; nothing else in the kernel asks which it is.

import type { Comparison } from '../query/operators.ts'
import type { Storage } from '../model/attribute-types.ts'

/** One bindable value. */
export type BoundOne = string | number | bigint | boolean | Buffer | null

/** Bindable values; a list only where within() or a test of `in` has its place. */
export type Bound = BoundOne | readonly BoundOne[]

/** How values of one storage pass between JavaScript and a column. None of the functions sees null. */
export interface Codec {
  /** Wraps the column where it is selected. */
  readonly select?: (column: string) => string
  /** Column value → what entries hold. */
  readonly decode: (raw: never) => unknown
  /** Column value → JSON text, without the detour over decode(). */
  readonly json: (raw: never) => string
  /** Canonical value → bind value. Canonical: text, number, boolean, epoch ms for datetimes, any JSON value. */
  readonly encode: (value: never) => Bound
}

/** For which rows a statement looks at the clock; all of them where nothing is said. */
export interface TickRows {
  /** An expression that is 0 for some rows. */
  readonly skip: string
  /** A table whose rows are visited once each: where it is small, none is looked at. */
  readonly table: string | null
}

/** When a row is inserted, and what is given back of it. Conditions come first in the text. */
export interface InsertGuard {
  readonly condition: string
  readonly returning: string
}

export interface Dialect {
  readonly name: 'sqlite' | 'mysql' | 'postgres'
  readonly codecs: Readonly<Record<Storage, Codec>>
  quote(name: string): string
  /** A test of `column`; every `?` in it stands for one bound value. */
  compare(comparison: Comparison, column: string, storage: Storage | 'id'): string
  /** The bind values of a test, in the order of its `?`. */
  operands(comparison: Comparison, value: unknown, storage: Storage | 'id', encode: (one: unknown) => BoundOne): Bound[]
  /** `expression` is one of a bound list of ids: one `?` whatever the list's length. */
  within(expression: string): string
  /** The bind value for within(). */
  list(values: readonly unknown[]): Bound
  /** The expression as text, for text operators on other storages. */
  asText(expression: string, storage: Storage | 'id'): string
  /** The expression, hidden from the choice of indexes where the optimizer would choose badly. */
  unindexed(expression: string): string
  /** Is `x IN (SELECT y FROM z)` a look into y's index for each x, which costs less than a subquery for each row? */
  readonly seeksMembers: boolean
  /** A bound number where its place does not tell its type. */
  readonly number: string
  /** The bind value of a LIMIT; a negative one is none. */
  limit(count: number): Bound
  /** The least or greatest value of a group. */
  extremum(which: 'MIN' | 'MAX', column: string, storage: Storage | 'id'): string
  /** Which statements can give their row back? */
  readonly returns: { readonly insert: boolean; readonly update: boolean }
  /** Inserts a row, one `?` for each column, and gives `returning` back; null for nothing but its id. */
  insertRow(table: string, columns: readonly string[], returning: string | null): string
  /**
   * Inserts a row only if a condition holds, and gives `returning` back. Null where that saves no statement: the condition costs
   * as much as a question of its own.
   */
  readonly insertRowIf: ((table: string, columns: readonly string[], guard: InsertGuard) => string) | null
  /**
   * What a SELECT ends in that locks its rows until the end of the transaction: `change` keeps others from changing them, `remove`
   * also from linking to them, `share` only from deleting them. Null where the database has one writer at a time.
   */
  readonly rowLocks: { readonly change: string; readonly remove: string; readonly share: string } | null
  /** Are so many ids bound one by one rather than as a list, since that costs less? */
  bindsEach(count: number): boolean
  /** A join whose left side is read first, whatever the optimizer thinks. */
  readonly straightJoin: string
  /**
   * What a column cannot hold: the end of a sentence that begins with the value's path, or null. Null instead of a
   * function: columns hold whatever passed validation.
   */
  readonly refuse: ((storage: Storage, value: unknown) => string | null) | null
  /**
   * A condition that is true for every row and looks at the clock for some: it stops a statement that runs too long. Null where
   * databases end their statements by themselves.
   */
  readonly tick: ((rows: TickRows | null) => string) | null
  /** Turns `?` into what the driver wants. */
  finish(text: string): string
}
