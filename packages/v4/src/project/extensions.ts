// Finds what `src/extensions/<plugin>/strapi-server` replaces of a plugin (B-13.115, B-13.116, B-13.118): actions that
// are assigned, services, routes. An addition is not a guard.

import { type Chain, chainsOf } from '../syntax/chains.ts'
import type { SourceModule } from '../syntax/module.ts'
import { type Callable, type Expression, lineOf, type Node, walk } from '../syntax/tree.ts'
import { memberOf, textOf } from '../syntax/values.ts'
import { keepsTokens, mayHide } from './changed-parts.ts'
import { followNames, isOnlyRead } from './handed.ts'
import { covers } from './patterns.ts'
import { pluginRoutes } from './plugin-actions.ts'
import type { Sources } from './sources.ts'
import type { WideGuard } from './start.ts'

export function extensionGuards(sources: Sources): readonly WideGuard[] {
  return sources.folders('src/extensions').flatMap(plugin => {
    const file = sources.files(`src/extensions/${plugin}`, false).find(one => one.name === 'strapi-server')
    return file === undefined ? [] : guardsIn(sources, plugin, file.path)
  })
}

function guardsIn(sources: Sources, plugin: string, file: string): readonly WideGuard[] {
  const module = sources.module(file)
  const wide = (why: string, line = 0): WideGuard => ({
    action: `plugin::${plugin}.*`,
    file,
    line,
    kind: 'extension',
    why,
    shuts: 'all',
  })
  if (module === null) return [wide('it cannot be parsed, and may replace actions of the plugin')]
  const callable = functionOf(module)
  const [parameter] = callable?.params ?? []
  if (callable === null || parameter === undefined) {
    const value = module.exported()
    return value.kind === 'object' && value.isWhole && value.members.size === 0
      ? []
      : [wide('it exports no function that could be read')]
  }
  if (parameter.type !== 'Identifier') return [wide('it takes the plugin apart')]
  const { names, lost } = followNames(sources, [{ module, name: parameter.name }], above => !isOnlyRead(above))
  const guards = names.flatMap(one =>
    chainsOf(one.module.program, [one.name]).flatMap(chain => {
      const place = { file: one.module.path, line: lineOf(chain.node) }
      return reasonsOf(chain, plugin, one.module).map(({ action, why }) => ({ ...wide(why), ...place, action }))
    }),
  )
  const unread = lost.map(one => ({
    ...wide('it hands the plugin to code that could not be followed', lineOf(one.node)),
    file: one.module.path,
  }))
  const returned = returnsOther(callable, parameter.name)
  const other = returned === null ? [] : [wide('it returns another plugin than it was given', lineOf(returned))]
  return [...guards, ...unread, ...other]
}

function functionOf(module: SourceModule): Callable | null {
  const value = module.exported()
  if (value.kind === 'function') return value.node
  const { whole } = module.exports
  return (whole as Node | null)?.type === 'FunctionDeclaration' ? (whole as unknown as Callable) : null
}

/** The first return of something else than the plugin itself; null if there is none. */
function returnsOther({ body }: Callable, name: string): Node | null {
  const isPlugin = (node: Node | null | undefined) =>
    node?.type === 'Identifier' && (node as Node & { name?: string }).name === name
  if (body.type !== 'BlockStatement') return isPlugin(body as Node) ? null : (body as Node)
  let other: Node | null = null
  walk(body.body as unknown as Node[], node => {
    if (/Function|^ObjectMethod$|^ClassMethod$/.test(node.type)) return false
    const { argument } = node as Node & { readonly argument?: Node | null }
    if (node.type === 'ReturnStatement' && !isPlugin(argument)) other ??= node
    return undefined
  })
  return other
}

interface GuardReason {
  readonly action: string
  readonly why: string
}

function reasonsOf(chain: Chain, plugin: string, module: SourceModule): readonly GuardReason[] {
  const { steps, isWritten, isHandedOn } = chain
  const [part] = steps
  const whole = `plugin::${plugin}.*`
  const isChanged = isWritten || (isHandedOn && !steps.some(one => one.args !== null))
  switch (part?.name) {
    case 'controllers':
      return isChanged ? reasonsOfController(chain, plugin) : []
    case 'services':
      return isWritten ? reasonsOfService(chain, plugin) : []
    case 'contentTypes':
      return isWritten && mayHide(chain, module) ? reasonsOfType(chain, plugin) : []
    case 'middlewares':
      return isWritten ? [{ action: whole, why: 'it replaces middlewares of the plugin' }] : []
    case 'routes':
      return reasonsOfRoutes(chain, plugin, module)
    default: {
      const isUnread = steps.length === 1 && part?.name === null && isWritten
      return isUnread ? [{ action: whole, why: 'it replaces a part of the plugin that could not be read' }] : []
    }
  }
}

/** A service that knows users by their tokens decides about all requests. */
function reasonsOfService({ steps }: Chain, plugin: string): readonly GuardReason[] {
  const name = steps[1]?.name ?? null
  const action = keepsTokens(plugin, name) ? '*' : `plugin::${plugin}.*`
  return [{ action, why: `it replaces ${name === null ? 'services' : `the service ${name}`} of the plugin` }]
}

function reasonsOfType({ steps }: Chain, plugin: string): readonly GuardReason[] {
  const name = steps[1]?.name ?? null
  const isFile = plugin === 'upload'
  const action = name === null || isFile ? `plugin::${plugin}.*` : `plugin::${plugin}.${name}.*`
  return [{ action, why: `it changes attributes of ${name ?? 'types'} of the plugin` }]
}

/** Returns whether an extension has a policy of the name of users-permissions' own one, which then is another one. */
export function replacesUserPolicy(sources: Sources): boolean {
  const files = sources.files('src/extensions/users-permissions', false)
  return files.some(({ name, path }) => name === 'strapi-server' && sources.text(path).includes('isAuthenticated'))
}

function reasonsOfController({ steps, isWritten }: Chain, plugin: string): readonly GuardReason[] {
  const [, second, third] = steps
  if (second === undefined || second.name === null)
    return [{ action: `plugin::${plugin}.*`, why: 'it replaces controllers of the plugin' }]
  const controller = `plugin::${plugin}.${second.name}`
  if (third === undefined || third.name === null)
    return [{ action: `${controller}.*`, why: `it replaces the controller ${second.name}` }]
  // An original that is kept, to be called later, is only read.
  return isWritten ? [{ action: `${controller}.${third.name}`, why: `it replaces ${second.name}.${third.name}` }] : []
}

/** Routes that are pushed stand behind the plugin's own; those that are put before them may take their place. */
function reasonsOfRoutes(chain: Chain, plugin: string, module: SourceModule): readonly GuardReason[] {
  const { steps, isWritten, isHandedOn } = chain
  const whole = `plugin::${plugin}.*`
  const called = steps.find(one => one.args !== null)
  if (called?.name === 'push') return []
  if (called?.name === 'unshift') {
    const actions = called.args!.flatMap(one => replacedActions(one, module, whole))
    return actions.map(action => ({ action, why: 'it puts a route before those of the plugin' }))
  }
  const isChanged = isWritten || isHandedOn || called !== undefined || steps.some(({ name }) => name === null)
  if (!isChanged) return []
  const targets = called?.name === 'find' || called?.name === 'findIndex' ? comparedActions(called.args!, plugin) : []
  const actions = targets.length > 0 ? targets : [whole]
  return actions.map(action => ({ action, why: 'it changes routes of the plugin' }))
}

/** The comparisons of a callback that only compares members of a route for equality; all comparisons must hold. */
const comparing =
  /^(?:ArrowFunctionExpression|FunctionExpression|BlockStatement|ReturnStatement|Identifier|(?:Optional)?MemberExpression|Object(?:Pattern|Property)|StringLiteral|(?:Binary|Logical)Expression|TS\w+)$/

/**
 * Returns the actions of the routes that a callback finds: `({ handler }) => handler === 'user.count'`,
 * `({ path }) => path === '/auth/local'`. None if it does more than compare, so that other routes may be meant.
 */
function comparedActions(args: readonly Expression[], plugin: string): readonly string[] {
  const actions: string[] = []
  let isOther = false
  walk(args as unknown as Node[], node => {
    const { type, value, operator } = node as Node & { readonly value?: unknown; readonly operator?: string }
    if (!comparing.test(type) || !['==', '===', '&&', undefined].includes(operator)) isOther = true
    if (type !== 'StringLiteral') return
    const text = String(value)
    if (/^\w+\.\w+$/.test(text)) actions.push(`plugin::${plugin}.${text}`)
    else if (text.startsWith('/') && plugin === 'users-permissions')
      actions.push(...pluginRoutes.filter(one => one.path === text).map(one => one.action))
  })
  return isOther ? [] : actions
}

/** Returns the actions whose place a route takes that stands before those of the plugin. */
function replacedActions(route: Expression, module: SourceModule, whole: string): readonly string[] {
  const value = module.evaluate(route)
  const [method, path] = [textOf(memberOf(value, 'method')), textOf(memberOf(value, 'path'))]
  if (method === null || path === null) return [whole]
  return pluginRoutes.filter(one => covers({ method: method.toUpperCase(), path }, one)).map(one => one.action)
}
