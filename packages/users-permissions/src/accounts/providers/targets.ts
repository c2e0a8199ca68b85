// The addresses to which a login leads: pages of the front end, and no others (security.md row 66, CVE-2023-22893).

import { ValidationError } from '@plinth/kernel'
import type { ValidateCallback } from './config.ts'

/** Schemes whose addresses are code or data. Others may belong to the app of a telephone. */
const refused = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'ws:', 'wss:', 'ftp:']

const maxLength = 1000

/** Returns why an address cannot be one to which a login leads; null if it can. */
export function faultOfTarget(address: string): string | null {
  if (address.length > maxLength) return `has more than ${maxLength} characters`
  // A line break would end the header; a URL parser removes it, so it is looked for before.
  if (/[\s\x00-\x1f\x7f\\]/.test(address)) return 'contains a blank, a backslash or a control character'
  if (!URL.canParse(address)) return 'is not a URL; it must be whole, such as https://example.com/login'
  const { protocol, username, password } = new URL(address)
  if (refused.includes(protocol)) return `must not begin with ${protocol}`
  return username === '' && password === '' ? null : 'must not contain a user'
}

/** The addresses that a request may name. */
export interface AllowedTargets {
  readonly provider: string
  readonly callbacks: readonly [string, ...string[]]
  readonly validate: ValidateCallback | undefined
}

/**
 * The address to which a login leads: the first of the settings, or the one that the request asks for, if it is exactly
 * one of the settings, or `validate` accepts it. Throws ValidationError for every other one.
 */
export async function targetOf(
  { provider, callbacks, validate }: AllowedTargets,
  requestedTarget: unknown,
): Promise<string> {
  if (requestedTarget === undefined) return callbacks[0]
  if (typeof requestedTarget === 'string' && callbacks.includes(requestedTarget)) return requestedTarget
  if (typeof requestedTarget === 'string' && validate !== undefined && faultOfTarget(requestedTarget) === null) {
    const accepts = async () => (await validate(requestedTarget, { provider, callback: callbacks[0] })) !== false
    if (await accepts().catch(() => false)) return requestedTarget
  }
  throw new ValidationError('Invalid callback URL provided', { callback: String(requestedTarget).slice(0, 200) })
}

/** An address with a parameter in its query, instead of one of that name which it has. */
export function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address)
  url.searchParams.set(name, value)
  return url.href
}
