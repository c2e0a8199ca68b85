// Decides whether one route stands before another: v4 takes the first one that matches (B-13.26, B-13.32).

/** A method and a path of v4. */
export interface Target {
  readonly method: string
  readonly path: string
}

/** Returns whether every request for `later` is answered by `earlier`. */
export function covers(earlier: Target, later: Target): boolean {
  if (earlier.method !== 'ALL' && earlier.method !== later.method) return false
  // A group in braces may take in slashes: what stands before it decides.
  const [fixed] = earlier.path.split('{')
  if (fixed !== earlier.path) return later.path.toLowerCase().startsWith(fixed!.replace(/\/$/, '').toLowerCase())
  const [before, after] = [segments(earlier.path), segments(later.path)]
  for (const [i, one] of before.entries()) {
    const other = after[i]
    if (takesRest.test(one) && (other !== undefined || !one.includes('+'))) return true
    if (other === undefined) return before.slice(i).every(isOptional)
    if (!coversSegment(one, other)) return false
  }
  return before.length >= after.length
}

/** `(.*)`, `:path(.+)`, `:path*`: what follows is part of it. */
const takesRest = /^(?::\w+)?(?:\(\.[*+]\))[?*+]?$|^:\w+(?:\(.+\))?[*+]$/
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
