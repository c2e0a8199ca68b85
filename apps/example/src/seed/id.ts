// The ids of written entries.

/** The id of an entry that was written. */
export type Id = number
