// Commands that plugins of this repository add, for messages where the plugin is not enabled. Loads no plugin.

import { isApplication, noApplication } from './open.ts'

/** The plugins by the first words of their commands. */
const plugins: Readonly<Record<string, string>> = {
  graphql: 'graphql',
  locale: 'i18n',
  token: 'api-tokens',
  user: 'users-permissions',
  webhooks: 'webhooks',
}

/** Returns why the folder has no such command, if a plugin adds it; null for other words. */
export function absentIn(dir: string, word: string): string | null {
  if (!Object.hasOwn(plugins, word)) return null
  return `"${word}" is a command of the plugin ${plugins[word]}${isApplication(dir) ? ', which config/plugins does not enable' : `; ${noApplication(dir)}`}`
}
