// The routes that code adds by `strapi.server.routes`, below the prefix of the API (B-13.26).

import type { SourceModule } from '../syntax/module.ts'
import type { Expression } from '../syntax/tree.ts'
import { isNothing, memberOf, textOf, type Value } from '../syntax/values.ts'
import type { Sources } from './sources.ts'

/** A route that was read; `item` is the whole of it. */
export interface AddedRoute {
  readonly method: string
  /** Below the prefix of the API. */
  readonly path: string
  readonly item: Value
}

/** The routes among those that a call adds which are below the prefix of the API; null if some could not be read. */
export function addedRoutes(
  [route]: readonly Expression[],
  module: SourceModule,
  sources: Sources,
): readonly AddedRoute[] | null {
  if (route === undefined) return []
  const value = module.evaluate(route)
  const list = value.kind === 'list' ? value : memberOf(value, 'routes')
  const type = memberOf(value, 'type')
  const own = memberOf(value, 'prefix')
  const prefix = isNothing(own) ? '' : textOf(own)
  const isRead = (value.kind === 'list' || value.kind === 'object') && prefix !== null
  if (!isRead || (list !== undefined && (list.kind !== 'list' || !list.isWhole))) return null
  const items = list?.kind === 'list' ? list.items : [value]
  const places = items.map(item => {
    const [method, path] = [textOf(memberOf(item, 'method')), textOf(memberOf(item, 'path'))]
    return method === null || path === null ? null : { method: method.trim().toUpperCase(), path: prefix + path, item }
  })
  if (places.includes(null)) return null
  const all = places.flatMap(one => one ?? [])
  if (textOf(type) === 'content-api') return all
  const prefixes = prefixesOf(sources)
  return all.flatMap(one => {
    const prefix = prefixes.find(text => one.path.startsWith(`${text}/`))
    // A wildcard before the prefix takes in all of it.
    const isWide = /^\/[:(]/.test(one.path)
    return prefix !== undefined ? [{ ...one, path: one.path.slice(prefix.length) }] : isWide ? [one] : []
  })
}

/** The prefixes that REST may have: `/api`, and what `config/api` says for any environment. */
function prefixesOf(sources: Sources): readonly string[] {
  const folders = ['config', ...sources.folders('config/env').map(name => `config/env/${name}`)]
  const files = folders.flatMap(folder => sources.files(folder)).filter(({ name }) => name === 'api')
  const own = files.flatMap(({ path }) => {
    const module = sources.module(path)
    const exported = module?.exported()
    const config = exported?.kind === 'function' ? module!.resultOf(exported.node) : exported
    return textOf(memberOf(memberOf(config, 'rest'), 'prefix')) ?? []
  })
  return ['/api', ...own.map(one => one.replace(/\/$/, ''))]
}
