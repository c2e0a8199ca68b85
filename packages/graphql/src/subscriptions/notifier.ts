// Notifies subscribers of changes, one change after the other. Each change runs the query of each subscriber, but equal
// queries with equal rights only once, and rights are judged at each change again. It knows neither sockets nor Redis.

import { type Access, type Context, type Kernel, PlinthError } from '@plinth/kernel'
import type { Change } from '../execution/change.ts'
import type { Executor } from '../execution/executor.ts'
import type { ChangeAnswer, ChangeRequest } from '../execution/subscribed.ts'
import { type AnsweredError, ofKernel, plainRefusal } from '../transport/errors.ts'
import type { Subscription } from './subscription.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Queries of one change, and callers who are judged, side by side; each may take a connection. */
const concurrency = 4

/** Milliseconds between two judgements of the credentials of all connections. Strategies may remember theirs for 3 s. */
const sweepInterval = 1500

const internal = [plainRefusal('Internal Server Error')]

export interface NotifierTools {
  readonly kernel: Kernel
  readonly executor: Pick<Executor, 'identityOfChange' | 'answerChange'>
  readonly subscriptions: Subscriptions
  /** Changes that may wait. */
  readonly maxEvents: number
}

/** Subscriptions with the same answer. */
interface Group {
  readonly request: ChangeRequest
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
        .catch(error => tools.kernel.log.error(error, 'GraphQL: callers could not be judged'))
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
    kernel.log.warn('GraphQL: all subscriptions end, because more changes wait than subscriptions.events allows')
    this.#waiting.length = 0
    const errors = [plainRefusal('Too many changes wait to be sent. Subscribe again.')]
    for (const one of subscriptions.values()) one.subscriber.fail(one.id, errors)
  }

  async #work(): Promise<void> {
    // What a commit hook calls returns before any query runs.
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
    const judged = new Judgement()
    const byCredentials = new Map<string, Group>()
    for (const one of this.#tools.subscriptions.concernedBy(change)) {
      const { caller } = one
      const access = await judged.accessOf(one)
      if (access === null || one.isOver) continue
      const key = `${one.key} ${caller.key}`
      const known = byCredentials.get(key)
      if (known !== undefined) known.members.push(one)
      else byCredentials.set(key, { request: requestOf(one, access, change), members: [one] })
    }
    return this.#merge(byCredentials)
  }

  /** Callers with other credentials share an answer, too, if it cannot differ. */
  #merge(byCredentials: ReadonlyMap<string, Group>): Group[] {
    const merged = new Map<string, Group>()
    for (const [own, group] of byCredentials) {
      const { request, members } = group
      try {
        const identity = this.#tools.executor.identityOfChange(request)
        const key = identity === null ? own : `${members[0]!.key} ${identity}`
        const known = merged.get(key)
        if (known === undefined) merged.set(key, group)
        else known.members.push(...members)
      } catch (error) {
        this.#end(members, error)
      }
    }
    return [...merged.values()]
  }

  async #answer({ request, members }: Group): Promise<void> {
    let answer: ChangeAnswer | null
    try {
      answer = await this.#tools.executor.answerChange(request)
    } catch (error) {
      this.#end(members, error)
      return
    }
    if (answer === null) return
    const { text, isFinal } = answer
    for (const { id, subscriber, isOver } of members) {
      if (isOver) continue
      if (isFinal) subscriber.fail(id, (JSON.parse(text) as { errors: AnsweredError[] }).errors)
      else subscriber.next(id, text)
    }
  }

  #end(members: readonly Subscription[], error: unknown): void {
    const errors = error instanceof PlinthError && error.status < 500 ? [ofKernel(error)] : internal
    if (errors === internal) this.#tools.kernel.log.error(error, 'GraphQL')
    for (const { id, subscriber, isOver } of members) if (!isOver) subscriber.fail(id, errors)
  }

  /** Ends the connections whose credentials are not valid any more, also if nothing changes. */
  async sweep(): Promise<void> {
    const judged = new Judgement()
    const bySubscriber = new Map(this.#tools.subscriptions.values().map(one => [one.subscriber, one]))
    await runAll([...bySubscriber.values()], async one => {
      if (this.#isClosed) return
      await judged.accessOf(one)
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

function requestOf(one: Subscription, access: Access, change: Change): ChangeRequest {
  const { caller } = one
  const context: Context = caller.contextFor(access)
  return { subscribed: one.subscribed, context, request: caller.request, change }
}

/** The rights of callers at one moment. Each credentials are judged once. */
class Judgement {
  readonly #known = new Map<string, Promise<Access | readonly AnsweredError[]>>()

  /** The rights of the caller; null if there are none any more, and then the connection has ended. */
  async accessOf({ subscriber, caller }: Subscription): Promise<Access | null> {
    const known = this.#known.get(caller.key)
    const judged = known ?? caller.judge().catch(errorsOf)
    if (known === undefined) this.#known.set(caller.key, judged)
    const access = await judged
    if ('can' in access) return access
    subscriber.refuse(access)
    return null
  }
}

/** Rights that cannot be judged are none. */
function errorsOf(error: unknown): readonly AnsweredError[] {
  return error instanceof PlinthError && error.status < 500 ? [ofKernel(error)] : internal
}
