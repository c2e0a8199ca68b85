// Recognises objects with members. The client imports no other package, so it has a function of its own.

/** An object with members. */
export type Values = Readonly<Record<string, unknown>>

/** Returns whether a value is an object with members: not null, a list or a Date. */
export const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
