// What code may change of built-in actions while v4 starts, as far as it can be seen: controllers and services that are
// replaced, middlewares that are put before all requests, by `src/index` and any other file of `src` (B-13.12 to B-13.14).

import { type Chain, chainsOf, firstText } from '../syntax/chains.ts'
import { lineOf } from '../syntax/tree.ts'
import type { Guard } from './model.ts'
import type { Sources } from './sources.ts'

/** A guard whose action may be a pattern: `*`, `api::note.note.*`. */
export type WideGuard = Guard

export function startGuards(sources: Sources): readonly WideGuard[] {
  return sources.below('src').flatMap(file => {
    const module = sources.module(file)
    if (module === null) return unreadStart(file)
    return chainsOf(module.program, ['strapi']).flatMap(chain => {
      const found = judge(chain)
      return found === null
        ? []
        : [{ ...found, file, line: lineOf(chain.node), kind: 'start' as const, shuts: 'all' as const }]
    })
  })
}

/** Files that v4 runs by themselves when it starts, and that could not be parsed. */
function unreadStart(file: string): readonly WideGuard[] {
  const [, api] = /^src\/api\/([^/]+)\/index\.\w+$/.exec(file) ?? []
  const action = api !== undefined ? `api::${api}.*` : /^src\/index\.\w+$/.test(file) ? '*' : null
  const why = 'it cannot be parsed, and may replace actions when v4 starts'
  return action === null ? [] : [{ action, file, line: 0, kind: 'unread', why, shuts: 'all' }]
}

type Judged = Pick<Guard, 'action' | 'why'>

const everything = (why: string): Judged => ({ action: '*', why })

function judge(chain: Chain): Judged | null {
  const { steps, isWritten, isHandedOn } = chain
  const [first, second, third] = steps
  const isChanged = isWritten || isHandedOn
  switch (first?.name) {
    case 'server':
      return judgeServer(chain)
    case 'entityService':
      if (isWritten || second?.name === 'decorate') return everything('it changes strapi.entityService')
      return null
    case 'db':
    case 'query':
      return isWritten ? everything(`it changes strapi.${first.name}`) : null
    case 'sanitizers':
    case 'validators':
      return isHandedOn || second?.args ? everything(`it changes strapi.${first.name}`) : null
    case 'service':
    case 'services':
      return isWritten ? replaced(chain, ofService(chain, 0)) : null
    case 'controller':
    case 'controllers':
      return isChanged ? judgeController(chain, ofService(chain, 0)) : null
    case 'container':
      return judgeContainer(chain)
    case 'api':
    case 'apis':
      if (!/^(?:controller|service)s?$/.test(third?.name ?? '')) return null
      if (third!.name!.startsWith('service') && !isWritten) return null
      return isChanged ? judgeController(chain, ofApi(chain, `api::${second?.name ?? ''}`, 2)) : null
    case 'plugin':
    case 'plugins': {
      const plugin = first.args === null ? second?.name : firstText(first)
      const at = first.args === null ? 2 : 1
      if (!/^(?:controllers?|routes)$/.test(steps[at]?.name ?? '')) return null
      return isChanged ? judgeController(chain, ofApi(chain, `plugin::${plugin ?? ''}`, at)) : null
    }
    default:
      return null
  }
}

function judgeServer({ steps, isHandedOn }: Chain): Judged | null {
  const [, second, third] = steps
  const name = second?.name
  if (name === undefined) return isHandedOn ? everything('it hands strapi.server on') : null
  const isUse = name === 'use' && second!.args !== null
  const isBelow = (name === 'app' || name === 'router' || name === 'api') && third !== undefined && third.args !== null
  if (isUse || (isBelow && /^(?:use|all|get|post|put|delete|patch|routes)$/.test(third.name ?? '')))
    return everything(
      `a middleware of strapi.server.${isUse ? 'use' : `${name}.${third!.name}`} stands before all requests`,
    )
  return null
}

function judgeContainer({ steps }: Chain): Judged | null {
  const [, get, change] = steps
  const of = firstText(get)
  if (get?.name !== 'get' || of === null || !/^(?:controllers|services|apis|modules)$/.test(of)) return null
  if (change === undefined || !/^(?:set|extend|add|get)$/.test(change.name ?? '')) return null
  const uid = firstText(change)
  if (change.name === 'get' && steps.length === 3) return null
  return { action: uid === null ? '*' : `${uid}.*`, why: `it changes ${of} in strapi.container` }
}

/** What a chain leads to: the uid of a controller or service, and what is behind it. */
interface Reached {
  readonly uid: string | null
  readonly action: string | null
}

/** `strapi.controller(uid).action`, `strapi.controllers[uid].action`. */
function ofService({ steps }: Chain, at: number): Reached {
  const whole = steps[at]!
  if (whole.args !== null) return { uid: firstText(whole), action: steps[at + 1]?.name ?? null }
  return { uid: steps[at + 1]?.name ?? null, action: steps[at + 2]?.name ?? null }
}

/** `strapi.api.note.controllers.note.action`, `strapi.plugin('p').controller('c').action`. */
function ofApi(chain: Chain, owner: string, at: number): Reached {
  const { uid, action } = ofService(chain, at)
  return { uid: uid === null ? `${owner}.*` : `${owner}.${uid}`, action }
}

/** A controller that is handed on may be changed; an action that is only called or read is not. */
function judgeController(chain: Chain, reached: Reached): Judged | null {
  const isWhole = reached.action === null
  if (!chain.isWritten && (!isWhole || chain.steps.at(-1)?.name === 'find')) return null
  return replaced(chain, reached)
}

function replaced(_chain: Chain, { uid, action }: Reached): Judged {
  if (uid === null) return everything('it replaces controllers or services when v4 starts')
  const target = uid.endsWith('*') ? uid : `${uid}.${action ?? '*'}`
  return { action: target, why: `it replaces ${target} when v4 starts` }
}
