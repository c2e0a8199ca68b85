// Says which addresses of a text may be followed and shown. Knows neither Markdown nor blocks.

const followed = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/** The address as it was written; null if following it could run a script, or if it is none. */
export function followedAddress(address: unknown): string | null {
  if (typeof address !== 'string' || address.trim() === '') return null
  const { protocol } = parse(address) ?? {}
  return protocol !== undefined && followed.has(protocol) ? address : null
}

/** Returns whether the policy of the page allows an image: one of the own server, or of an origin for media. */
export function isShownImage(address: string, mediaOrigins: readonly string[], own: string): boolean {
  const url = parse(address, own)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return url.origin === new URL(own).origin || mediaOrigins.includes(url.origin)
}

/** Browsers leave out tabs and line breaks within an address, and so does URL. */
function parse(address: string, base = 'https://relative.invalid'): URL | null {
  try {
    return new URL(address, base)
  } catch {
    return null
  }
}
