// Counts what one caller holds of a budget. Knows no shares.

/** The account of a caller: a user, a token, or an address. */
export class Account {
  /** Bytes that its large and its small shares have claimed. */
  large = 0
  small = 0
  /** Bytes of rows that its shares hold. */
  rows = 0
  /** Its shares that wait for room. */
  waiting = 0
  /** Its open shares. */
  shares = 0
}
