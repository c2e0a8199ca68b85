// Reads which origins may read answers, in the form in which browsers send them (B-1.62).

/** All origins (true), none (false), or the listed ones. */
export type Origins = boolean | string[]

/** Words separated by commas, or a list, whose members may be missing. */
export type List = string | readonly (string | null | undefined)[]

/** The words of a list; undefined if there is none. */
export function listOf(setting: List | null | undefined): string[] | undefined {
  if (setting === undefined || setting === null) return undefined
  const parts = typeof setting === 'string' ? setting.split(',') : setting
  return parts.flatMap(one => one?.trim() || [])
}

/**
 * Parses origins as v4 does: one, several separated by commas, or a list; "*" allows all. Null and undefined allow
 * none. Each is brought into the form that browsers send, such as without a slash at its end.
 */
export function readOrigins(setting: unknown): Origins {
  if (typeof setting === 'boolean') return setting
  const origins = listOf(setting as List | null | undefined)
  if (origins === undefined) return false
  return origins.includes('*') ? true : origins.map(browserForm)
}

/** An origin as browsers send it. What is more than an origin stays, and matches none. */
function browserForm(text: string): string {
  const origin = originOf(text)
  return origin === null || origin.hasMore ? text : origin.href
}

/** Returns what in a setting can match no origin, each as a sentence. */
export function faultsOfOrigins(setting: unknown): string[] {
  if (typeof setting === 'boolean' || typeof setting === 'function') return []
  return (listOf(setting as List | null | undefined) ?? []).flatMap(one => {
    if (one === '*' || one === 'null') return []
    const origin = originOf(one)
    if (origin === null) return [`"${one}" is not an origin, such as https://www.example or http://localhost:3000`]
    if (one.includes('*')) return [`"${one}" has a wildcard, which is not known: list the origins, or give a function`]
    return origin.hasMore ? [`"${one}" is more than an origin, which is ${origin.href}`] : []
  })
}

interface ReadOrigin {
  /** As browsers send it. */
  readonly href: string
  /** True if it has a path or the like, with which no browser sends it. */
  readonly hasMore: boolean
}

/** An origin; null for what is not one. Browsers send hosts in lower case and ASCII, and no port that is the usual one. */
function originOf(text: string): ReadOrigin | null {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? URL.parse(text) : null
  if (url === null || url.host === '') return null
  const { protocol, host, pathname, search, hash, username, password } = url
  const hasMore = !['', '/'].includes(pathname) || `${search}${hash}${username}${password}` !== ''
  return { href: `${protocol}//${host}`, hasMore }
}
