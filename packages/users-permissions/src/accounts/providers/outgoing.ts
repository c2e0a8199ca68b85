// Requests to providers: a time limit, a bounded body, and no redirects. What fails is a 502, and the log says why. Only
// addresses of the settings, or of the issuer's own document, are passed to it.

import { type Logger, PlinthError } from '@plinth/kernel'

declare module '@plinth/kernel' {
  interface AnswerCodes {
    /** A provider of logins cannot be reached, or gives an answer that is not valid. The log says what failed. */
    BadGatewayError: 502
  }
}

/** Milliseconds for one request to a provider, from its beginning to the end of the body. */
export const timeLimit = 5000

/** Bytes of a body. */
export const maxBytes = 256 * 1024

/** Identifies this service in requests to providers. GitHub refuses requests without it. */
export const userAgent = 'plinth'

/** A fault of a provider. It is for the log; a client receives what `failed` returns. */
export class ProviderFailure extends Error {}

/** The answer for a provider that fails. `reason` is logged and must contain nothing that was sent or received. */
export function failed(log: Logger, provider: string, reason: string): PlinthError {
  log.warn(`users-permissions: the login provider ${provider}: ${reason}`)
  return new PlinthError(502, 'BadGatewayError', `The provider ${provider} cannot be reached at the moment`)
}

/** An answer of a provider. */
export interface Outcome {
  readonly status: number
  readonly text: string
}

/** Asks by GET. Rejects with ProviderFailure. */
export async function ask(address: string, headers: Readonly<Record<string, string>>): Promise<Outcome> {
  const { origin, pathname } = new URL(address)
  const place = `GET ${origin}${pathname}`
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json', 'user-agent': userAgent, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeLimit),
    })
    return { status: response.status, text: await readBody(response) }
  } catch (error) {
    throw new ProviderFailure(`${place}: ${reasonOf(error)}`)
  }
}

async function readBody({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > maxBytes) throw new ProviderFailure(`the answer has more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** Returns why a request failed: fetch says `fetch failed`, and its cause says why. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return `no answer within ${timeLimit} ms`
  const { code, message: inner } = (cause ?? {}) as { readonly code?: string; readonly message?: string }
  return code ?? inner ?? message
}

/** The JSON object or list of an answer. Rejects with ProviderFailure for everything else. */
export async function askJson(address: string, headers: Readonly<Record<string, string>> = {}): Promise<object> {
  const { status, text } = await ask(address, headers)
  const { origin, pathname } = new URL(address)
  if (status !== 200) throw new ProviderFailure(`GET ${origin}${pathname}: status ${status}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = null
  }
  if (value === null || typeof value !== 'object')
    throw new ProviderFailure(`GET ${origin}${pathname}: the body is not JSON`)
  return value
}
