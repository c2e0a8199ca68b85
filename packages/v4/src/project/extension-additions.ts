// Finds what extensions of plugins add beside what the plugins have: routes, and actions of their controllers. What
// they replace is in extensions.ts.

import { chainsOf } from '../syntax/chains.ts'
import type { SourceModule } from '../syntax/module.ts'
import { type Expression, lineOf, walk } from '../syntax/tree.ts'
import { memberOf, textOf, type Value } from '../syntax/values.ts'
import type { AddedMethod, Route } from './model.ts'
import { pluginActions } from './plugin-actions.ts'
import { configOf } from './routes.ts'
import type { Sources } from './sources.ts'

export interface ExtensionAdditions {
  readonly routes: readonly Route[]
  readonly methods: readonly AddedMethod[]
}

export function extensionAdditions(sources: Sources): ExtensionAdditions {
  const routes: Route[] = []
  const methods: AddedMethod[] = []
  for (const plugin of sources.folders('src/extensions'))
    for (const file of sources.below(`src/extensions/${plugin}`)) {
      const module = /\b(?:routes|controllers|handler)\b/.test(sources.text(file)) ? sources.module(file) : null
      if (module === null) continue
      routes.push(...routesIn(module, plugin))
      if (/\/strapi-server\.\w+$/.test(file)) methods.push(...methodsIn(module, plugin))
    }
  return { routes, methods }
}

/** All objects that have a method, a path and a handler, however they come into the list of routes. */
function routesIn(module: SourceModule, plugin: string): readonly Route[] {
  const routes: Route[] = []
  walk(module.program, node => {
    if (node.type !== 'ObjectExpression') return
    const route = module.evaluate(node as Expression)
    const [method, path] = [textOf(memberOf(route, 'method')), textOf(memberOf(route, 'path'))]
    const handler = memberOf(route, 'handler')
    if (method === null || !path?.startsWith('/') || handler === undefined) return
    const config = memberOf(route, 'config')
    routes.push({
      api: '',
      file: module.path,
      line: lineOf(node),
      method: method.toUpperCase(),
      path: `${prefixOf(config, plugin)}${path}`,
      action: actionOf(textOf(handler), plugin),
      isCore: false,
      ...configOf(config),
    })
  })
  return routes
}

/** Routes of plugins stand below the names of the plugins, but for those of users-permissions (B-13.116). */
function prefixOf(config: Value | undefined, plugin: string): string {
  return textOf(memberOf(config, 'prefix')) ?? (plugin === 'users-permissions' ? '' : `/${plugin}`)
}

function actionOf(handler: string | null, plugin: string): string | null {
  if (handler === null) return null
  return handler.includes('::') ? handler : `plugin::${plugin}.${handler}`
}

/** `plugin.controllers.user.mine = …`, where the plugin has no such action. */
function methodsIn(module: SourceModule, plugin: string): readonly AddedMethod[] {
  const exported = module.exported()
  const node = exported.kind === 'function' ? exported.node : null
  const [parameter] = node?.params ?? []
  if (parameter?.type !== 'Identifier') return []
  return chainsOf(module.program, [parameter.name]).flatMap(({ steps, isWritten, node: place }) => {
    const [controllers, controller, method] = steps
    if (!isWritten || steps.length !== 3 || controllers!.name !== 'controllers') return []
    if (controller!.name === null || method!.name === null) return []
    const name = `plugin::${plugin}.${controller!.name}.${method!.name}`
    return pluginActions(name).length > 0 ? [] : [{ name, file: module.path, line: lineOf(place) }]
  })
}
