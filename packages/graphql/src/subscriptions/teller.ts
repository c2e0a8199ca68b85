// Tells subscribers of changes, one change after the other. Each change asks the question of each subscriber, but equal
// questions with equal rights only once, and rights are judged at each change again. It knows neither sockets nor Redis.

import { type Access, type Context, type Kernel, PlinthError } from '@plinth/kernel'
import type { Change } from '../execution/change.ts'
import type { ChangeAnswer, ChangeRequest, Executor } from '../execution/executor.ts'
import { type AnsweredError, ofKernel, plainRefusal } from '../transport/errors.ts'
import type { Subscription } from './subscription.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Questions of one change that are asked side by side; each may take a connection. */
const concurrency = 4

/** Milliseconds between two judgements of the credentials of all connections. */
const sweepInterval = 4000

const internal = [plainRefusal('Internal Server Error')]

export interface TellerTools {
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

/** Tells subscribers of changes. */
export class Teller {
  readonly #tools: TellerTools
  readonly #waiting: Change[] = []
  #running: Promise<void> | null = null
  #sweeping: Promise<void> | null = null
  readonly #timer: NodeJS.Timeout
  #isClosed = false

  constructor(tools: TellerTools) {
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

  /** Takes a change, to tell it in its turn. */
  tell(change: Change): void {
    const { subscriptions, maxEvents } = this.#tools
    if (this.#isClosed || !subscriptions.has(change.uid)) return
    if (this.#waiting.length >= maxEvents) {
      this.#giveUp()
      return
    }
    this.#waiting.push(change)
    this.#running ??= this.#work()
  }

  /** Whoever is not told of all changes must know it. */
  #giveUp(): void {
    const { subscriptions, kernel } = this.#tools
    kernel.log.warn('GraphQL: all subscriptions end, because more changes wait than subscriptions.events allows')
    this.#waiting.length = 0
    const errors = [plainRefusal('Too many changes wait to be told. Subscribe again.')]
    for (const one of subscriptions.values()) one.subscriber.fail(one.id, errors)
  }

  async #work(): Promise<void> {
    // What a commit hook calls returns before any question is asked.
    await null
    for (let change = this.#waiting.shift(); change !== undefined; change = this.#waiting.shift()) {
      try {
        await this.#tellOne(change)
      } catch (error) {
        this.#tools.kernel.log.error(error, 'GraphQL: subscribers were not told of a change')
      }
    }
    this.#running = null
  }

  async #tellOne(change: Change): Promise<void> {
    const groups = await this.#groupsOf(change)
    let next = 0
    const work = async () => {
      while (next < groups.length) await this.#answer(groups[next++]!)
    }
    await Promise.all(Array.from({ length: Math.min(concurrency, groups.length) }, work))
  }

  /** The groups of the subscriptions that a change concerns. Those without a right to it end. */
  async #groupsOf(change: Change): Promise<Group[]> {
    const judged = new Judgement()
    const byCredentials = new Map<string, Group>()
    for (const one of this.#tools.subscriptions.concernedBy(change)) {
      const { caller } = one.subscriber
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
    const seen = new Set<object>()
    for (const one of this.#tools.subscriptions.values()) {
      if (seen.has(one.subscriber) || one.isOver) continue
      seen.add(one.subscriber)
      await judged.accessOf(one)
    }
  }

  /** Stops telling, and waits for what is being told. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#waiting.length = 0
    await this.#running
    await this.#sweeping
  }
}

function requestOf(one: Subscription, access: Access, change: Change): ChangeRequest {
  const { caller } = one.subscriber
  const context: Context = caller.contextFor(access)
  return { subscribed: one.subscribed, context, request: caller.request, change }
}

/** The rights of callers at one moment. Each credentials are judged once. */
class Judgement {
  readonly #known = new Map<string, Promise<Access | readonly AnsweredError[]>>()

  /** The rights of the caller; null if there are none any more, and then the connection has ended. */
  async accessOf({ subscriber }: Subscription): Promise<Access | null> {
    const { caller } = subscriber
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
