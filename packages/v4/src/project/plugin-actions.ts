// The actions of v4's own plugins that an extension of a project can replace, as Plinth has them too.

const users = ['count', 'create', 'destroy', 'find', 'findOne', 'me', 'update']
const logins = [
  ...['callback', 'changePassword', 'connect', 'emailConfirmation', 'forgotPassword', 'register', 'resetPassword'],
  'sendEmailConfirmation',
]

const ofPlugins: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'users-permissions': {
    auth: logins,
    user: users,
    role: ['createRole', 'deleteRole', 'find', 'findOne', 'updateRole'],
    permissions: ['getPermissions'],
  },
  upload: { 'content-api': ['destroy', 'find', 'findOne', 'upload'] },
  i18n: { locales: ['listLocales'] },
}

/** The actions that a name or a pattern of a plugin's actions means: `plugin::upload.*`. */
export function pluginActions(pattern: string): readonly string[] {
  const all = Object.entries(ofPlugins).flatMap(([plugin, controllers]) =>
    Object.entries(controllers).flatMap(([controller, names]) =>
      names.map(name => `plugin::${plugin}.${controller}.${name}`),
    ),
  )
  if (!pattern.endsWith('*')) return all.filter(one => one === pattern)
  return all.filter(one => one.startsWith(pattern.slice(0, -1)))
}

const route = (method: string, path: string, action: string) => ({
  method,
  path,
  action: `plugin::users-permissions.${action}`,
})

/** The routes of v4's users-permissions, in their order. */
export const pluginRoutes = [
  route('GET', '/connect/(.*)', 'auth.connect'),
  route('POST', '/auth/local', 'auth.callback'),
  route('POST', '/auth/local/register', 'auth.register'),
  route('GET', '/auth/:provider/callback', 'auth.callback'),
  route('POST', '/auth/forgot-password', 'auth.forgotPassword'),
  route('POST', '/auth/reset-password', 'auth.resetPassword'),
  route('GET', '/auth/email-confirmation', 'auth.emailConfirmation'),
  route('POST', '/auth/send-email-confirmation', 'auth.sendEmailConfirmation'),
  route('POST', '/auth/change-password', 'auth.changePassword'),
  route('GET', '/users/count', 'user.count'),
  route('GET', '/users', 'user.find'),
  route('GET', '/users/me', 'user.me'),
  route('GET', '/users/:id', 'user.findOne'),
  route('POST', '/users', 'user.create'),
  route('PUT', '/users/:id', 'user.update'),
  route('DELETE', '/users/:id', 'user.destroy'),
  route('GET', '/roles/:id', 'role.findOne'),
  route('GET', '/roles', 'role.find'),
  route('POST', '/roles', 'role.createRole'),
  route('PUT', '/roles/:role', 'role.updateRole'),
  route('DELETE', '/roles/:role', 'role.deleteRole'),
  route('GET', '/permissions', 'permissions.getPermissions'),
]
