// Registers accounts with the kernel: the content type of users, passwords, tokens, strategies and routes. Roles are given.

import { type Kernel, type PluginHost, RegistrationError, suggestion } from '@plinth/kernel'
import type { RolesInMemory } from '../roles/role.ts'
import type { AccountConfig } from './config.ts'
import type { Limits } from './limits.ts'
import { Mailer } from './mail/mailer.ts'
import { Outbox } from './mail/outbox.ts'
import { findProvider } from './mail/providers.ts'
import { resolveTemplate } from './mail/templates.ts'
import { Passwords } from './passwords.ts'
import { findProviders, Providers } from './providers/index.ts'
import type { Provider } from './providers/provider.ts'
import { findSecret } from './secret.ts'
import { checkDefaultRole, readStored, resolveAdvanced } from './settings.ts'
import { Strategies } from './strategies.ts'
import { lifetimeOf, type Signer, Tokens } from './tokens.ts'
import { type AccountTools, authAction, authActions } from './tools.ts'
import { registerUserHooks } from './user-hooks.ts'
import { powerAttributes, secretAttributes, userActions, userSchema, userUid, validFromAttribute } from './user-type.ts'
import { Users } from './users.ts'

/** What other transports share with the routes of accounts. */
export interface MountedAccounts {
  readonly tools: AccountTools
  /** Null if requests are not counted. */
  readonly limits: Limits | null
}

/** The accounts of a kernel, from `register` to `destroy`. */
export class Accounts {
  readonly #kernel: Kernel
  readonly #config: AccountConfig
  readonly #passwords: Passwords
  readonly #tokens: Tokens
  readonly #users: Users
  readonly #outbox: Outbox
  #mailer: Mailer | null = null
  #limits: Limits | null = null
  readonly #roles: RolesInMemory
  #signer: Signer | null = null
  #advanced: AccountTools['advanced'] | null = null
  #enabled: ReadonlyMap<string, Provider> = new Map()
  #providers: Providers | null = null
  #mounted: MountedAccounts | null = null

  constructor(kernel: Kernel, config: AccountConfig, roles: RolesInMemory) {
    this.#kernel = kernel
    this.#config = config
    this.#roles = roles
    this.#passwords = new Passwords(config.passwords.algorithm)
    this.#tokens = new Tokens(() => this.#signer!, lifetimeOf(config.jwt.expiresIn))
    this.#users = new Users(kernel, roles)
    this.#outbox = new Outbox(kernel.log)
    const strategies = new Strategies({
      tokens: this.#tokens,
      roles,
      findCaller: id => this.#users.findCaller(id),
      needsConfirmation: () => this.#advanced?.needsConfirmation === true,
    })
    this.#register(strategies)
  }

  #register(strategies: Strategies): void {
    const kernel = this.#kernel
    const isEmailUnique = this.#config.advanced.unique_email !== false
    kernel.contentTypes.add(userSchema(isEmailUnique), { uid: userUid, routes: 'own', actions: userActions })
    kernel.hooks.on('preModel', { for: type => type.uid === userUid }, draft => {
      for (const [name, definition] of Object.entries(validFromAttribute)) draft.attribute(name, definition)
    })
    for (const name of authActions) kernel.actions.add(authAction(name))
    for (const name of ['me', 'count']) kernel.actions.add(`${userUid}.${name}`)
    kernel.attributeTypes.replace('password', {
      storage: 'string',
      family: 'text',
      secret: true,
      prepare: (value, options) => this.#passwords.prepare(value, options),
    })
    kernel.auth.use(strategies.jwt)
    kernel.auth.use(strategies.public, { order: 'post' })
    registerUserHooks(kernel, id => strategies.forget(id))
    kernel.hooks.on('onModel', () => checkAllowedFields(kernel, this.#config.register.allowedFields))
    kernel.hooks.on('onMount', app => this.#mount(app))
  }

  /** Reads the settings of the database, checks the providers of logins, and opens the provider of mails. */
  async start(): Promise<void> {
    const kernel = this.#kernel
    const { email, advanced } = this.#config
    checkDefaultRole(advanced.default_role, this.#roles.all, kernel.log)
    this.#advanced = resolveAdvanced(advanced, await readStored(kernel, 'advanced'))
    const stored = await readStored(kernel, 'email')
    const about = { serverUrl: serverUrlOf(kernel.config.server ?? {}), log: kernel.log }
    this.#enabled = findProviders(this.#config, await readStored(kernel, 'grant'), about)
    const { reset_password, email_confirmation } = email.templates
    const isProduction = process.env.NODE_ENV === 'production'
    this.#mailer = new Mailer({
      provider: await findProvider(email, { dir: kernel.dir, log: kernel.log, isProduction }),
      settings: email.settings,
      templates: {
        reset_password: resolveTemplate('reset_password', reset_password, stored.reset_password),
        email_confirmation: resolveTemplate('email_confirmation', email_confirmation, stored.email_confirmation),
      },
    })
  }

  /** Waits for what was begun, and ends the thread and the connections. */
  async close(): Promise<void> {
    await this.#outbox.idle()
    await Promise.all([this.#passwords.close(), this.#mailer?.close(), this.#limits?.close(), this.#providers?.close()])
  }

  /** Waits for mails and other work that follows answers. */
  idle(): Promise<void> {
    return this.#outbox.idle()
  }

  /** What the routes work with. Throws before there is a server. */
  get mounted(): MountedAccounts {
    if (this.#mounted === null) throw new Error('The routes of accounts are not mounted yet')
    return this.#mounted
  }

  async #mount(app: PluginHost): Promise<void> {
    const kernel = this.#kernel
    const { config } = kernel
    const secret = await findSecret(kernel, this.#config.jwtSecret)
    // Scripts have no routes, and may have no server installed.
    const [{ mountAccounts }, { apiPrefix }] = await Promise.all([
      import('./mount.ts'),
      import('@plinth/server/transport'),
    ])
    const serverUrl = serverUrlOf(config.server ?? {})
    const prefix = apiPrefix(kernel)
    this.#providers = await Providers.open({
      enabled: this.#enabled,
      config: this.#config,
      log: kernel.log,
      secret,
      base: `${serverUrl}${prefix}`,
    })
    const tools: AccountTools = {
      kernel,
      config: this.#config,
      users: this.#users,
      passwords: this.#passwords,
      tokens: this.#tokens,
      outbox: this.#outbox,
      mailer: this.#mailer!,
      advanced: this.#advanced!,
      isEmailUnique: this.#config.advanced.unique_email !== false,
      providers: this.#providers,
      serverUrl,
      prefix,
    }
    const { signer, limits } = await mountAccounts(app, tools, secret)
    this.#signer = signer
    this.#limits = limits
    this.#mounted = { tools, limits }
  }
}

/** The address of the server in mails: as configured, never as a request names it. */
function serverUrlOf({ url, host, port }: Readonly<Record<string, unknown>>): string {
  if (typeof url === 'string' && /^https?:\/\//.test(url)) return url.replace(/\/+$/, '')
  const name = typeof host === 'string' && host !== '0.0.0.0' && host !== '::' ? host : 'localhost'
  return `http://${name}:${port ?? 1337}`
}

/** Throws RegistrationError if a registration could not set an attribute, or must not. */
function checkAllowedFields(kernel: Kernel, names: readonly string[]): void {
  const { attributes } = kernel.contentTypes.require(userUid)
  const closed: readonly string[] = [...secretAttributes, ...powerAttributes, 'id', 'createdAt', 'updatedAt']
  for (const name of names) {
    const place = 'config/plugins: users-permissions: register.allowedFields'
    if (closed.includes(name))
      throw new RegistrationError('PLINTH_DEFINITION_INVALID', `${place}: a registration cannot set "${name}"`)
    if (!attributes.has(name))
      throw new RegistrationError(
        'PLINTH_DEFINITION_INVALID',
        `${place}: users have no attribute "${name}"${suggestion(name, attributes.keys())}`,
      )
  }
}
