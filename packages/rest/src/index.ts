// The REST door: /api/<plural> in the format of Strapi v4. Knows the kernel, and no other plugin.

import { definePlugin } from '@plinth/kernel'
import { registerBodyParsers } from './body.ts'
import { configSchema, resolveSettings } from './config.ts'
import { registerErrorHandler } from './errors.ts'
import { registerHeaders } from './headers.ts'
import { mountHealth } from './health.ts'
import { collectMethods, registerNotFound } from './methods.ts'
import { Routes } from './routes.ts'

export { toErrorBody } from './errors.ts'
export { parseQueryString } from './params.ts'

export default definePlugin({
  name: 'rest',
  config: configSchema,
  async register({ kernel, config, app }) {
    if (app === null) return
    const settings = resolveSettings(config, kernel.config.api, message => kernel.log.warn(message))
    registerErrorHandler(app)
    await registerHeaders(app, settings)
    await registerBodyParsers(app, settings.limits)
    registerNotFound(app, collectMethods(app))
    mountHealth(app)
    kernel.hooks.on('onMount', child => new Routes(kernel, settings).mount(child))
  },
})
