// Adds the headers to the routes of content types: `ETag` and `If-None-Match` to reads of one entry, `If-Match` to updates
// and deletions. Knows nothing of how versions are computed and conditions checked.

import { createHash, randomUUID } from 'node:crypto'
import { type ContentType, type Kernel, ValidationError } from '@plinth/kernel'
import { addCorsHeaders, contextOf, idOf } from '@plinth/server/transport'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addCondition, Condition } from './condition.ts'
import { withCondition, withTag } from './described.ts'
import { isNamed, tagOf, versionsIn } from './entity-tags.ts'
import type { VersionsById } from './versions.ts'
import type { VersionTools } from './write-checks.ts'

/** The most entries of a single type, which are its translations, whose versions are read for one answer. */
const mostTranslations = 200

/** The property of a request that holds what its answer needs. */
const versionsKey = Symbol('entry-versions')

interface Keeper {
  /** Of a read, the versions of the entries that it may answer; of a write, its condition. */
  [versionsKey]?: VersionsById | Condition | null
}

/** A route of a content type that answers or changes one entry. */
interface EntryRoute {
  readonly type: ContentType
  readonly action: string
  readonly isRead: boolean
}

/** Adds hooks to the routes of `app` that answer or write one entry, when they are added. */
export function addHeaders(app: FastifyInstance, tools: VersionTools): void {
  app.decorateRequest(versionsKey, null)
  addCorsHeaders(tools.kernel, { allow: ['If-Match', 'If-None-Match'], expose: ['ETag', 'Entry-Version'] })
  const routes = entryRoutesOf(tools.kernel)
  app.addHook('onRoute', route => {
    const entryRoute = routes.get(route.config?.action ?? '')
    if (entryRoute === undefined) return
    const { isRead } = entryRoute
    // A route of an application may have the action, and do something else by it.
    const methods = isRead ? ['GET', 'HEAD'] : ['PUT', 'PATCH', 'DELETE']
    if (![route.method].flat().every(one => methods.includes(one))) return
    const { operation } = route.config ?? {}
    if (operation) route.config = { ...route.config, operation: (isRead ? withTag : withCondition)(operation) }
    // Policies come first.
    route.preHandler = [
      ...[route.preHandler ?? []].flat(),
      isRead ? versionHook(tools, entryRoute) : conditionHook(tools, entryRoute),
    ]
    // The answer to HEAD, which Fastify takes from that to GET, has lost its text afterwards.
    route.onSend = [isRead ? tagHook : entryVersionHook, ...[route.onSend ?? []].flat()]
  })
}

/** Returns the routes of the content types that transports have routes for, by their actions. */
function entryRoutesOf({ contentTypes, actions }: Kernel): ReadonlyMap<string, EntryRoute> {
  const routes = new Map<string, EntryRoute>()
  for (const type of contentTypes.values()) {
    if (type.internal || type.hasOwnRoutes || type.kind === 'component') continue
    const read = type.kind === 'singleType' ? 'find' : 'findOne'
    for (const operation of [read, 'update', 'delete'] as const) {
      const action = actions.of(type.uid, operation)
      routes.set(action, { type, action, isRead: operation === read })
    }
  }
  return routes
}

/** A preHandler hook that takes time. */
type PreHandler = (request: FastifyRequest) => Promise<void>

/**
 * Makes the preHandler hook of a read, which reads versions before the entry itself is read: a write in between then makes
 * the tag too old, and never too new.
 */
function versionHook({ kernel, versions }: VersionTools, { type, action }: EntryRoute): PreHandler {
  return async request => {
    const { access } = await contextOf(request)
    // The handler refuses the others.
    if (!kernel.actions.needs(action).every(right => access.can(right))) return
    if (type.kind === 'singleType') (request as Keeper)[versionsKey] = await versions.ofAll(type, mostTranslations)
    else {
      const id = idOf(request)
      if (id !== null) (request as Keeper)[versionsKey] = await versions.of(type, [id])
    }
  }
}

/** Makes the preHandler hook of a write, which reads `If-Match`. */
function conditionHook({ kernel }: VersionTools, { type, action }: EntryRoute): PreHandler {
  return async request => {
    const ifMatch = request.headers['if-match']
    if (ifMatch === undefined) return
    const context = await contextOf(request)
    // A caller who may not write learns nothing of the header.
    kernel.authorize(action, context)
    const expected = versionsIn(ifMatch)
    if (expected === null)
      throw new ValidationError('Invalid If-Match: it must be a list of entity tags, or *', { path: 'if-match' })
    const id = type.kind === 'singleType' ? null : idOf(request)
    const condition = new Condition({ uid: type.uid, id }, expected)
    ;(request as Keeper)[versionsKey] = condition
    addCondition(context, condition)
  }
}

/** A hook that has ended, with the text to be sent. */
type SendCallback = (error: null, payload: unknown) => void

/** onSend hook of a read: adds the tag, and takes the text away if the client has it already. */
function tagHook(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: SendCallback): void {
  const versions = (request as Keeper)[versionsKey] as VersionsById | null | undefined
  const entry = versions && reply.statusCode === 200 ? versionOf(versions, payload) : undefined
  if (entry === undefined) {
    done(null, payload)
    return
  }
  // A long answer is sent while it is written, so nobody knows its text yet.
  const hash =
    typeof payload === 'string' ? createHash('sha256').update(payload).digest('hex').slice(0, 32) : randomUUID()
  const tag = tagOf(entry.version, hash)
  reply.header('etag', tag)
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch === undefined || !isNamed(tag, ifNoneMatch)) {
    done(null, payload)
    return
  }
  reply.code(304).removeHeader('content-type')
  // Fastify takes the length of an answer to HEAD from its text.
  done(null, request.method === 'HEAD' ? payload : null)
}

/** Returns the version of the entry of an answer; undefined if it is a list, and if it is not known which one it is. */
function versionOf(versions: VersionsById, payload: unknown) {
  if (typeof payload !== 'string') return versions.size === 1 ? [...versions.values()][0] : undefined
  const [, id] = /^\{"data":\{"id":(\d+)[,}]/.exec(payload) ?? []
  return versions.get(Number(id))
}

/** onSend hook of a write: adds the version that it made. */
function entryVersionHook(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: SendCallback): void {
  const condition = (request as Keeper)[versionsKey] as Condition | null | undefined
  if (condition?.after && reply.statusCode === 200) reply.header('entry-version', condition.after)
  done(null, payload)
}
