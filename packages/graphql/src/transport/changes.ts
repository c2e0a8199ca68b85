// The service `changes`, by which a plugin lets clients subscribe to changes of entries. It reads the operations of such
// clients, says which changes concern them, and answers them. It knows neither connections nor where changes come from.

import { createHash } from 'node:crypto'
import {
  type AnswerLimits,
  type Context,
  type Kernel,
  PlinthError,
  parseId,
  UnavailableError,
  UsageError,
} from '@plinth/kernel'
import { bytesOfAnswer } from '@plinth/server/transport'
import type { FastifyInstance } from 'fastify'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { answerLimits } from '../answer/too-long.ts'
import type { Settings } from '../config.ts'
import { shareIn } from '../execution/budget.ts'
import type { Change } from '../execution/change.ts'
import type { Executor } from '../execution/executor.ts'
import { errorsOf } from '../execution/refused-operations.ts'
import type { ValidSubscription } from '../execution/subscribed.ts'
import { type AnsweredError, ofKernel, plainRefusal, refusal, withinRoom } from '../operation/errors.ts'
import type { OperationInput } from '../operation/operation-input.ts'
import { withoutSecretArguments } from '../operation/secret-literals.ts'
import { PlainRefusal, readOperation } from './input.ts'

/** A subscriber: a context with the rights at present, and the request, as resolvers of extensions receive it. */
export interface ChangeCaller {
  readonly context: Context
  readonly request: unknown
}

/** The answer to a subscriber about a change. */
export interface ChangeAnswer {
  /** The JSON text of the answer: `{ data }`, or `{ data, errors }`. */
  readonly text: string
  /** Errors that end the subscription; null if it goes on. */
  readonly errors: readonly AnsweredError[] | null
}

/** An operation that is valid, and whose caller may subscribe. */
export interface ChangeSubscription {
  /** The content type that it is about. */
  readonly uid: string
  /** The entry that it is about; undefined for all entries of the type, null for an id that no entry can have. */
  readonly entry: number | null | undefined
  /** Equal for subscriptions that ask the same. */
  readonly key: string
  /** Approximate number of bytes of memory that it holds, those of its variables included. */
  readonly size: number
  /** Approximate number of bytes of memory that its variables take. */
  readonly variableSize: number
  /**
   * Equal for callers whose answers about a change are the same text. Null if the answer may depend on more than the query.
   * Throws PlinthError if the caller may not ask any more.
   */
  identityOf(change: Change, caller: ChangeCaller): string | null
  /**
   * The answer about a change; null if the caller would not see the entry. Its bytes and those of its rows are counted in
   * the share of the context, if it has one. Throws errors of the server, and UnavailableError if there is no room for them.
   */
  answer(change: Change, caller: ChangeCaller): Promise<ChangeAnswer | null>
}

/** The endpoint, for the plugin that serves changes. */
export interface ChangeEndpoint {
  /** The scope of the server in which the endpoint is. */
  readonly scope: FastifyInstance
  /** Its path as it stands in URLs, without a slash at the end. */
  readonly path: string
  /** Maximum number of bytes of the text of an operation. */
  readonly maxText: number
  /** The limits of answers, for the contexts of callers. */
  readonly answerLimits: AnswerLimits
  /**
   * Begins a subscription. `operation` is what a client would send by HTTP: `{ query, variables, operationName }`. Throws
   * errors for `errorsOf`.
   */
  subscribe(operation: unknown, caller: ChangeCaller): Promise<ChangeSubscription>
  /** An error in the form in which clients receive it; null for errors of the server, which clients do not see. */
  errorsOf(error: unknown): readonly AnsweredError[] | null
}

/** Called with the endpoint when it is mounted. */
type ServeChanges = (endpoint: ChangeEndpoint) => void | Promise<void>

/** `kernel.services.find('graphql', 'changes')`. */
export class GraphqlChanges {
  #serve: ServeChanges | null = null
  #isFrozen = false

  /**
   * Adds subscriptions to the schema: `<singular>Changed` and `<plural>Changed` for each content type that can be queried.
   * One plugin may do so, in `register`; the function is called with the endpoint. Throws UsageError for a second one and
   * after the start.
   */
  serve(serve: ServeChanges): void {
    if (this.#isFrozen)
      throw new UsageError('PLINTH_GRAPHQL_LATE', 'graphql changes: serve comes too late; use it in register')
    if (this.#serve !== null)
      throw new UsageError('PLINTH_GRAPHQL_EXTENSION', 'graphql changes: another plugin serves them already')
    this.#serve = serve
  }

  /**
   * Ends registration. Null if nobody serves changes.
   * @internal
   */
  close(): ServeChanges | null {
    this.#isFrozen = true
    return this.#serve
  }
}

interface ChangeTools {
  readonly kernel: Kernel
  readonly schema: GraphQLSchema
  readonly executor: Executor
  readonly settings: Pick<Settings, 'endpoint' | 'limits'>
}

/** Makes the endpoint of changes. */
export function changeEndpoint(
  scope: FastifyInstance,
  { kernel, schema, executor, settings: { endpoint, limits } }: ChangeTools,
): ChangeEndpoint {
  return {
    scope,
    path: `${scope.prefix}${endpoint}`.replace(/(.)\/$/, '$1'),
    maxText: limits.text,
    answerLimits,
    async subscribe(operation, caller) {
      const input = readOperation(operation)
      return new Subscription(executor, input, await executor.subscribe({ input, ...caller }))
    },
    errorsOf(error) {
      if (error instanceof PlainRefusal) return [plainRefusal(error.message)]
      if (error instanceof UnavailableError) {
        kernel.readiness.countRefused(error)
        return [ofUnavailable(error)]
      }
      if (error instanceof PlinthError) return error.status < 500 ? [ofKernel(error)] : null
      if (error instanceof GraphQLError) return [refusal(withoutSecretArguments(error, schema), 'BAD_USER_INPUT')]
      const errors = errorsOf(error)
      return errors === null ? null : withinRoom(errors)
    },
  }
}

/** An error of a server that is busy. Over a WebSocket there is neither a status nor a `Retry-After`. */
function ofUnavailable(error: UnavailableError): AnsweredError {
  const { status, retryAfter } = error
  const { message, extensions } = ofKernel(error)
  return { message, extensions: { ...extensions, status, retryAfter } }
}

class Subscription implements ChangeSubscription {
  readonly uid: string
  readonly entry: number | null | undefined
  readonly key: string
  readonly size: number
  readonly variableSize: number
  readonly #executor: Executor
  readonly #subscribed: ValidSubscription

  constructor(executor: Executor, { query, operationName, variables }: OperationInput, subscribed: ValidSubscription) {
    const sent = JSON.stringify([operationName, variables, query])
    const { root, ready } = subscribed
    this.uid = root.meaning.type.uid
    // Read now, so that arguments that do not fit refuse the subscription, and not its first event.
    const args = root.args.values(ready.variables)
    this.entry = root.meaning.operation === 'changedOne' ? parseId(args.id) : undefined
    this.key = createHash('sha256').update(sent).digest('base64')
    // A syntax tree has some 40 bytes per character, and its selection and the writers of its answers have as many.
    this.variableSize = 12 * (sent.length - query.length)
    this.size = 2000 + 80 * query.length + this.variableSize
    this.#executor = executor
    this.#subscribed = subscribed
  }

  identityOf(change: Change, caller: ChangeCaller): string | null {
    return this.#executor.identityOfChange({ subscribed: this.#subscribed, change, ...caller })
  }

  async answer(change: Change, caller: ChangeCaller): Promise<ChangeAnswer | null> {
    const answer = await this.#executor.answerChange({ subscribed: this.#subscribed, change, ...caller })
    if (answer === null) return null
    const { text, isFinal } = answer
    const share = shareIn(caller.context)
    if (share !== null && !share.answer(bytesOfAnswer(text))) await share.room('answers', 0)
    return { text, errors: isFinal ? (JSON.parse(text) as { readonly errors: AnsweredError[] }).errors : null }
  }
}
