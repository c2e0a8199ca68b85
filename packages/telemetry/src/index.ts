// The plugin telemetry: OpenTelemetry spans of requests and of the SQL statements that they cause. The application sets
// up the SDK and its exporter; without one, nothing is measured.

import { definePlugin, Type } from '@plinth/kernel'
// Says what an instance of Fastify is.
import type {} from '@plinth/server'

/** Commands have no server, and need no spans. */
const loadSpans = () => import('./spans.ts')

export default definePlugin({
  name: 'telemetry',
  config: Type.Object(
    {
      statements: Type.Optional(
        Type.Boolean({ description: 'True if statements have spans of their own. True by default.' }),
      ),
      health: Type.Optional(Type.Boolean({ description: 'True if the health checks have spans. False by default.' })),
    },
    { additionalProperties: false },
  ),
  async register({ kernel, config, app }) {
    if (app === null) return
    const { addSpans } = await loadSpans()
    addSpans(app, { kernel, statements: config.statements ?? true, health: config.health ?? false })
  },
})
