// The validation messages of v4: front ends show them, and some compare them (B-4.10 to B-4.27).

/** A value inside a message: nested values are printed as text, as v4's validator prints them. */
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

/** A path as messages show it: `links[0].label`. */
export function pathText(path: readonly string[]): string {
  let text = ''
  for (const step of path) text += isIndex(step) ? `[${step}]` : text === '' ? step : `.${step}`
  return text === '' ? 'this' : text
}

/** Every sent value has a path, and few steps begin with a digit. */
function isIndex(step: string): boolean {
  const first = step.charCodeAt(0)
  return first >= 48 && first <= 57 && /^\d+$/.test(step)
}
