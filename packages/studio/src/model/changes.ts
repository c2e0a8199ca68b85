// Compares the values of a form with those that were read, so that only what changed is sent: an untouched value stays as it
// is, byte for byte.

type Values = Readonly<Record<string, unknown>>

/** The values that differ, by name. A value that is undefined now was not touched. */
export function changedValues(before: Values, now: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== undefined && !isEqual(before[name] ?? null, value ?? null)),
  )
}

/** Returns whether two JSON values are equal. Members that are undefined do not count. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  for (const name of names) if (!isEqual((left as Values)[name], (right as Values)[name])) return false
  return true
}
