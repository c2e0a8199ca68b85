// Reads a Strapi v4 project as syntax: its routes, controllers, guards, lifecycles, and what they use of v4. No code of the
// project runs, and nothing of Plinth is needed.

import { resolve } from 'node:path'
import { comparedIn } from './project/compared.ts'
import { codeOf } from './project/controllers.ts'
import { cronTasksOf } from './project/cron.ts'
import { customFieldsOf } from './project/custom-fields.ts'
import { extensionAdditions } from './project/extension-additions.ts'
import { extensionGuards, replacesUserPolicy } from './project/extensions.ts'
import { middlewareGuards } from './project/global-middlewares.ts'
import { graphqlGuards } from './project/graphql.ts'
import { guardsOf } from './project/guards.ts'
import type { NamedHandler, V4Project } from './project/model.ts'
import { routesOf } from './project/routes.ts'
import { Sources } from './project/sources.ts'
import { startGuards } from './project/start.ts'
import { typesOf } from './project/types.ts'
import { lifecyclesOf, usesOf } from './project/uses.ts'

export { readCustomFields } from './project/custom-fields.ts'
export { type GuardedAction, guardedActions, reasonsOf } from './project/guarded.ts'
export type * from './project/model.ts'
export { coreRoutes, operationsOf } from './project/types.ts'

/**
 * Reads the project in a folder. Files that cannot be read are among `faults`, and shut what they may concern; it throws
 * only what the file system throws.
 */
export function readV4Project(dir: string): V4Project {
  const sources = new Sources(resolve(dir))
  const types = typesOf(sources)
  const routes = routesOf(sources, types)
  const controllers = codeOf(sources, 'controllers')
  const services = codeOf(sources, 'services')
  const wide = [...startGuards(sources), ...extensionGuards(sources), ...middlewareGuards(sources)]
  const { guards, routers } = guardsOf({
    types,
    routes,
    controllers,
    services,
    wide,
    replacesUserPolicy: replacesUserPolicy(sources),
  })
  return {
    dir: sources.dir,
    language: sources.below('src').some(path => /\.[cm]?ts$/.test(path)) ? 'ts' : 'js',
    types,
    routes: routes.routes,
    additions: extensionAdditions(sources),
    routers,
    controllers,
    services,
    policies: namedIn(sources, 'policies'),
    middlewares: namedIn(sources, 'middlewares'),
    lifecycles: lifecyclesOf(sources, types),
    cronTasks: cronTasksOf(sources),
    uses: usesOf(sources),
    compared: comparedIn(sources),
    guards: [...guards, ...graphqlGuards(sources, types)],
    customFields: customFieldsOf(sources),
    faults: [...routes.faults, ...sources.faults],
  }
}

function namedIn(sources: Sources, folder: 'policies' | 'middlewares'): readonly NamedHandler[] {
  const own = sources.files(`src/${folder}`, false).map(({ name, path }) => ({ uid: `global::${name}`, file: path }))
  const ofApis = sources
    .folders('src/api')
    .flatMap(api =>
      sources
        .files(`src/api/${api}/${folder}`, false)
        .map(({ name, path }) => ({ uid: `api::${api}.${name}`, file: path })),
    )
  return [...own, ...ofApis]
}
