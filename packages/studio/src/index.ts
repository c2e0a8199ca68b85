// The plugin studio: serves the panel in which editors work. Everything that the panel reads and writes, it reads and
// writes by the public API, so this plugin adds files, a page and settings, and no rights.

import { definePlugin } from '@plinth/kernel'
import { configSchema } from './server/config.ts'

/** Commands have no routes, and may have no server installed. */
const loadMount = () => import('./server/mount.ts')

export default definePlugin({
  name: 'studio',
  config: configSchema,
  dependencies: ['rest', 'users-permissions', 'content-type-builder'],
  register({ kernel, config }) {
    kernel.hooks.on('onMount', async app => {
      const { mountStudio } = await loadMount()
      await mountStudio(app, kernel, config)
    })
  },
})
