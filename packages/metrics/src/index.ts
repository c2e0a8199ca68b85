// The plugin metrics: numbers for Prometheus about requests, statements, connections and the process. By default they
// are served on a port of their own, because they show strangers what a server does (security.md row 86).

import { definePlugin, StartError } from '@plinth/kernel'
// Says what an instance of Fastify is.
import type {} from '@plinth/server'
import { configSchema } from './config.ts'

/** Commands have no server, and may have none installed. */
const loadMetrics = () => import('./metrics.ts')
const loadEndpoint = () => import('./endpoint.ts')

export default definePlugin({
  name: 'metrics',
  config: configSchema,
  async register({ kernel, config, app }) {
    if (app === null) return
    const { port = 9464, token } = config
    if (port === false && (token === undefined || token.length < 16))
      throw new StartError(
        'PLINTH_CONFIG_INVALID',
        'config/plugins: metrics.config.token: must have at least 16 characters if `port` is false, because everybody can reach the server of the API',
      )
    const { createMetrics } = await loadMetrics()
    const { serveBeside, serveWithin } = await loadEndpoint()
    const registry = createMetrics({ kernel, app, config })
    if (port === false) kernel.hooks.on('onMount', child => serveWithin(child, registry, config))
    else serveBeside(app, registry, { ...config, port })
  },
})
