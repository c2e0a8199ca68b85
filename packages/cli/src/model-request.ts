// Requests the description of a model from a running server (the plugin content-type-builder).

import type { ModelDescription } from '@plinth/types'
import { Failure } from './failure.ts'

/** Maximum time that the answer takes, in milliseconds. */
const maxTime = 30_000

/** The address of the model below that of a server. An address with a path names the prefix of the API. */
function addressOf(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Failure(`--url must be an address such as https://cms.example.com, found ${server}`)
  const prefix = url.pathname === '/' ? '/api' : url.pathname.replace(/\/$/, '')
  url.pathname = `${prefix}/content-type-builder/model`
  return url
}

/** The model of the server, as far as the token may see it. Throws Failure with what the server says. */
export async function modelFrom(server: string, token: string | undefined): Promise<ModelDescription> {
  const url = addressOf(server)
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(maxTime) }).catch(
    error => {
      throw new Failure(`${url.origin} does not answer: ${((error as Error).cause as Error)?.message ?? error.message}`)
    },
  )
  const body = (await response.json().catch(() => null)) as { readonly data?: ModelDescription } | null
  if (response.ok && Array.isArray(body?.data?.types)) return body.data
  throw new Failure(`${url.href} is answered ${response.status}: ${adviceFor(response.status, token !== undefined)}`)
}

function adviceFor(status: number, hasToken: boolean): string {
  if (status === 401) return hasToken ? 'the token is not valid' : 'name a token with --token'
  if (status === 403)
    return hasToken
      ? 'the token lacks the right to plugin::content-type-builder.content-types.getModel'
      : 'the public lacks the right to plugin::content-type-builder.content-types.getModel; name a token with --token'
  if (status === 404)
    return 'the server needs the plugin content-type-builder: npm install @plinth/content-type-builder'
  return 'the answer does not describe a model'
}
