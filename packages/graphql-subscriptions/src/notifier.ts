// Notifies subscribers of changes, one change after the other. Each change runs the query of each subscriber, but equal
// queries with equal rights only once, and rights are checked at each change again. It knows neither sockets nor Redis.

import type { AnsweredError, Change, ChangeAnswer, ChangeEndpoint } from '@plinth/graphql'
import { type Access, type Kernel, UnavailableError } from '@plinth/kernel'
import type { Caller } from './caller.ts'
import { internalErrors, plainError } from './errors.ts'
import { SharedText } from './outgoing.ts'
import type { Subscription } from './subscription.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Maximum number of queries of one change, and of callers whose rights are checked, side by side; each may take a connection. */
const concurrency = 4

/** Milliseconds between two checks of the credentials of all connections. Strategies may remember theirs for 3 s. */
const sweepInterval = 1500

export interface NotifierTools {
  readonly kernel: Kernel
  readonly endpoint: Pick<ChangeEndpoint, 'errorsOf'>
  readonly subscriptions: Subscriptions
  /** Maximum number of changes that wait. */
  readonly maxEvents: number
}

/** Subscriptions with the same answer, which is read for one of their callers. */
interface Group {
  readonly change: Change
  readonly caller: Caller
  readonly access: Access
  readonly members: Subscription[]
}

/** Notifies subscribers of changes. */
export class Notifier {
  readonly #tools: NotifierTools
  readonly #waiting: Change[] = []
  #running: Promise<void> | null = null
  #sweeping: Promise<void> | null = null
  readonly #timer: NodeJS.Timeout
  #isClosed = false

  constructor(tools: NotifierTools) {
    this.#tools = tools
    this.#timer = setInterval(() => {
      this.#sweeping ??= this.sweep()
        .catch(error => tools.kernel.log.error(error, 'GraphQL: the rights of subscribers could not be checked'))
        .finally(() => {
          this.#sweeping = null
        })
    }, sweepInterval)
    this.#timer.unref()
  }

  /** Takes a change, of which subscribers are notified in its turn. */
  notify(change: Change): void {
    const { subscriptions, maxEvents } = this.#tools
    if (this.#isClosed || !subscriptions.has(change.uid)) return
    if (this.#waiting.length >= maxEvents) {
      this.#giveUp()
      return
    }
    this.#waiting.push(change)
    this.#running ??= this.#work()
  }

  /** A subscriber that misses a change must know it. */
  #giveUp(): void {
    const { subscriptions, kernel } = this.#tools
    kernel.log.warn('GraphQL: all subscriptions end, because more changes wait than events allows')
    this.#waiting.length = 0
    const errors = [plainError('Too many changes wait to be sent. Subscribe again.')]
    for (const one of subscriptions.values()) one.subscriber.fail(one.id, errors)
  }

  async #work(): Promise<void> {
    // The commit hook that calls this must return before any query runs.
    await null
    for (let change = this.#waiting.shift(); change !== undefined; change = this.#waiting.shift()) {
      try {
        await this.#send(change)
      } catch (error) {
        this.#tools.kernel.log.error(error, 'GraphQL: subscribers were not notified of a change')
      }
    }
    this.#running = null
  }

  async #send(change: Change): Promise<void> {
    await runAll(await this.#groupsOf(change), group => this.#answer(group))
  }

  /** The groups of the subscriptions that a change concerns. Those without a right to it end. */
  async #groupsOf(change: Change): Promise<Group[]> {
    const rights = new CurrentRights(this.#tools.endpoint)
    const byCredentials = new Map<string, Group>()
    for (const one of this.#tools.subscriptions.concernedBy(change)) {
      const { caller } = one
      const access = await rights.accessOf(one)
      if (access === null || one.isOver) continue
      const key = `${one.key} ${caller.key}`
      const group = byCredentials.get(key)
      if (group !== undefined) group.members.push(one)
      else byCredentials.set(key, { change, caller, access, members: [one] })
    }
    return this.#merge(byCredentials)
  }

  /** Callers with other credentials share an answer, too, if it cannot differ. */
  #merge(byCredentials: ReadonlyMap<string, Group>): Group[] {
    const merged = new Map<string, Group>()
    for (const [own, group] of byCredentials) {
      const { change, caller, access, members } = group
      const [first] = members
      try {
        const identity = first!.changes.identityOf(change, caller.with(access))
        const key = identity === null ? own : `${first!.key} ${identity}`
        const equal = merged.get(key)
        if (equal === undefined) merged.set(key, group)
        else equal.members.push(...members)
      } catch (error) {
        this.#end(members, error)
      }
    }
    return [...merged.values()]
  }

  /** Reads the answer of a group, whose bytes count for its caller until it is sent, and sends it. */
  async #answer({ change, caller, access, members }: Group): Promise<void> {
    const share = caller.openShare(access)
    const isAbandoned = () => members.every(one => one.isOver)
    try {
      const answer = await members[0]!.changes.answer(change, caller.with(access, { share, isAbandoned }))
      if (answer !== null) this.#tell(members, answer)
    } catch (error) {
      this.#end(members, error)
    } finally {
      share.close()
    }
  }

  #tell(members: readonly Subscription[], { text, errors }: ChangeAnswer): void {
    const shared = new SharedText(errors === null ? text : '')
    for (const { id, subscriber, isOver } of members) {
      if (isOver) continue
      if (errors === null) subscriber.next(id, shared)
      else subscriber.fail(id, errors)
    }
  }

  #end(members: readonly Subscription[], error: unknown): void {
    const errors = this.#tools.endpoint.errorsOf(error) ?? internalErrors
    if (errors === internalErrors) this.#tools.kernel.log.error(error, 'GraphQL')
    for (const { id, subscriber, isOver } of members) if (!isOver) subscriber.fail(id, errors)
  }

  /** Ends the connections whose credentials are not valid any more, also if nothing changes. */
  async sweep(): Promise<void> {
    const rights = new CurrentRights(this.#tools.endpoint)
    const bySubscriber = new Map(this.#tools.subscriptions.values().map(one => [one.subscriber, one]))
    await runAll([...bySubscriber.values()], async one => {
      if (this.#isClosed) return
      await rights.accessOf(one)
    })
  }

  /** Takes no more changes, and waits for the notifications that are under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#waiting.length = 0
    await this.#running
    await this.#sweeping
  }
}

/** Runs `work` for each of the items, a few side by side. */
async function runAll<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const take = async () => {
    while (next < items.length) await work(items[next++]!)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, take))
}

/** The reason why a caller has no rights. */
interface RightsRefusal {
  readonly errors: readonly AnsweredError[]
  /** True if the rights could not be checked, and may be later. */
  readonly isTemporary: boolean
}

/** The rights of callers at one moment. Equal credentials are checked once. */
class CurrentRights {
  readonly #endpoint: Pick<ChangeEndpoint, 'errorsOf'>
  readonly #byCredentials = new Map<string, Promise<Access | RightsRefusal>>()

  constructor(endpoint: Pick<ChangeEndpoint, 'errorsOf'>) {
    this.#endpoint = endpoint
  }

  /** The rights of the caller; null if there are none any more, and then the connection has ended. */
  async accessOf({ subscriber, caller }: Subscription): Promise<Access | null> {
    let access = this.#byCredentials.get(caller.key)
    if (access === undefined) {
      // A caller whose rights cannot be checked has no rights.
      access = caller.access().catch(error => ({
        errors: this.#endpoint.errorsOf(error) ?? internalErrors,
        isTemporary: error instanceof UnavailableError,
      }))
      this.#byCredentials.set(caller.key, access)
    }
    const outcome = await access
    if ('can' in outcome) return outcome
    subscriber.refuse(outcome.errors, outcome.isTemporary)
    return null
  }
}
