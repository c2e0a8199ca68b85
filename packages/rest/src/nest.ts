// Many pairs into nested values in a time that depends on their number alone: qs takes four milliseconds for a thousand pairs with
// numbers in brackets. Only for pairs whose meaning is plain; the others are qs's, and both must give the same (nest.test.ts).

/** How pairs are nested, as qs says it. */
export interface NestOptions {
  /** The length of the longest list. */
  readonly arrayLimit: number
  /** `a` without "=" is null instead of an empty text. */
  readonly strictNullHandling: boolean
}

/** Names with further names in brackets, none of them empty. */
const plainKey = /^[\w$-]+(?:\[[\w$-]+\])*$/
const index = /^(?:0|[1-9]\d{0,5})$/

/** Values by name, in the order in which they came. */
type Branch = Map<string, Branch | string | null>

/** The nested values of pairs; null where some pair is not plain, comes twice or is both a value and a branch. */
export function nestPlain(pairs: readonly string[], options: NestOptions): Record<string, unknown> | null {
  const root: Branch = new Map()
  for (const pair of pairs) if (!add(root, pair, options)) return null
  const made: Record<string, unknown> = {}
  for (const [name, value] of root) made[name] = toValue(value, options)
  return made
}

function add(root: Branch, pair: string, { strictNullHandling }: NestOptions): boolean {
  const at = pair.indexOf('=')
  const key = at === -1 ? pair : pair.slice(0, at)
  if (!plainKey.test(key)) return false
  const names = key.split(/\]?\[|\]/)
  if (key.endsWith(']')) names.pop()
  const last = names.pop()!
  let branch = root
  for (const name of names) {
    if (name in Object.prototype) return false
    const known = branch.get(name)
    const next = known === undefined ? new Map() : known
    if (!(next instanceof Map)) return false
    branch.set(name, next)
    branch = next
  }
  if (last in Object.prototype || branch.has(last)) return false
  branch.set(last, at === -1 ? (strictNullHandling ? null : '') : decode(pair.slice(at + 1)))
  return true
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced
}

/** A branch is a list where all its names are indexes; a list has no gaps. */
function toValue(value: Branch | string | null, options: NestOptions): unknown {
  if (!(value instanceof Map)) return value
  const names = [...value.keys()]
  const isList = names.every(name => index.test(name) && Number(name) < options.arrayLimit)
  if (isList) return names.sort((a, b) => Number(a) - Number(b)).map(name => toValue(value.get(name)!, options))
  const made: Record<string, unknown> = {}
  for (const [name, one] of value) made[name] = toValue(one, options)
  return made
}
