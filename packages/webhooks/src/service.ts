// Puts the parts of the plugin together for one kernel, and starts and ends the couriers.

import { ForbiddenError, type Kernel, UnauthorizedError } from '@plinth/kernel'
import { Addresses, type Resolve } from './addresses.ts'
import { Callers, nameOf } from './callers.ts'
import { type Config, checkConfig } from './config.ts'
import { Courier } from './courier.ts'
import { checkTypes, concerns, type Hook, HookSet, hookOf } from './hooks.ts'
import { Outbox } from './outbox.ts'
import { Recorder } from './recorder.ts'
import { Sender } from './sender.ts'
import { allHooks } from './stored.ts'
import { Views } from './views.ts'

const day = 86_400_000

/** Milliseconds that requests under way have to end when the process closes. */
const patience = 2000

/** The webhooks of one kernel. */
export class Webhooks {
  readonly #kernel: Kernel
  readonly #config: Config
  readonly #configured: readonly Hook[]
  readonly #callers: Callers
  readonly #views: Views
  readonly #couriers = new Map<string, Courier>()
  #sweeping: NodeJS.Timeout | null = null
  #swept: Promise<void> = Promise.resolve()
  readonly hooks: HookSet
  readonly outbox: Outbox
  readonly sender: Sender

  /** Registers the hooks of writes. `resolve` finds the addresses of names. */
  constructor(kernel: Kernel, config: Config, resolve?: Resolve) {
    checkConfig(config)
    const timeout = config.timeout * 1000
    this.#kernel = kernel
    this.#config = config
    this.#configured = Object.entries(config.hooks).map(([name, one]) => hookOf(name, one))
    this.#callers = new Callers(kernel)
    this.#views = new Views(kernel, this.#callers)
    this.hooks = new HookSet(this.#configured)
    this.outbox = new Outbox(kernel, timeout)
    this.sender = new Sender(new Addresses(config.allowAddresses, resolve), timeout)
    new Recorder({
      kernel,
      hooks: this.hooks,
      views: this.#views,
      outbox: this.outbox,
      mayGrow: config.stored,
      onNoted: names => {
        for (const name of names) this.#couriers.get(name)?.wake()
      },
    })
    kernel.hooks.on('onModel', () => checkTypes(this.#configured, kernel.contentTypes))
  }

  /** Reads the webhooks that were taken over, and begins to deliver. */
  async start(): Promise<void> {
    await this.load()
    await this.#warn()
    const { concurrency, attempts, retryPause, pollEvery } = this.#config
    const settings = { concurrency, attempts, retryPause: retryPause * 1000, pollEvery: pollEvery * 1000 }
    const { log } = this.#kernel
    for (const hook of this.hooks.all) {
      if (!hook.isEnabled) continue
      const courier = new Courier({ hook, outbox: this.outbox, sender: this.sender, settings, log })
      this.#couriers.set(hook.name, courier)
      courier.start()
    }
    this.#sweep()
    this.#sweeping = setInterval(() => this.#sweep(), day / 24).unref()
  }

  /** Reads the webhooks that were taken over. */
  async load(): Promise<void> {
    this.hooks.replace(await allHooks(this.#kernel, this.#config, this.#configured))
  }

  async close(): Promise<void> {
    if (this.#sweeping !== null) clearInterval(this.#sweeping)
    const closed = Promise.all([this.#swept, ...[...this.#couriers.values()].map(one => one.close())])
    const timer = setTimeout(() => this.sender.close(), patience)
    await closed
    clearTimeout(timer)
    this.sender.close()
  }

  #sweep(): void {
    const { log } = this.#kernel
    const before = Date.now() - this.#config.keepDeadFor * day
    this.#swept = this.outbox
      .sweep(before)
      .catch(error => log.warn(`webhooks: old dead letters could not be deleted; that is tried again: ${error}`))
  }

  /**
   * Warns of webhooks that receive no events, or not all, because their callers do not exist or may not read. Throws
   * ValidationError for what cannot be populated.
   */
  async #warn(): Promise<void> {
    const { log, contentTypes, actions } = this.#kernel
    for (const hook of this.hooks.all) {
      if (hook.isEnabled && hook.as !== null && (await this.#callers.accessOf(hook.as)) === null) {
        log.warn(`webhooks: "${hook.name}" receives no events: ${nameOf(hook.as)} does not exist`)
        continue
      }
      const types = contentTypes.values().filter(type => type.kind !== 'component' && concerns(hook, type.uid))
      const closed: string[] = []
      for (const type of types) {
        try {
          await this.#views.readOrThrow(type, 0, hook)
        } catch (error) {
          if (!(error instanceof ForbiddenError || error instanceof UnauthorizedError)) throw error
          closed.push(actions.of(type.uid, type.kind === 'singleType' ? 'find' : 'findOne'))
        }
      }
      const lacks = `${nameOf(hook.as)} ${hook.as === null ? 'lack' : 'lacks'}`
      if (closed.length > 0)
        log.warn(`webhooks: "${hook.name}" does not receive all events: ${lacks} ${closed.join(', ')}`)
    }
  }
}
