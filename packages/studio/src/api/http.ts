// Sends requests to the API of the server that has delivered the panel. No other file may use fetch.

import { type Parameter, queryString } from '../model/query-string.ts'
import { ApiError } from './errors.ts'
import { parseExactly } from './exact-json.ts'
import { start } from './start.ts'
import { deleteToken, readToken } from './storage.ts'

/** A request to the API. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the prefix of the API: `/articles/1`. */
  readonly path: string
  /** True for a path of the server beside the API: `/admin/api-tokens`. */
  readonly isBesideApi?: boolean
  readonly parameters?: { readonly [name: string]: Parameter }
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** True: sent without the token, as a log-in is. */
  readonly isAnonymous?: boolean
}

/** An answer of the API. */
export interface ApiAnswer<Body> {
  readonly body: Body
  readonly headers: Headers
}

type Listener = () => void
const listeners = new Set<Listener>()

/** Calls the function when the server does not accept the token any more. Returns what ends this. */
export function onLoggedOut(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Deletes the token that the server has refused, unless another one is kept meanwhile. */
export function refuseToken(token: string): void {
  if (token !== readToken()) return
  deleteToken()
  for (const listener of listeners) listener()
}

/** Sends a request to the API. Throws ApiError for an answer that is not a success, and if no server answers. */
export async function ask<Body>(request: ApiRequest): Promise<ApiAnswer<Body>> {
  const token = request.isAnonymous ? null : readToken()
  const answer = await send(request, token)
  const text = await answer.text()
  const body = parsed(text)
  if (answer.ok) return { body: body as Body, headers: answer.headers }
  if (answer.status === 401 && token !== null) refuseToken(token)
  throw ApiError.of(answer.status, body, answer.headers)
}

/** Asks the API for the body of the answer alone. */
export const askBody = async <Body>(request: ApiRequest): Promise<Body> => (await ask<Body>(request)).body

async function send(request: ApiRequest, token: string | null): Promise<Response> {
  const { method = 'GET', path, parameters = {}, body, headers = {}, signal } = request
  const prefix = request.isBesideApi ? start.root : start.api
  try {
    return await fetch(`${prefix}${path}${queryString(parameters)}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError({ status: 0, name: 'NoAnswer', message: '', details: null, retryAfter: null })
  }
}

/** Parses an answer. Those of proxies may not be JSON. */
function parsed(text: string): unknown {
  try {
    return text === '' ? null : parseExactly(text)
  } catch {
    return null
  }
}
