// The users whose requests are measured, and the tokens that they send. Knows nothing of Plinth but the form of a token.

import { createHmac } from 'node:crypto'
import type { Scenario } from './scenarios.ts'

/** A key of the bench alone. */
export const JWT_SECRET = 'a secret of the bench, which signs no other token'

/** The password of the first user. */
export const PASSWORD = 'bench-password'

/** A user of the role `authenticated`. */
export interface Caller {
  readonly id: number
  /** What the rules compare with `level` of entries, which is 1. */
  readonly level: number
  /** What the rule of tenants compares with. */
  readonly tenant?: string
}

/** Users who may see all entries, and one more, whom the rules let see none. */
const READERS = 20
export const readers: readonly Caller[] = Array.from({ length: READERS }, (_, index) => ({ id: index + 1, level: 5 }))
export const stranger: Caller = { id: READERS + 1, level: 0 }

const DAY = 86_400

const base64 = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A token as a login answers it, valid for a day. */
export function tokenOf({ id }: Caller): string {
  const iat = Math.floor(Date.now() / 1000)
  const signed = `${base64({ alg: 'HS256', typ: 'JWT' })}.${base64({ id, iat, exp: iat + DAY })}`
  return `${signed}.${createHmac('sha256', JWT_SECRET).update(signed).digest('base64url')}`
}

/** The scenario with a token in each request: the callers take turns. */
export function sentBy(callers: readonly Caller[], scenario: Scenario): Scenario {
  const tokens = callers.map(tokenOf)
  const { requests } = scenario
  const length = Math.max(requests.length, tokens.length)
  return {
    ...scenario,
    requests: Array.from({ length }, (_, index) => {
      const request = requests[index % requests.length]!
      const authorization = `Bearer ${tokens[index % tokens.length]}`
      return { ...request, headers: { ...request.headers, authorization } }
    }),
  }
}
