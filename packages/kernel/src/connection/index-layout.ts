// Declares an index that a model needs. Data only.

export interface IndexLayout {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  /** The columns that it holds in descending order. */
  readonly descending?: readonly string[]
  /** True if it is made while others read and write, and if nothing but speed depends on it. */
  readonly isOnline?: boolean
}
