/**
 * The state that a suite's header describes: its settings, roles, rights and tokens, made by the plugins users-permissions
 * and api-tokens. What a header does not grant is not granted.
 */

import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Kernel, PluginsConfig } from '@plinth/kernel'

interface SuiteToken {
  readonly name: string
  readonly type: string
  readonly accessKey: string
  readonly permissions?: readonly string[]
}

export interface SuiteHeader {
  readonly config?: {
    readonly rest?: { readonly defaultLimit?: number; readonly maxLimit?: number }
    readonly graphql?: { readonly defaultLimit?: number; readonly amountLimit?: number }
    /** In bytes. */
    readonly upload?: { readonly sizeLimit?: number }
  }
  readonly locales?: readonly string[]
  /** Actions by the type of the role. Without this, the server is open. */
  readonly grants?: Readonly<Record<string, readonly string[]>>
  readonly roles?: readonly { readonly name: string; readonly description: string; readonly type: string }[]
  readonly tokens?: readonly SuiteToken[]
}

/** The header of the suite's file; {} without a suite. */
export async function readHeader(file: string | undefined): Promise<SuiteHeader> {
  return file ? (JSON.parse(await readFile(file, 'utf8')) as SuiteHeader) : {}
}

const salt = 'salt-of-the-suites'

/** The plugins that rights need; none on an open server. Users are confirmed, and logins are not limited. */
export function pluginsOf({ grants }: SuiteHeader): PluginsConfig {
  if (grants === undefined) return {}
  const settings = { jwtSecret: 'secret-of-the-suites', ratelimit: { enabled: false } }
  return { 'users-permissions': { config: settings }, 'api-tokens': { config: { salt } } }
}

const roleUid = 'plugin::users-permissions.role'
const permissionUid = 'plugin::users-permissions.permission'

/** Makes the roles, permissions and tokens of the header, after the start. */
export async function makeState(kernel: Kernel, { grants, roles = [], tokens = [] }: SuiteHeader): Promise<void> {
  if (grants === undefined) return
  await kernel.transaction(async () => {
    for (const data of roles) await kernel.query(roleUid).create({ data })
    for (const { id } of await kernel.query(permissionUid).findMany()) await kernel.query(permissionUid).delete(id)
    for (const role of await kernel.query(roleUid).findMany()) {
      for (const action of grants[String(role.type)] ?? [])
        await kernel.query(permissionUid).create({ data: { action, role: role.id } })
    }
    for (const token of tokens) await makeToken(kernel, token, salt)
  })
}

/** Makes an API token with the key of the header; `salt` is that of the plugin api-tokens. */
export async function makeToken(kernel: Kernel, token: SuiteToken, salt: string): Promise<void> {
  const { permissions = [], accessKey: key, ...data } = token
  const accessKey = createHmac('sha512', salt).update(key).digest('hex')
  const { id } = await kernel.query('admin::api-token').create({ data: { ...data, accessKey } })
  for (const action of permissions)
    await kernel.query('admin::api-token-permission').create({ data: { action, token: id } })
}
