/**
 * Opens the recorded model with users, roles and API tokens, filled past all rights, and makes clients that log in as
 * users with a role.
 */

import type { Kernel, PluginsConfig } from '@plinth/kernel'
import type { Test } from 'tap'
import { boot, type Client, client } from '../boot.ts'

export const userUid = 'plugin::users-permissions.user'
export const roleUid = 'plugin::users-permissions.role'

/** All actions on entries of a type. */
export const all = (name: string) => `api::${name}.${name}.*`
/** One action on entries of a type. */
export const action = (name: string, operation: string) => `api::${name}.${name}.${operation}`

/** The actions that read entries of a type. */
export const reads = (name: string) => [
  action(name, 'find'),
  ...(name === 'site-setting' ? [] : [action(name, 'findOne')]),
]

/** The actions on users that v4 has. */
export const ofUsers = ['me', 'count', 'find', 'findOne', 'create', 'update', 'destroy'].map(
  name => `${userUid}.${name}`,
)

interface Options {
  readonly permissions?: Readonly<Record<string, readonly string[]>>
  readonly rules?: Readonly<Record<string, readonly object[]>>
  readonly plugins?: PluginsConfig
  /** Further settings of users-permissions. */
  readonly config?: object
  readonly configure?: (kernel: Kernel) => void
}

/** A server that is closed when the test ends. */
export async function startMembers(t: Test, options: Options) {
  const { permissions = {}, rules = {}, plugins = {}, config = {}, configure } = options
  const accounts = {
    jwtSecret: 'a secret of the tests, long enough',
    ratelimit: { enabled: false },
    permissions,
    rules,
    ...config,
  }
  const app = await boot(t, {
    ...(configure && { configure }),
    plugins: {
      rest: { config: { defaultLimit: 25, maxLimit: 100 } },
      'draft-publish': true,
      'api-tokens': { config: { salt: 'salt-of-the-tests' } },
      'users-permissions': { config: accounts },
      ...plugins,
    },
  })
  const { kernel } = app
  const of = (name: string) => kernel.query(name.includes('::') ? name : `api::${name}.${name}`)
  /** Creates a user with the role of that type and the password `<name>-secret`. */
  const user = async (name: string, type: string, data: object = {}) => {
    const [role] = await of(roleUid).findMany({ filters: { type } })
    const values = { username: name, email: `${name}@example.com`, password: `${name}-secret`, provider: 'local' }
    return of(userUid).create({ data: { ...values, confirmed: true, role: role!.id, ...data } })
  }
  const logIn = async (name: string): Promise<Client> => {
    const body = { identifier: name, password: `${name}-secret` }
    const { text } = await client(app).post('/api/auth/local', body)
    return client(app, { authorization: `Bearer ${JSON.parse(text).jwt}` })
  }
  return {
    app,
    kernel,
    of,
    user,
    logIn,
    /** A client of a new user with the role of that type, who is called like the role. */
    async as(type: string): Promise<Client> {
      await user(type, type)
      return logIn(type)
    },
  }
}

export type Members = Awaited<ReturnType<typeof startMembers>>
