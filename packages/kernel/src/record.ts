// Tells objects with named members from all other values. Knows nothing of what the members mean.

/** Returns whether a value is an object and not an array. Dates and instances of classes are records, too. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Returns whether a value is an object as JSON and qs make it: not an array, Date or instance of another class. */
export function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false
  const prototype = Object.getPrototypeOf(value) as unknown
  return prototype === Object.prototype || prototype === null
}
