// The plugin idempotency: a write with the header `Idempotency-Key` that is sent again is answered again, and not done
// again (security.md row 56). It depends on no other plugin.

import { definePlugin, PlinthError } from '@plinth/kernel'
// Imports the Fastify types of `PluginHost`.
import type {} from '@plinth/server'
import { Answers, ownTables } from './answers.ts'
import { configSchema, settingsOf } from './config.ts'
import { runOf } from './keyed.ts'

declare module '@plinth/kernel' {
  interface AnswerCodes {
    /** The first request with the same `Idempotency-Key` has not ended, or its answer is not known. */
    ConflictError: 409
    /** The `Idempotency-Key` was sent before with another request. */
    UnprocessableEntityError: 422
  }
}

/** Commands have no routes, and may have no server installed. */
const loadRoutes = () => import('./routes.ts')

export default definePlugin({
  name: 'idempotency',
  config: configSchema,
  ownTables,
  register({ kernel, config, app }) {
    if (app === null) return
    const settings = settingsOf(config)
    const answers = new Answers(kernel, settings)
    const isKeyed = (_type: unknown, { request }: { readonly request?: unknown }) => runOf(request) !== null
    // After what other hooks write, because equal requests wait for the row from then on.
    kernel.hooks.on('onWrite', { when: isKeyed, order: 'post' }, async ({ context, tx }) => {
      if (await answers.mark(runOf(context.request)!, tx!)) return
      const fault = `It took longer than lostAfter, ${settings.lostAfter / 1000} seconds, and was carried out again`
      throw new PlinthError(409, 'ConflictError', fault, { path: 'idempotency-key' })
    })
    // Before transports add their routes.
    kernel.hooks.on('onMount', { order: 'pre' }, async child => {
      const { guardRoutes } = await loadRoutes()
      guardRoutes(child, { kernel, answers })
    })
  },
})
