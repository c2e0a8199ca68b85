// The middlewares of `config/middlewares`, which run before every request (B-13.36, B-13.37): those that are not v4's own.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { memberOf, textOf, type Value } from '../syntax/values.ts'
import { onlyLooksOn } from './harmless.ts'
import type { Sources } from './sources.ts'
import type { WideGuard } from './start.ts'

export function middlewareGuards(sources: Sources): readonly WideGuard[] {
  const folders = ['config', ...sources.folders('config/env').map(name => `config/env/${name}`)]
  return folders.flatMap(folder =>
    sources
      .files(folder)
      .filter(({ name }) => name === 'middlewares')
      .flatMap(({ path }) => guardsIn(sources, path)),
  )
}

const wide = (file: string, why: string, by?: string): WideGuard => ({
  action: '*',
  file,
  line: 0,
  kind: by === undefined ? 'unread' : 'middleware',
  why,
  shuts: 'all',
  ...(by !== undefined && { by }),
})

function guardsIn(sources: Sources, file: string): readonly WideGuard[] {
  const module = sources.module(file)
  const exported = module?.exported()
  const list = exported?.kind === 'function' ? module!.resultOf(exported.node, { mayAct: true }) : exported
  if (list?.kind !== 'list') return [wide(file, 'the list of global middlewares could not be read')]
  const guards = list.items.flatMap(item => guardOf(sources, file, item))
  return list.isWhole ? guards : [...guards, wide(file, 'the list of global middlewares has more than could be read')]
}

function guardOf(sources: Sources, file: string, item: Value): readonly WideGuard[] {
  const name = textOf(item) ?? textOf(memberOf(item, 'name'))
  const path = textOf(memberOf(item, 'resolve'))
  const by = name ?? path
  if (by === null) return [wide(file, 'the list of global middlewares has one whose name could not be read')]
  if (path === null && by.startsWith('strapi::') && by !== 'strapi::ip') return []
  // Of a name without a file v4 would not start, so nothing stands there. APIs have names that v4 makes of files (B-13.4).
  if (path === null && by.startsWith('global::') && fileOf(sources, by) === null) return []
  const own = path === null ? fileOf(sources, by) : sources.locate(path.replace(/^\.\//, ''))
  const module = own === null ? null : sources.module(own)
  if (module !== null && onlyLooksOn(module)) return []
  const what = own === null || !existsSync(join(sources.dir, own)) ? file : own
  return [wide(what, `the global middleware ${by}, which may refuse or change every request, is not run`, by)]
}

function fileOf(sources: Sources, uid: string): string | null {
  const [, api, name] = /^(?:global::|api::([^.]+)\.)(.+)$/.exec(uid) ?? []
  if (name === undefined) return null
  return sources.locate(api === undefined ? `src/middlewares/${name}` : `src/api/${api}/middlewares/${name}`)
}
