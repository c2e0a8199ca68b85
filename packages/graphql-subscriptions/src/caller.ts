// The caller of a connection: the credentials that it has sent, and the rights that they give at present. Rights are checked
// for each change again; strategies remember what they have read for 3 s at most (security.md row 58).

import type { IncomingHttpHeaders } from 'node:http'
import type { ChangeCaller } from '@plinth/graphql'
import { type Access, type AnswerLimits, isRecord, type Kernel, ValidationError } from '@plinth/kernel'
import { budgetOf, callerOf, type Share } from '@plinth/server/transport'

/**
 * The headers by which a caller is authenticated. Cookies are not among them: a page of another origin would send them,
 * too.
 */
export type CredentialHeaders = Readonly<Record<string, string>>

/** Maximum number of characters of all credentials, as Node limits the headers of a request. */
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
  for (const [header, value] of own) {
    const name = header.toLowerCase()
    if (typeof value !== 'string' || name === 'cookie') continue
    size += name.length + value.length
    if (size > maxCredentials) throw new ValidationError('The credentials of the connection are too large')
    if (headers[name] !== undefined && headers[name] !== value)
      throw new ValidationError(`The connection has more than one ${header} header`, { path: name })
    headers[name] = value
  }
  return headers
}

/** A payload without `headers` has the credentials in itself; its other members belong to the client. */
function authorizationsOf(payload: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(payload).filter(([name]) => name.toLowerCase() === 'authorization')
}

/** The request, as resolvers receive it. */
export interface SocketRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The address of the client, as the trusted proxy names it. */
  readonly ip: string
}

/** The reads of one answer. */
interface AnswerReads {
  /** Counts what is read, and the answer. */
  readonly share: Share
  /** Returns whether nobody waits for the answer any more. */
  readonly isAbandoned: () => boolean
}

/** The tools with which callers are made; `limits` are those of the answers that they receive. */
interface CallerTools {
  readonly kernel: Kernel
  readonly limits: AnswerLimits
}

/** One caller; several connections with the same credentials are equal callers. */
export class Caller {
  /** Equal for callers with the same credentials. */
  readonly key: string
  readonly #kernel: Kernel
  readonly #limits: AnswerLimits
  readonly #credentials: CredentialHeaders
  readonly #request: SocketRequest

  constructor({ kernel, limits }: CallerTools, credentials: CredentialHeaders, upgrade: SocketRequest) {
    this.#kernel = kernel
    this.#limits = limits
    this.key = JSON.stringify(Object.entries(credentials).sort())
    const { cookie: _cookie, authorization: _authorization, ...others } = upgrade.headers
    this.#request = { ...upgrade, headers: { ...others, ...credentials } }
    this.#credentials = credentials
  }

  /** The rights at present. Throws UnauthorizedError for credentials that are not valid any more. */
  access(): Promise<Access> {
    return this.#kernel.auth.authenticate({ headers: this.#credentials })
  }

  /** Opens a share for what this caller holds of the budget of the process. Whoever opens it closes it. */
  openShare(access: Access): Share {
    return budgetOf(this.#kernel).open(callerOf(access, this.#request.ip))
  }

  /** The caller of one query with these rights. `reading` is missing if nothing is read. */
  with(access: Access, reading: AnswerReads | null = null): ChangeCaller {
    const isAbandoned = reading?.isAbandoned ?? (() => false)
    const context = this.#kernel.context(access, this.#request, isAbandoned, this.#limits)
    return { context: reading === null ? context : { ...context, share: reading.share }, request: this.#request }
  }
}
