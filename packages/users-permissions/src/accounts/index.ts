// Registers accounts with the kernel: the content type of users, passwords, tokens, strategies and routes. Roles are given.

import { type EmailService, type Mails, provideEmail } from '@plinth/email'
import { type Kernel, type PluginHost, RegistrationError, suggestion } from '@plinth/kernel'
import { checkRounds, passwordType } from '@plinth/passwords'
import type { RolesInMemory } from '../roles/role.ts'
import type { AccountConfig } from './config.ts'
import type { MountedAccounts } from './mount.ts'
import { Outbox } from './outbox.ts'
import { Passwords } from './passwords.ts'
import type { Provider } from './providers/provider.ts'
import { findSecret } from './secret.ts'
import { type StartedAccounts, startAccounts } from './started.ts'
import { Strategies } from './strategies.ts'
import { lifetimeOf, Tokens } from './tokens.ts'
import { authAction, authActions } from './tools.ts'
import { registerUniqueNames } from './unique-names.ts'
import { registerUserHooks } from './user-hooks.ts'
import { powerAttributes, secretAttributes, userActions, userSchema, userUid, validFromAttribute } from './user-type.ts'
import { Users } from './users.ts'

export type { MountedAccounts } from './mount.ts'

/** The accounts of a kernel, from `register` to `destroy`. */
export class Accounts {
  readonly #kernel: Kernel
  readonly #config: AccountConfig
  readonly #passwords: Passwords
  readonly #tokens: Tokens
  readonly #users: Users
  readonly #strategies: Strategies
  readonly #outbox: Outbox
  readonly #email: EmailService
  /** The sender of mails if the application does not enable the plugin email, so that nobody else closes it. */
  readonly #ownMails: Mails | null
  /** Null before `start`. */
  #started: StartedAccounts | null = null
  /** Null without a server. */
  #mounted: MountedAccounts | null = null

  constructor(kernel: Kernel, config: AccountConfig, roles: RolesInMemory) {
    this.#kernel = kernel
    this.#config = config
    this.#passwords = new Passwords(config.passwords.algorithm)
    this.#tokens = new Tokens(() => this.mounted.signer, lifetimeOf(config.jwt.expiresIn))
    this.#users = new Users(kernel, roles)
    this.#outbox = new Outbox(kernel.log)
    const shared = kernel.services.find('email', 'email')
    this.#ownMails = shared === null ? provideEmail(kernel) : null
    this.#email = shared ?? this.#ownMails!
    this.#strategies = new Strategies({
      tokens: this.#tokens,
      roles,
      findCaller: id => this.#users.findCaller(id),
      needsConfirmation: () => this.#started?.advanced.needsConfirmation === true,
    })
    this.#register(this.#strategies)
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
    // One hash function holds, whether the application lists the plugin passwords or not, for all attributes of the
    // type.
    kernel.attributeTypes.replace('password', passwordType(this.#passwords.prepare))
    kernel.hooks.on('preModel', checkRounds)
    kernel.auth.use(strategies.jwt)
    kernel.auth.use(strategies.public, { order: 'post' })
    registerUserHooks(kernel, id => strategies.forget(id))
    registerUniqueNames(kernel, { names: this.#users.names, isEmailUnique })
    kernel.hooks.on('onModel', () => checkAllowedFields(kernel, this.#config.register.allowedFields))
    kernel.hooks.on('onMount', app => this.#mount(app))
  }

  /** Reads the settings of the database, and checks the providers of logins. Throws StartError. */
  async start(): Promise<void> {
    const [kernel, config, email] = [this.#kernel, this.#config, this.#email]
    this.#started = await startAccounts({ kernel, config, email })
  }

  /** Waits for what was begun, and ends the thread and the connections. */
  async close(): Promise<void> {
    await this.#outbox.idle()
    const mounted = this.#mounted
    await Promise.all([
      this.#passwords.close(),
      this.#ownMails?.close(),
      mounted?.limits?.close(),
      mounted?.tools.providers?.close(),
    ])
  }

  /** Waits for mails and other work that follows answers. */
  idle(): Promise<void> {
    return this.#outbox.idle()
  }

  /** The accounts as the routes use them. Throws before there is a server. */
  get mounted(): MountedAccounts {
    if (this.#mounted === null) throw new Error('The routes of accounts are not mounted yet')
    return this.#mounted
  }

  /** The addresses to which logins may lead, by the names of the enabled providers. Empty before the start. */
  get loginTargets(): ReadonlyMap<string, readonly string[]> {
    const providers = this.#started?.providers ?? new Map<string, Provider>()
    return new Map([...providers].map(([name, { callbacks }]) => [name, callbacks]))
  }

  async #mount(app: PluginHost): Promise<void> {
    const kernel = this.#kernel
    const secret = await findSecret(kernel, this.#config.jwtSecret)
    // Scripts have no routes, and may have no server installed.
    const [{ mountAccounts }, { apiPrefix }] = await Promise.all([
      import('./mount.ts'),
      import('@plinth/server/transport'),
    ])
    // A tool that lists the routes mounts them without a start.
    if (this.#started === null) await this.start()
    this.#mounted = await mountAccounts(app, {
      ...this.#started!,
      kernel,
      config: this.#config,
      users: this.#users,
      accessOf: id => this.#strategies.accessOf(id),
      passwords: this.#passwords,
      tokens: this.#tokens,
      outbox: this.#outbox,
      prefix: apiPrefix(kernel),
      secret,
    })
  }
}

/** Throws RegistrationError if a registration could not set an attribute, or must not. */
function checkAllowedFields(kernel: Kernel, names: readonly string[]): void {
  const { attributes } = kernel.contentTypes.require(userUid)
  const closed: readonly string[] = [...secretAttributes, ...powerAttributes, 'id', 'createdAt', 'updatedAt']
  for (const name of names) {
    const place = 'config/plugins: users-permissions.config.register.allowedFields'
    if (closed.includes(name))
      throw new RegistrationError('PLINTH_DEFINITION_INVALID', `${place}: a registration cannot set "${name}"`)
    if (!attributes.has(name))
      throw new RegistrationError(
        'PLINTH_DEFINITION_INVALID',
        `${place}: users have no attribute "${name}"${suggestion(name, attributes.keys())}`,
      )
  }
}
