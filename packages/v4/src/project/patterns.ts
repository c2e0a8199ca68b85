// Whether one route stands before another: v4 takes the first one that matches (B-13.26, B-13.32).

/** A method and a path of v4. */
export interface Target {
  readonly method: string
  readonly path: string
}

/** Whether every request for `later` is answered by `earlier`. */
export function covers(earlier: Target, later: Target): boolean {
  if (earlier.method !== 'ALL' && earlier.method !== later.method) return false
  const [before, after] = [segments(earlier.path), segments(later.path)]
  for (const [i, one] of before.entries()) {
    if (one === '(.*)' || /^:\w+\(\.\*\)$/.test(one)) return true
    const other = after[i]
    if (other === undefined) return before.slice(i).every(isOptional)
    if (!coversSegment(one, other)) return false
  }
  return before.length >= after.length
}

const segments = (path: string) => path.split('/').filter(one => one !== '')
const isOptional = (segment: string) => /^:.*[?*]$/.test(segment)

function coversSegment(one: string, other: string): boolean {
  if (one === other || /^:\w+[?*+]?$/.test(one)) return true
  if (!/[:(]/.test(one)) return one.toLowerCase() === other.toLowerCase()
  const [, pattern] = /^:\w+\((.+)\)[?*+]?$/.exec(one) ?? /^\((.+)\)$/.exec(one) ?? []
  // Of other forms it is not known what they match: they count as if they stood before it.
  if (pattern === undefined) return true
  try {
    return new RegExp(`^(?:${pattern})$`, 'i').test(other.startsWith(':') ? '1' : other)
  } catch {
    return true
  }
}
