// One connection that speaks graphql-transport-ws, the protocol of graphql-ws: authenticates its caller, begins and ends
// its subscriptions, and sends answers. It does not know changes.

import type { Duplex } from 'node:stream'
import type { AnsweredError, ChangeEndpoint } from '@plinth/graphql'
import { type Kernel, PlinthError, UnavailableError } from '@plinth/kernel'
import { budgetOf, callerOf, parseJsonText, type Share } from '@plinth/server/transport'
import type { RawData, WebSocket } from 'ws'
import { Caller, readCredentials, type SocketRequest } from './caller.ts'
import type { Settings } from './config.ts'
import { internalErrors, plainError, Refusal } from './errors.ts'
import type { Outgoing, SendQueue, SharedText } from './outgoing.ts'
import { type Subscriber, Subscription } from './subscription.ts'
import type { Subscriptions } from './subscriptions.ts'

/** The name of the protocol, as clients ask for it. */
export const protocol = 'graphql-transport-ws'

/** Maximum number of messages of one client that wait for their turn. */
const maxMessages = 200
/** Maximum number of characters of the id of a subscription. */
const maxIdLength = 256

export interface ConnectionTools {
  readonly kernel: Kernel
  readonly endpoint: Pick<ChangeEndpoint, 'subscribe' | 'errorsOf' | 'answerLimits'>
  readonly subscriptions: Subscriptions
  readonly settings: Settings
  readonly outgoing: Outgoing
}

/** A message of a client. */
interface Message {
  readonly type: string
  readonly id?: unknown
  readonly payload?: unknown
}

/** One connection. */
export class Connection implements Subscriber {
  readonly #socket: WebSocket
  readonly #tools: ConnectionTools
  readonly #upgrade: SocketRequest
  readonly #own = new Map<string, Subscription>()
  readonly #queue: SendQueue
  /** Counts the messages that wait for their turn. */
  readonly #messages: Share
  /** Counts the variables of the subscriptions. */
  readonly #variables: Share
  #caller: Caller | null = null
  #isInitialised = false
  #timer: NodeJS.Timeout
  #waiting = 0
  #turn: Promise<void> = Promise.resolve()

  /** `stream` is the one that carries the WebSocket. */
  constructor(socket: WebSocket, stream: Duplex, upgrade: SocketRequest, tools: ConnectionTools) {
    this.#socket = socket
    this.#queue = tools.outgoing.open(stream, () => this.#terminate())
    this.#upgrade = upgrade
    this.#tools = tools
    const budget = budgetOf(tools.kernel)
    this.#messages = budget.open(upgrade.ip)
    this.#variables = budget.open(upgrade.ip)
    const { initTimeout } = tools.settings
    this.#timer = setTimeout(() => this.close(4408, 'Connection initialisation timeout'), initTimeout * 1000)
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('close', () => this.#end())
    // The connection closes after an error, such as a message that is too long.
    socket.on('error', () => this.#end())
  }

  next(id: string, answer: SharedText): void {
    if (this.#isOpen) this.#queue.send(`{"id":${JSON.stringify(id)},"type":"next","payload":`, answer, '}')
  }

  fail(id: string, errors: readonly AnsweredError[]): void {
    this.#forget(id)
    this.#send(JSON.stringify({ id, type: 'error', payload: errors }))
  }

  refuse(errors: readonly AnsweredError[], isTemporary: boolean): void {
    for (const id of [...this.#own.keys()]) this.fail(id, errors)
    if (isTemporary) this.#postpone()
    else this.close(4403, 'Forbidden')
  }

  /** Closes the connection with a code after which clients try again (RFC 6455, section 7.4.2, as registered). */
  #postpone(): void {
    this.close(1013, 'Try again later')
  }

  /** Closes the connection. It ends its subscriptions at once. */
  close(code: number, reason: string): void {
    this.#end()
    this.#socket.close(code, cutReason(reason))
  }

  #end(): void {
    clearTimeout(this.#timer)
    for (const one of this.#own.values()) this.#tools.subscriptions.remove(one)
    this.#own.clear()
    this.#messages.close()
    this.#variables.close()
  }

  #forget(id: string): void {
    const subscription = this.#own.get(id)
    if (subscription === undefined) return
    this.#own.delete(id)
    this.#tools.subscriptions.remove(subscription)
    if (this.#own.size === 0) this.#waitIdle()
  }

  /** A connection without subscriptions is closed in time. */
  #waitIdle(): void {
    clearTimeout(this.#timer)
    if (!this.#isOpen) return
    const { idleTimeout } = this.#tools.settings
    this.#timer = setTimeout(() => this.close(1000, 'Idle'), idleTimeout * 1000)
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  #send(text: string): void {
    if (this.#isOpen) this.#queue.send(text)
  }

  /** Ends the connection of a client that reads too slowly. It would not read a reason either. */
  #terminate(): void {
    this.#end()
    this.#socket.terminate()
  }

  /** Messages are handled one after the other. */
  #receive(data: RawData, isBinary: boolean): void {
    if (!this.#isOpen) return
    if (++this.#waiting > maxMessages) {
      this.close(1008, 'Too many messages')
      return
    }
    const text = textOf(data, isBinary)
    const bytes = text?.length ?? 0
    if (!this.#messages.add('bodies', bytes)) {
      this.#messages.refuse('bodies')
      this.#postpone()
      return
    }
    this.#turn = this.#turn.then(async () => {
      try {
        if (this.#isOpen) await this.#handle(readMessage(text))
      } catch (error) {
        this.#closeFor(error)
      }
      this.#messages.remove('bodies', bytes)
      this.#waiting--
    })
  }

  #closeFor(error: unknown): void {
    const { kernel } = this.#tools
    if (error instanceof BadMessage) this.close(error.code, error.message)
    else if (error instanceof UnavailableError) {
      kernel.readiness.countRefused(error)
      this.#postpone()
    } else {
      kernel.log.error(error, 'GraphQL: a message of a WebSocket')
      this.close(1011, 'Internal Server Error')
    }
  }

  async #handle({ type, id, payload }: Message): Promise<void> {
    switch (type) {
      case 'connection_init':
        return this.#initialise(payload)
      case 'ping':
        return this.#send('{"type":"pong"}')
      case 'pong':
        return
      case 'subscribe':
        return this.#subscribe(operationIdOf(id), payload)
      case 'complete':
        return this.#forget(operationIdOf(id))
      default:
        throw new BadMessage(4400, `Unknown message type ${JSON.stringify(type)}`)
    }
  }

  async #initialise(payload: unknown): Promise<void> {
    if (this.#isInitialised) throw new BadMessage(4429, 'Too many initialisation requests')
    this.#isInitialised = true
    try {
      const { kernel, endpoint } = this.#tools
      const tools = { kernel, limits: endpoint.answerLimits }
      const caller = new Caller(tools, readCredentials(payload, this.#upgrade.headers), this.#upgrade)
      const name = callerOf(await caller.access(), this.#upgrade.ip)
      this.#messages.moveTo(name)
      this.#variables.moveTo(name)
      this.#caller = caller
    } catch (error) {
      if (error instanceof PlinthError && error.status < 500) throw new BadMessage(4403, 'Forbidden')
      throw error
    }
    this.#waitIdle()
    this.#send('{"type":"connection_ack"}')
  }

  async #subscribe(id: string, payload: unknown): Promise<void> {
    if (this.#caller === null) throw new BadMessage(4401, 'Unauthorized')
    if (this.#own.has(id)) throw new BadMessage(4409, `Subscriber for ${id} already exists`)
    try {
      await this.#begin(id, this.#caller, payload)
    } catch (error) {
      this.#send(JSON.stringify({ id, type: 'error', payload: this.#errorsOf(error) }))
    }
  }

  async #begin(id: string, caller: Caller, operation: unknown): Promise<void> {
    const { endpoint, subscriptions, settings } = this.#tools
    const { perSocket } = settings
    if (this.#own.size >= perSocket)
      throw new Refusal(`The connection has ${perSocket} subscriptions, and no more are allowed`)
    const changes = await endpoint.subscribe(operation, caller.with(await caller.access()))
    if (!this.#isOpen) return
    const subscription = new Subscription(id, this, { caller, changes, share: this.#variables })
    subscriptions.add(subscription)
    this.#own.set(id, subscription)
    clearTimeout(this.#timer)
  }

  #errorsOf(error: unknown): readonly AnsweredError[] {
    if (error instanceof Refusal) return [plainError(error.message)]
    const errors = this.#tools.endpoint.errorsOf(error)
    if (errors !== null) return errors
    this.#tools.kernel.log.error(error, 'GraphQL: a subscription could not begin')
    return internalErrors
  }
}

/** A message that the protocol does not allow; the connection closes with the code. */
class BadMessage extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** The part of a reason that a close frame has room for (RFC 6455, section 5.5), in whole characters. */
function cutReason(reason: string): string {
  return reason.slice(0, new TextEncoder().encodeInto(reason, new Uint8Array(123)).read)
}

/** The bytes of a message that is text; null for another. */
function textOf(data: RawData, isBinary: boolean): Buffer | null {
  // The parts of a message are joined, unless `ws` is told otherwise.
  return isBinary ? null : (data as Buffer)
}

function readMessage(text: Buffer | null): Message {
  if (text === null) throw new BadMessage(4400, 'Messages must be text')
  let message: unknown
  try {
    message = parseJsonText(String(text))
  } catch {
    throw new BadMessage(4400, 'Messages must be JSON')
  }
  if (typeof message !== 'object' || message === null || typeof (message as Message).type !== 'string')
    throw new BadMessage(4400, 'Messages must be objects with a type')
  return message as Message
}

function operationIdOf(id: unknown): string {
  if (typeof id === 'string' && id !== '' && id.length <= maxIdLength) return id
  throw new BadMessage(4400, `An id must be a text of 1 to ${maxIdLength} characters`)
}
