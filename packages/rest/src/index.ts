// The REST transport: it serves /api/<plural> in the format of Strapi v4, and depends on the kernel and on no other
// plugin.

import { definePlugin } from '@plinth/kernel'
import { hasCors, registerErrorHandler, setApiPrefix, setCors, withoutOtherCors } from '@plinth/server/transport'
import { registerBodyParsers } from './body.ts'
import { configSchema, resolveSettings } from './config.ts'
import { registerBeginning } from './headers.ts'
import { answerOwnPaths, collectMethods, notFoundHandler } from './methods.ts'
import { Routes } from './routes.ts'

export { type ErrorBody, toErrorBody } from '@plinth/server/transport'
export type { EntryMethod, EntryRoute, EntryRoutes } from './entry-routes.ts'
// Its declarations in the kernel reach those who import this plugin.
export type {} from './errors.ts'
export type { FileBatch, FilePart, FileTaker, FileWrite } from './files.ts'
export { parseQueryString, queryOf } from './params.ts'

export default definePlugin({
  name: 'rest',
  config: configSchema,
  register({ kernel, config, app, server }) {
    if (app === null) return
    const settings = resolveSettings(config, kernel.config.api, message => kernel.log.warn(message))
    setApiPrefix(kernel, settings.prefix)
    registerErrorHandler(app)
    if (settings.cors !== null) setCors(kernel, settings.cors.setting, settings.cors.place)
    registerBeginning(app, settings)
    registerBodyParsers(app, settings.limits)
    const table = collectMethods(app)
    kernel.hooks.on('onMount', child => new Routes(kernel, settings).mount(child))
    if (server === null) {
      kernel.hooks.on('onMount', { order: 'post' }, child =>
        answerOwnPaths(child, settings.prefix, table, hasCors(kernel) ? withoutOtherCors : {}),
      )
      return
    }
    server.setNotFoundHandler(notFoundHandler(table))
  },
})
