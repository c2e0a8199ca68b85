// Commands of Strapi v4 that have no counterpart of the same name, and what to do instead.

const noPanel = 'Plinth has no administration panel'
const inCode = 'there is no list of them: they are code of plugins and of the application. `plinth routes` lists routes'
const makesUsers = `${noPanel}; the plugin users-permissions adds \`plinth user create\`, for editors of @plinth/studio too, and \`plinth user from-admins\` for the administrators of v4`

const answers: Readonly<Record<string, string>> = {
  build: `${noPanel}, so there is nothing to build; \`plinth start\` serves the application`,
  'watch-admin': `${noPanel}; \`plinth dev\` serves the application while it changes`,
  new: 'a new application is made by `npm create plinth`',
  install: 'add the package to package.json and the plugin to config/plugins',
  uninstall: 'remove the plugin from config/plugins and its package from package.json',
  transfer: 'use `plinth export` in one application and `plinth import` in the other',
  'configuration:dump': 'settings are files in config/; `plinth export` writes entries and files',
  'config:dump': 'settings are files in config/; `plinth export` writes entries and files',
  'configuration:restore': 'settings are files in config/; `plinth import` reads entries and files',
  'config:restore': 'settings are files in config/; `plinth import` reads entries and files',
  'admin:create-user': makesUsers,
  'admin:create': makesUsers,
  'admin:reset-user-password': `${noPanel}; users reset their passwords by /api/auth/forgot-password`,
  'admin:reset-password': `${noPanel}; users reset their passwords by /api/auth/forgot-password`,
  'components:list': '`plinth content-types` lists components too',
  'policies:list': inCode,
  'middlewares:list': inCode,
  'services:list': inCode,
  'controllers:list': inCode,
  'hooks:list': inCode,
  'telemetry:disable': 'Plinth sends no telemetry',
  'telemetry:enable': 'Plinth sends no telemetry',
  report: '`plinth doctor` reports on the application',
}

/** Returns what to do instead of a command of v4; null for other words. */
export function insteadOf(word: string): string | null {
  return Object.hasOwn(answers, word) ? `Strapi's command "${word}" does not exist: ${answers[word]}` : null
}
