// The plugin entry-versions: entries have versions, by which clients see whether somebody else has changed them
// (RFC 9110, 13.1). It depends on no other plugin.

import { definePlugin, type Kernel, Type } from '@plinth/kernel'
// Imports the Fastify types of `PluginHost`.
import type {} from '@plinth/server'
import { extendGraphql } from './graphql.ts'
import { ownTables } from './hash-key.ts'
import { serviceOf } from './service.ts'
import { Versions } from './versions.ts'
import { checkWrites } from './write-checks.ts'

export type {} from './condition.ts'
export type { RequiredVersion, VersionService } from './service.ts'

/** Commands have no routes, and may have no server installed. */
const loadRoutes = () => import('./routes.ts')

const versionsOf = new WeakMap<Kernel, Versions>()

export default definePlugin({
  name: 'entry-versions',
  after: ['graphql'],
  config: Type.Object({}, { additionalProperties: false }),
  ownTables,
  register({ kernel, app }) {
    const versions = new Versions(kernel)
    versionsOf.set(kernel, versions)
    const tools = { kernel, versions }
    checkWrites(tools)
    kernel.services.provide('entry-versions', 'versions', serviceOf(tools))
    const graphql = kernel.services.find('graphql', 'extension')
    if (graphql !== null) extendGraphql(tools, graphql)
    if (app === null) return
    // Before transports add their routes.
    kernel.hooks.on('onMount', { order: 'pre' }, async child => {
      const { addHeaders } = await loadRoutes()
      addHeaders(child, tools)
    })
  },
  async bootstrap({ kernel }) {
    await versionsOf.get(kernel)!.prepare()
  },
})
