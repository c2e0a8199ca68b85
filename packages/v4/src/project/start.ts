// Finds what code may change of built-in actions while v4 starts, as far as it can be seen: controllers and services
// that are replaced, middlewares that are put before all requests, by `src/index` and any other file of `src` (B-13.12
// to B-13.14).

import { type Chain, firstText } from '../syntax/chains.ts'
import type { SourceModule } from '../syntax/module.ts'
import { lineOf } from '../syntax/tree.ts'
import { addedRoutes } from './added-routes.ts'
import { keepsTokens, mayHide, userPolicy } from './changed-parts.ts'
import type { Guard } from './model.ts'
import type { Sources } from './sources.ts'
import { strapiChains } from './strapi-chains.ts'

/** A guard whose action may be a pattern: `*`, `api::note.note.*`. */
export type WideGuard = Guard

export function startGuards(sources: Sources): readonly WideGuard[] {
  const files = sources.code()
  const unread = files.filter(file => sources.module(file) === null).flatMap(unreadStart)
  const starts = strapiChains(sources).flatMap(({ chain, module }) => {
    const reasons = reasonsOf(chain, { module, sources })
    const place = { file: module.path, line: lineOf(chain.node), kind: 'start' as const, shuts: 'all' as const }
    return reasons.map(one => ({ ...one, ...place }))
  })
  return [...unread, ...starts]
}

/** Files that v4 runs by themselves when it starts, and that could not be parsed. */
function unreadStart(file: string): readonly WideGuard[] {
  const [, api] = /^src\/api\/([^/]+)\/index\.\w+$/.exec(file) ?? []
  const action = api !== undefined ? `api::${api}.*` : /^src\/index\.\w+$/.test(file) ? '*' : null
  const why = 'it cannot be parsed, and may replace actions when v4 starts'
  return action === null ? [] : [{ action, file, line: 0, kind: 'unread', why, shuts: 'all' }]
}

type GuardReason = Pick<Guard, 'action' | 'why'>

interface At {
  readonly module: SourceModule
  readonly sources: Sources
}

const everything = (why: string): readonly GuardReason[] => [{ action: '*', why }]
const nothing: readonly GuardReason[] = []

function reasonsOf(chain: Chain, at: At): readonly GuardReason[] {
  const { steps, isWritten, isHandedOn } = chain
  const [first, second] = steps
  const isChanged = isWritten || isHandedOn
  switch (first?.name) {
    case 'server':
      return reasonsOfServer(chain, at)
    case 'app':
      return second?.name === 'use' ? everything('a middleware of strapi.app.use stands before all requests') : nothing
    case 'config':
      return reasonsOfConfig(chain)
    case 'entityService':
      if (second?.name === 'decorate') return everything('it changes strapi.entityService')
      return replacesQuery(chain) ? everything('it changes strapi.entityService') : nothing
    case 'db':
    case 'query':
      return replacesQuery(chain) ? everything(`it changes strapi.${first.name}`) : nothing
    case 'sanitizers':
    case 'validators':
      return isHandedOn || second?.args ? everything(`it changes strapi.${first.name}`) : nothing
    case 'service':
    case 'services':
      return isWritten ? replaced(ofService(chain, 0)) : nothing
    case 'controller':
    case 'controllers':
      return isChanged ? reasonsOfController(chain, ofService(chain, 0)) : nothing
    case 'contentType':
    case 'contentTypes':
      return isWritten ? reasonsOfType(chain, at.module) : nothing
    case 'get':
    case 'container':
      return reasonsOfContainer(chain)
    case 'contentAPI':
      return reasonsOfContentApi(chain)
    case 'policies':
      return isWritten && (second?.name ?? userPolicy) === userPolicy ? everything('it replaces policies') : nothing
    case null:
      return isWritten ? everything('it replaces a part of strapi that could not be read') : nothing
    case 'api':
    case 'apis':
    case 'plugin':
    case 'plugins':
      return reasonsOfPart(chain)
    default:
      return nothing
  }
}

/** Of what a query has answered, nothing is a query any more. */
const replacesQuery = ({ steps, isWritten }: Chain): boolean =>
  isWritten &&
  (steps.every(({ args }) => args === null) ||
    /^(?:find(?:One|Many|Page|WithCount)?|count|(?:create|update|delete)(?:Many)?|load)$/.test(
      steps.at(-1)!.name ?? '',
    ))

function reasonsOfServer({ steps, isHandedOn }: Chain, { module, sources }: At): readonly GuardReason[] {
  const [, second, third] = steps
  const name = second?.name
  if (name === undefined) return isHandedOn ? everything('it hands strapi.server on') : nothing
  if (name === 'routes' && second!.args !== null)
    return addedRoutes(second!.args, module, sources) === null
      ? everything('it adds routes that could not be read, and that may stand in place of built-in ones')
      : nothing
  // `strapi.server.app.middleware`, `strapi.server.router.stack`: the lists themselves.
  if (/^(?:middleware|stack)$/.test(third?.name ?? '') && third!.args === null)
    return everything(`it uses strapi.server.${name}.${third!.name}`)
  if (name === 'httpServer' && third?.args && firstText(third) === 'request')
    return everything('it listens to all requests of strapi.server.httpServer')
  const isUse = name === 'use' && second!.args !== null
  const isBelow = (name === 'app' || name === 'router' || name === 'api') && third !== undefined && third.args !== null
  if (isUse || (isBelow && /^(?:use|all|get|post|put|delete|patch|routes)$/.test(third.name ?? '')))
    return everything(
      `a middleware of strapi.server.${isUse ? 'use' : `${name}.${third!.name}`} stands before all requests`,
    )
  return nothing
}

/** Functions that check all answers and all rights. */
function reasonsOfContentApi({ steps, isWritten }: Chain): readonly GuardReason[] {
  const isHook = steps.at(-1)?.name === 'on' && steps.some(({ name }) => name === 'engine')
  return isWritten || isHook ? everything('it changes strapi.contentAPI') : nothing
}

/** The list of global middlewares is read after the code of `register`. */
function reasonsOfConfig({ steps, isWritten }: Chain): readonly GuardReason[] {
  const [, second, third] = steps
  const key = second?.args === null ? second.name : firstText(second)
  if (!/^middlewares\b/.test(key ?? '')) return nothing
  const isSet = second!.args !== null && second!.name === 'set'
  const isAdded = third !== undefined && third.args !== null && changing.test(third.name ?? '')
  return isSet || isAdded || isWritten ? everything('it changes the list of global middlewares') : nothing
}

/** A schema that code changes: attributes that become private are no longer answered by v4. */
function reasonsOfType(chain: Chain, module: SourceModule): readonly GuardReason[] {
  const { uid } = ofService(chain, 0)
  if (!mayHide(chain, module)) return nothing
  if (uid === null) return everything('it changes attributes of types when v4 starts')
  const action = uid === 'plugin::upload.file' ? 'plugin::upload.*' : `${uid}.*`
  return [{ action, why: `it changes attributes of ${uid} when v4 starts` }]
}

/** `strapi.container.get('controllers').extend(uid, …)`, also `strapi.get('controllers')`. */
function reasonsOfContainer({ steps, isWritten, isHandedOn }: Chain): readonly GuardReason[] {
  const [get, change] = steps[0]!.name === 'get' ? steps : steps.slice(1)
  const of = firstText(get)
  if (get?.name !== 'get' || of === null || !/^(?:controllers|services|apis|modules)$/.test(of)) return nothing
  const why = `it changes ${of} in strapi.container`
  if (change === undefined) return isHandedOn && of !== 'services' ? everything(why) : nothing
  const isRead = /^(?:get|has|keys)$/.test(change.name ?? '') || (of === 'services' && change.name === 'getAll')
  if (isRead && !isWritten) return nothing
  const uid = firstText(change)
  return [{ action: uid === null ? '*' : `${uid}.*`, why }]
}

/** Methods of lists that change them, or hand out what is in them. */
const changing = /^(?:forEach|map|flatMap|reduce|push|unshift|splice|sort|reverse|pop|shift|fill|concat)$/

/** Returns what APIs and plugins consist of: `strapi.api.note.routes`, `strapi.plugin('p').service('s')`. */
function reasonsOfPart(chain: Chain): readonly GuardReason[] {
  const { steps, isWritten, isHandedOn } = chain
  const first = steps[0]!
  const isApi = first.name!.startsWith('api')
  const owner = first.args === null ? (steps[1]?.name ?? null) : firstText(first)
  const at = first.args === null ? 2 : 1
  const part = steps[at]?.name ?? null
  const prefix = `${isApi ? 'api' : 'plugin'}::${owner}`
  const isChanged = isWritten || isHandedOn
  if (steps.length <= at)
    return isApi && isChanged ? whole(owner, prefix, 'it may change routes and controllers when v4 starts') : nothing
  if (part === 'routes') {
    const isCalled = steps
      .slice(at + 1)
      .some(one => one.args !== null && one.name !== 'push' && changing.test(one.name ?? ''))
    return isChanged || isCalled ? whole(owner, prefix, 'it changes routes when v4 starts') : nothing
  }
  if (/^services?$/.test(part ?? '')) {
    if (!isWritten) return nothing
    if (isApi) return replaced(ofApi(chain, prefix, at))
    const { uid } = ofService(chain, at)
    const why = `it replaces services of ${prefix} when v4 starts`
    return keepsTokens(owner, uid) ? everything(why) : whole(owner, prefix, why)
  }
  if (!/^controllers?$/.test(part ?? '') || !isChanged) return nothing
  return owner === null
    ? everything('it replaces controllers when v4 starts')
    : reasonsOfController(chain, ofApi(chain, prefix, at))
}

const whole = (owner: string | null, prefix: string, why: string): readonly GuardReason[] => [
  { action: owner === null ? '*' : `${prefix}.*`, why },
]

/** The target of a chain: the uid of a controller or service, and what is behind it. */
interface ChainTarget {
  readonly uid: string | null
  readonly action: string | null
}

/** `strapi.controller(uid).action`, `strapi.controllers[uid].action`. */
function ofService({ steps }: Chain, at: number): ChainTarget {
  const whole = steps[at]!
  if (whole.args !== null) return { uid: firstText(whole), action: steps[at + 1]?.name ?? null }
  return { uid: steps[at + 1]?.name ?? null, action: steps[at + 2]?.name ?? null }
}

/** `strapi.api.note.controllers.note.action`, `strapi.plugin('p').controller('c').action`. */
function ofApi(chain: Chain, owner: string, at: number): ChainTarget {
  const { uid, action } = ofService(chain, at)
  return { uid: uid === null ? `${owner}.*` : `${owner}.${uid}`, action }
}

/** A controller that is handed on may be changed; an action that is only called or read is not. */
function reasonsOfController(chain: Chain, reached: ChainTarget): readonly GuardReason[] {
  const isWhole = reached.action === null
  if (!chain.isWritten && (!isWhole || chain.steps.at(-1)?.name === 'find')) return nothing
  return replaced(reached)
}

function replaced({ uid, action }: ChainTarget): readonly GuardReason[] {
  if (uid === null) return everything('it replaces controllers or services when v4 starts')
  const target = uid.endsWith('*') ? uid : `${uid}.${action ?? '*'}`
  return [{ action: target, why: `it replaces ${target} when v4 starts` }]
}
