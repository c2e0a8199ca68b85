// The routes of logins by third parties (B-6.27): to the provider, back from it, and the exchange of the code that the
// front end received for a token of the user.

import { ApplicationError, type Context, ValidationError } from '@plinth/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isStored, loginCode, makeCode, userOf } from '../codes.ts'
import { loginAnswer } from '../routes/answers.ts'
import type { AccountTools } from '../tools.ts'
import type { Browser } from './client.ts'
import type { Providers } from './index.ts'
import { admit, findUser } from './login.ts'
import type { Provider } from './provider.ts'
import { withParameter } from './targets.ts'

type Params = Readonly<Record<string, unknown>>

/** A request to one of the routes. */
export interface ProviderRequest {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly params: Params
  readonly context: Context
}

function requireProvider({ providers }: AccountTools, { params }: FastifyRequest): [Providers, Provider] {
  if (providers === null) throw new ApplicationError('This provider is disabled')
  return [providers, providers.require((params as { readonly provider: string }).provider)]
}

const browserOf = (request: FastifyRequest, reply: FastifyReply): Browser => ({
  cookies: request.headers.cookie,
  setCookie: header => void reply.header('set-cookie', header),
})

/** Answers contain codes, and addresses with codes: nobody keeps them. */
const closed = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } as const

/** GET /connect/:provider */
export async function connect(tools: AccountTools, { request, reply, params }: ProviderRequest): Promise<FastifyReply> {
  const [providers, provider] = requireProvider(tools, request)
  const address = await providers.begin(provider, browserOf(request, reply), params.callback)
  return reply.headers(closed).redirect(address, 302)
}

/** GET /connect/:provider/callback: the provider sends the browser here. */
export async function comeBack(
  tools: AccountTools,
  { request, reply, params }: ProviderRequest,
): Promise<FastifyReply> {
  reply.headers(closed)
  const [providers, provider] = requireProvider(tools, request)
  const browser = browserOf(request, reply)
  const begun = await providers.find(provider, browser, params)
  const { error, code } = params
  // A user who does not consent at the provider goes back to the front end.
  if (error !== undefined) return reply.redirect(withParameter(begun.target, 'error', errorOf(error)), 302)
  if (typeof code !== 'string' || code === '') throw new ValidationError('The provider sent no code')
  const profile = await providers.finish(provider, browser, begun, code)
  const id = await findUser(tools, provider.name, profile)
  const { code: token, stored } = makeCode(loginCode, id)
  await tools.users.keepCode(id, stored)
  return reply.redirect(withParameter(begun.target, 'access_token', token), 302)
}

/** The word of a provider for what went wrong (RFC 6749, 4.1.2.1). */
const errorOf = (error: unknown): string =>
  typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'server_error'

/**
 * GET /auth/:provider/callback: a token for the code of a login, once. A token that the provider issued is not accepted:
 * nothing says for which application it was issued (security.md row 66).
 */
export async function exchange(tools: AccountTools, { request, reply, params, context }: ProviderRequest) {
  reply.headers(closed)
  const [, provider] = requireProvider(tools, request)
  const { access_token: code } = params
  if (code === undefined || code === '') throw new ApplicationError('No access_token.')
  const id = userOf(loginCode, code)
  const account = id === null ? null : await tools.users.read(id)
  const stored = account?.confirmationToken ?? null
  const isRight = account?.provider === provider.name && isStored(String(code), stored)
  if (!isRight || !(await tools.users.takeCode(account.id, stored!)))
    throw new ApplicationError(
      'Invalid access_token: it must be that of the redirect to the front end, and is valid once',
    )
  admit(tools, account)
  return loginAnswer(tools, account, context)
}
