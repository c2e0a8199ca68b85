// The plugins of a v4 project: those that its package.json names, what each adds to the API and what Plinth has for it, and
// those below `src/plugins` with their types and routes. No code of the project runs.

export { factsOf, type PluginFacts } from './plugins/facts.ts'
export { type InstalledPlugin, installedPlugins } from './plugins/installed.ts'
export { type LocalPlugin, localPlugins } from './plugins/local.ts'
