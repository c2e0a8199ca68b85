// Cookies with a signature: what a browser sends back is what it was given, under the same name. It knows no logins.

import { createHmac, timingSafeEqual } from 'node:crypto'

/** Reads and writes cookies, as @fastify/cookie does it. */
export interface CookieText {
  parse(header: string): Readonly<Record<string, string | undefined>>
  serialize(name: string, value: string, options: object): string
}

/** Signs cookies, and reads those whose signature is right. */
export class SignedCookies {
  readonly #key: Buffer
  readonly #text: CookieText

  constructor(key: Buffer, text: CookieText) {
    this.#key = key
    this.#text = text
  }

  /** The header that sets a cookie. */
  write(name: string, value: string, options: object): string {
    return this.#text.serialize(name, `${value}.${this.#sign(name, value)}`, options)
  }

  /** The header that removes a cookie, which has the options with which it was set. */
  clear(name: string, options: object): string {
    return this.#text.serialize(name, '', { ...options, maxAge: 0, expires: new Date(0) })
  }

  /** The cookies of a request that were signed here. */
  read(header: string | undefined): Readonly<Record<string, string>> {
    const cookies: Record<string, string> = Object.create(null)
    for (const [name, text = ''] of Object.entries(this.#text.parse(header ?? ''))) {
      const end = text.lastIndexOf('.')
      const value = text.slice(0, Math.max(end, 0))
      if (end > 0 && isSame(text.slice(end + 1), this.#sign(name, value))) cookies[name] = value
    }
    return cookies
  }

  #sign(name: string, value: string): string {
    return createHmac('sha256', this.#key).update(`${name}=${value}`).digest('base64url')
  }
}

/** Returns whether two texts are the same, in constant time. */
export function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}
