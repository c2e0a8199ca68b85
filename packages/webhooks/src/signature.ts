// Signs what is sent, and tells receivers whether a request is one of ours, by the scheme of Standard Webhooks
// (standardwebhooks.com): HMAC-SHA256 over the id, the time and the body. Has no dependency, so that receivers can use it.

import { createHmac, timingSafeEqual } from 'node:crypto'

/** The headers of a signed request, in lower case. */
export const signatureHeaders = {
  /** The id of the delivery: equal for all attempts to deliver it. */
  id: 'webhook-id',
  /** The time of the attempt, in seconds since 1970. */
  time: 'webhook-timestamp',
  /** `v1,<base64>`; one for each secret, between blanks. */
  signature: 'webhook-signature',
} as const

/** The parts of a request that are signed. */
export interface Signed {
  readonly id: string
  /** Seconds since 1970. */
  readonly time: number
  readonly body: string
}

/** Returns the value of the header `webhook-signature`. */
export function sign({ id, time, body }: Signed, secrets: readonly string[]): string {
  return secrets.map(secret => `v1,${digestOf(`${id}.${time}.${body}`, secret).toString('base64')}`).join(' ')
}

/** A request as a receiver has it. */
export interface Received {
  /** By their names in lower case; what Node's http and Fastify have as `headers`. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as it came, before it is parsed. */
  readonly body: string
  readonly secret: string
  /** Seconds by which the time of the request may differ from that of the receiver; 300 by default. */
  readonly tolerance?: number
}

/** Returns whether a request was signed with the secret, and not long ago. */
export function isSigned({ headers, body, secret, tolerance = 300 }: Received): boolean {
  const [id, time, signature] = Object.values(signatureHeaders).map(name => headers[name])
  if (typeof id !== 'string' || typeof time !== 'string' || typeof signature !== 'string') return false
  if (!/^\d{1,12}$/.test(time) || Math.abs(Date.now() / 1000 - Number(time)) > tolerance) return false
  const expected = digestOf(`${id}.${time}.${body}`, secret)
  return signature.split(' ').some(one => {
    const [version, text = ''] = one.split(',')
    const sent = Buffer.from(text, 'base64')
    return version === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected)
  })
}

const prefix = 'whsec_'

/** Libraries of Standard Webhooks have secrets as Base64 behind `whsec_`; any other secret is used as it is. */
function digestOf(text: string, secret: string): Buffer {
  const key = secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret)
  return createHmac('sha256', key).update(text).digest()
}
