// The plugin idempotency: a write with the header `Idempotency-Key` that is sent again is answered again, and not done
// again (security.md row 56). It depends on no other plugin.

// Says what an instance of Fastify is.
import type {} from '@plinth/server'
import { definePlugin, type Kernel } from '@plinth/kernel'
import { configSchema, settingsOf } from './config.ts'
import { Answers } from './answers.ts'

const answersOf = new WeakMap<Kernel, Answers>()

/** Commands have no routes, and may have no server installed. */
const loadRoutes = () => import('./routes.ts')

export default definePlugin({
  name: 'idempotency',
  config: configSchema,
  tables: ['idempotency_'],
  register({ kernel, config, app }) {
    if (app === null) return
    const settings = settingsOf(config)
    const answers = new Answers(kernel, settings)
    answersOf.set(kernel, answers)
    // Before transports add their routes.
    kernel.hooks.on('onMount', { order: 'pre' }, async child => {
      const { guardRoutes } = await loadRoutes()
      guardRoutes(child, { kernel, answers, settings })
    })
  },
  async bootstrap({ kernel }) {
    await answersOf.get(kernel)?.open()
  },
})
