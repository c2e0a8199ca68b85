// The plugin studio: serves the panel in which editors work. Everything that the panel reads and writes, it reads and
// writes by the public API, so this plugin adds files, a page and settings, and no rights.

import { definePlugin } from '@plinth/kernel'
import { configSchema } from './server/config.ts'
import { PluginModules, type StudioModule } from './server/plugin-modules.ts'

export type { StudioModule } from './server/plugin-modules.ts'

declare module '@plinth/kernel' {
  interface Services {
    /** Adds the module that a plugin brings for the panel. Call it in `register`, with `after: ['studio']`. */
    readonly 'studio.add': (module: StudioModule) => void
  }
}

/** Commands have no routes, and may have no server installed. */
const loadMount = () => import('./server/mount.ts')

export default definePlugin({
  name: 'studio',
  config: configSchema,
  dependencies: ['rest', 'users-permissions', 'content-type-builder', 'entry-versions'],
  after: ['upload'],
  register({ kernel, config }) {
    const pluginModules = new PluginModules()
    kernel.services.provide('studio', 'add', module => pluginModules.add(module))
    kernel.hooks.on('onMount', async app => {
      const { mountStudio } = await loadMount()
      await mountStudio({ app, kernel, config, pluginModules })
    })
  },
})
