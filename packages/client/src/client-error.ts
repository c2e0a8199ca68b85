// Declares the one error of the client, and makes it of what a server answers.

/** The error of a request: an answer of the server with an error status, or no answer at all. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /** The status of the answer; 0 if there was none. */
  readonly status: number
  /** The server's name of the error, such as `ValidationError`; `NetworkError` if there was no answer. */
  readonly code: string
  /** Details that the server adds, such as `errors` and their paths. */
  readonly details: Readonly<Record<string, unknown>>
  /** The seconds to wait before the request is sent again; null if the server does not say. */
  readonly retryAfter: number | null

  constructor(
    message: string,
    { status = 0, code = 'NetworkError', details = {}, retryAfter = null, cause }: Partial<ClientError> = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.status = status
    this.code = code
    this.details = details
    this.retryAfter = retryAfter
  }
}

/** An answer as it was received. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | null
}

/** Returns the body of an answer; null if it has none. Throws ClientError. */
export function bodyOf({ status, text, retryAfter }: Answer, place: string): unknown {
  const isFailure = status < 200 || status > 299
  let body: unknown = null
  try {
    if (text !== '') body = JSON.parse(text)
  } catch {
    if (!isFailure) throw new ClientError(`${place}: the answer is not JSON`, { status, code: 'NoJson' })
  }
  if (!isFailure) return body
  const error = (body as { error?: Partial<Record<'name' | 'message' | 'details', unknown>> } | null)?.error
  throw new ClientError(String(error?.message ?? `${place}: ${status}`), {
    status,
    code: String(error?.name ?? 'HttpError'),
    details: (error?.details ?? {}) as Readonly<Record<string, unknown>>,
    retryAfter: retryAfter === null || Number.isNaN(Number(retryAfter)) ? null : Number(retryAfter),
  })
}
