// The caller of a connection: the credentials that it has sent, and the rights that they give at present. Rights are judged
// for each change again; strategies remember what they have read for 3 s at most (security.md row 58).

import { type Access, type Context, type Kernel, ValidationError } from '@plinth/kernel'
import type { IncomingHttpHeaders } from 'node:http'
import { answerLimits } from '../answer/too-long.ts'

/** The headers by which a caller is authenticated. Cookies are none: a page of another origin would send them, too. */
export type CredentialHeaders = Readonly<Record<string, string>>

/** Characters of all credentials, as Node limits the headers of a request. */
const maxCredentials = 16 * 1024

/**
 * The credentials of `connection_init`, which are in the payload itself or in its `headers`, or of the upgrade request.
 * Throws ValidationError if there are two different `Authorization` (security.md row 60), and if they are too large.
 */
export function readCredentials(payload: unknown, upgrade: IncomingHttpHeaders): CredentialHeaders {
  const sent = isRecord(payload) ? payload : {}
  const headers: Record<string, string> = {}
  let size = 0
  const own = [...Object.entries(isRecord(sent.headers) ? sent.headers : {}), ...authorizationsOf(sent)]
  if (upgrade.authorization !== undefined) own.push(['authorization', upgrade.authorization])
  for (const [given, value] of own) {
    const name = given.toLowerCase()
    if (typeof value !== 'string' || name === 'cookie') continue
    size += name.length + value.length
    if (size > maxCredentials) throw new ValidationError('The credentials of the connection are too large')
    if (headers[name] !== undefined && headers[name] !== value)
      throw new ValidationError(`The connection has more than one ${given} header`, { path: name })
    headers[name] = value
  }
  return headers
}

/** A payload without `headers` has the credentials in itself; its other members belong to the client. */
function authorizationsOf(payload: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(payload).filter(([name]) => name.toLowerCase() === 'authorization')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The request, as resolvers receive it. */
export interface SocketRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly ip: string | undefined
}

/** One caller; several connections with the same credentials are equal callers. */
export class Caller {
  /** Equal for callers with the same credentials. */
  readonly key: string
  readonly #kernel: Kernel
  readonly #request: SocketRequest

  constructor(kernel: Kernel, credentials: CredentialHeaders, upgrade: SocketRequest) {
    this.#kernel = kernel
    this.key = JSON.stringify(Object.entries(credentials).sort())
    const { cookie: _cookie, authorization: _authorization, ...others } = upgrade.headers
    this.#request = { ...upgrade, headers: { ...others, ...credentials } }
    this.#credentials = credentials
  }

  readonly #credentials: CredentialHeaders

  /** The rights at present. Throws UnauthorizedError for credentials that are not valid any more. */
  judge(): Promise<Access> {
    return this.#kernel.auth.authenticate({ headers: this.#credentials })
  }

  /** A context for one query with these rights. */
  contextFor(access: Access): Context {
    return this.#kernel.context(access, this.#request, () => false, answerLimits)
  }

  get request(): SocketRequest {
    return this.#request
  }
}
