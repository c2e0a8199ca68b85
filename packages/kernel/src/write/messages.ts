// The validation messages of v4: front ends show them, and some compare them (B-4.10 to B-4.27).

/** Returns a value inside a message: nested values are printed as text, as v4's validator prints them. */
export function printValue(value: unknown): string {
  const simple = printSimple(value)
  if (simple !== null) return simple
  try {
    return JSON.stringify(value, (_key, inner) => printSimple(inner) ?? inner, 2) ?? typeof value
  } catch {
    // Objects of code may contain themselves, or throw when they are converted.
    return Object.prototype.toString.call(value)
  }
}

function printSimple(value: unknown): string | null {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'bigint') return `${value}n`
  return typeof value === 'string' ? `"${value}"` : null
}

/** `title must be a `string` type, but the final value was: `5`.` */
export function wrongType(path: string, type: string, value: unknown, original: unknown = value): string {
  const isCast = original !== null && original !== undefined && original !== value
  const cast = isCast ? ` (cast from the value \`${printValue(original)}\`).` : '.'
  return `${path} must be a \`${type}\` type, but the final value was: \`${printValue(value)}\`${cast}`
}

/**
 * Returns the message without the value: that of a password or of a private attribute is not repeated (security.md
 * A.5).
 */
export function withoutValue(message: string): string {
  return message.replace(/, but the final value was: [\s\S]*$/, '')
}
