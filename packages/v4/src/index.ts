// The plugin v4: keeps the guards of a Strapi v4 project. What its routers say without code is obeyed, and actions that its
// code guards or replaces answer 403 until the settings open them. It reads the code and runs none of it.

import { definePlugin, type Kernel, type Operation, RegistrationError, suggestion } from '@plinth/kernel'
import { type Config, configSchema } from './config.ts'
import type { V4Project } from './project.ts'
import { RouterRoutes, routersBy } from './routers.ts'
import { askForUser, askInGraphql, refuse } from './rules.ts'
import { type Shut, type ShutAction, shutBy } from './shut.ts'

export { type Shut, type ShutAction, shutBy } from './shut.ts'

/** Not at the top: an application whose settings say everything has no code of v4 to read. */
const read = async (dir: string): Promise<V4Project> => (await import('./project.ts')).readV4Project(dir)

export default definePlugin({
  name: 'v4',
  config: configSchema,
  async register({ kernel, config }) {
    const { guards, routers, customFields } = await read(kernel.dir)
    for (const { name, type, file } of customFields)
      kernel.customFields.add(name, { type, isFallback: true, source: file })
    const shut = shutBy(guards, config)
    obey(kernel, routers, config)
    keepShut(kernel, shut.actions)
    kernel.hooks.on('onModel', () => report(kernel, shut, config))
  },
})

function obey(kernel: Kernel, read: V4Project['routers'], config: Config): void {
  const routers = routersBy(read, config)
  if (routers.size === 0) return
  kernel.services.provide('rest', 'routes', new RouterRoutes(routers, message => kernel.log.warn(`v4: ${message}`)).of)
  for (const { uid, auth, needsUser } of routers.values())
    for (const operation of new Set([...Object.keys(auth), ...needsUser] as Operation[])) {
      const action = `${uid}.${operation}`
      const rule = auth[operation]
      const policies = [
        ...(rule === undefined ? [] : [askInGraphql(action)]),
        ...(needsUser.includes(operation) ? [askForUser] : []),
      ]
      kernel.actions.set(action, { policies, ...(rule !== undefined && { auth: rule === 'none' ? false : rule }) })
    }
}

/** After all code that registers, so that nothing opens an action but the settings. */
function keepShut(kernel: Kernel, actions: readonly ShutAction[]): void {
  kernel.hooks.on('preModel', ({ uid }) => {
    for (const one of actions) if (isOf(one.action, uid)) kernel.actions.set(one.action, { policies: [refuse(one)] })
  })
}

/** The types with which the plugins of v4 come, by their plugins: actions of plugins that are not enabled do not exist. */
const typeOf: Readonly<Record<string, string>> = {
  'plugin::users-permissions': 'plugin::users-permissions.user',
  'plugin::upload': 'plugin::upload.file',
  'plugin::i18n': 'plugin::i18n.locale',
}

function isOf(action: string, uid: string): boolean {
  const ofPlugin = typeOf[action.slice(0, action.indexOf('.'))]
  if (ofPlugin !== undefined) return ofPlugin === uid
  // The plugin i18n adds it, so it does not exist without that plugin.
  if (action.endsWith('.createLocalization')) return uid === typeOf['plugin::i18n']
  // Misspelt settings are refused when all actions are known.
  return action.startsWith(`${uid}.`) && /\.(?:find|findOne|create|update|delete)$/.test(action)
}

function report(kernel: Kernel, { actions, names }: Shut, { unguarded, shut, shutInGraphql }: Config): void {
  for (const name of Object.keys({ ...shut, ...shutInGraphql }))
    if (!kernel.actions.has(name)) throw unknownName('shut: there is no action', name, kernel.actions.names)
  for (const name of unguarded) {
    if (names.includes(name)) continue
    if (!kernel.actions.has(name)) throw unknownName('unguarded: nothing is shut by the name', name, names)
    kernel.log.warn(`config/plugins: v4.config.unguarded: "${name}" is not shut, so its name can be removed`)
  }
  for (const one of actions) if (kernel.actions.has(one.action)) kernel.log.warn(lineOf(one))
}

const unknownName = (fault: string, name: string, names: readonly string[]) =>
  new RegistrationError(
    'PLINTH_ACTION_UNKNOWN',
    `config/plugins: v4.config.${fault} "${name}"${suggestion(name, names)}`,
  )

/** Returns what is shut, why, and what to do. */
function lineOf({ action, inGraphqlOnly, reasons }: ShutAction): string {
  const where = inGraphqlOnly ? 'GraphQL' : 'REST and in GraphQL, which v4 does not guard by routes'
  return (
    `v4: ${action} answers 403 in ${where}: ${reasons.join('; ')}. Write the rule again (kernel.actions.set in src/index), ` +
    `then add '${action}' to v4.config.unguarded in config/plugins, which opens it everywhere`
  )
}
