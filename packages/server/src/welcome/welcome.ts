// Answers browsers that open the address of the server, or that of the API, outside of production: a page that says what
// there is. Programs, and browsers elsewhere, are answered as if there were no page.

import { type Access, type ContentType, CredentialsError, type Kernel } from '@plinth/kernel'
import type { FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import { apiPrefix } from '../api-prefix.ts'
import { applicationName } from '../application-name.ts'
import { contextOf } from '../context.ts'
import { routesOf } from '../routes.ts'
import { headers, pageText } from './page.ts'
import type { ShownPage, ShownType } from './shown.ts'

/** A route, as far as the page shows it. */
interface ServedRoute {
  readonly method: string
  readonly url: string
  readonly action: string | null
  /** Name of the address on the page; null for routes that are not pages. */
  readonly page: string | null
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function servedBy({ method, url, config }: RouteOptions): ServedRoute[] {
  const { action = null, page = null } = config ?? {}
  const routeMethods = [method].flat()
  return methods.filter(one => routeMethods.includes(one)).map(one => ({ method: one, url, action, page }))
}

/** The handler of unknown paths that answers browsers with the page, and leaves all else to `answerUnknown`. */
export async function welcoming(kernel: Kernel, answerUnknown: RouteHandlerMethod): Promise<RouteHandlerMethod> {
  const paths = ['', apiPrefix(kernel).toLowerCase()]
  const application = await applicationName(kernel.dir)
  return function (request, reply) {
    const path = request.url.replace(/\?.*$/, '').replace(/\/$/, '').toLowerCase()
    if (!isOfBrowser(request) || !paths.includes(path)) return answerUnknown.call(this, request, reply)
    return send(request, reply)
  }

  async function send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const access = await accessOf(request)
    const routes = routesOf(kernel).flatMap(servedBy)
    const types = typesOf(kernel, routes, access)
    const isStranger = (access?.user ?? null) === null
    const text = pageText({ application, types, pages: pagesOf(routes), isStranger })
    return reply.code(200).headers(headers).send(text)
  }
}

/** The rights of whoever opens the page; null for strangers who are told to authenticate. */
async function accessOf(request: FastifyRequest): Promise<Access | null> {
  try {
    return (await contextOf(request)).access
  } catch (error) {
    if (error instanceof CredentialsError) return null
    throw error
  }
}

function isOfBrowser({ method, headers: { accept } }: FastifyRequest): boolean {
  return method === 'GET' && accept?.includes('text/html') === true
}

/** The application's own types that have routes. */
function typesOf(
  { contentTypes, actions }: Kernel,
  routes: readonly ServedRoute[],
  access: Access | null,
): readonly ShownType[] {
  const own = contentTypes.values().filter(({ uid, kind }) => uid.startsWith('api::') && kind !== 'component')
  return own
    .map(type => {
      const ofType = routes.filter(({ action }) => action?.startsWith(`${type.uid}.`) === true)
      const shownActions = ofType.map(({ method, url, action }) => ({
        method,
        url,
        isAllowed: isAllowed(access, actions.needs(action!)),
      }))
      return { name: type.displayName, description: descriptionOf(type), actions: shownActions }
    })
    .filter(type => type.actions.length > 0)
}

function isAllowed(access: Access | null, rights: readonly string[]): boolean {
  if (rights.length === 0) return true
  try {
    return access !== null && rights.every(one => access.can(one))
  } catch (error) {
    // Strangers to whom nothing is permitted are told to authenticate.
    if (error instanceof CredentialsError) return false
    throw error
  }
}

function descriptionOf({ info: { description } }: ContentType): string | null {
  return typeof description === 'string' && description !== '' ? description : null
}

function pagesOf(routes: readonly ServedRoute[]): readonly ShownPage[] {
  return routes
    .filter(({ method, page }) => method === 'GET' && page !== null)
    .map(({ url, page }) => ({ name: page!, url }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
