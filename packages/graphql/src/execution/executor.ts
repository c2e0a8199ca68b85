// READ FIRST: the way of an operation, on one page.
//
//   text ──parse, measure, validate──▶ Operation ──select──▶ selection       once per text, kept
//   selection + variables ──▶ questions ──▶ rows                              every time, prepared queries are kept
//   rows ──own fields of entries are called──▶ ──write──▶ text                the usual way: nothing is executed
//        ──▶ objects ──mercurius──▶ result ──▶ text                           the executed way: errors, other code
//
// The plans decide, before rows are read, whether an answer can be written; only a value may still need execution.
// Execution then receives the values of own fields that were called, so that no resolver is called twice.
//
// Knows no HTTP: requests of a server and `app.graphql` in code both come here.

import { UnavailableError } from '@plinth/kernel'
import { NeedsExecution } from '../answer/needs-execution.ts'
import { answerLimits, lengthOf, TooLong } from '../answer/too-long.ts'
import type { OperationLimits } from '../config.ts'
import type { Variables } from '../operation/arguments.ts'
import type { Documents } from '../operation/documents.ts'
import { type AnsweredError, maxErrorBytes, ofKernel, plainRefusal, withinRoom } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import type { OperationInput } from '../operation/operation-input.ts'
import type { PersistedQueries } from '../operation/persisted.ts'
import { RefusedDocument } from '../operation/refused-document.ts'
import type { RootSelection } from '../operation/selection.ts'
import { checkFields, checkRoom, checkRows, claimVariables, shareIn } from './budget.ts'
import { contextOf, type GraphqlContext } from './context.ts'
import type { PreparedOperations, ReadyOperation } from './prepared.ts'
import { checkKind, type OperationAnswer, refusalOf, tooLong } from './refused-operations.ts'
import type { OperationRequest } from './request.ts'
import type { RunTools } from './root-questions.ts'
import { Run } from './run.ts'
import type { ChangeAnswer, ChangeRequest, ValidSubscription } from './subscribed.ts'
import { writeAnswer } from './write-answer.ts'

/** Executes an operation by its syntax tree, with resolvers. */
export type Execute = (
  operation: Operation,
  context: GraphqlContext,
  variables: Variables,
) => Promise<{ readonly data?: unknown; readonly errors?: readonly AnsweredError[] }>

/** The parts of which executors are made. */
export interface ExecutorTools extends RunTools {
  readonly documents: Documents
  readonly prepared: PreparedOperations
  readonly persisted: PersistedQueries
  readonly limits: OperationLimits
  readonly execute: Execute
  /** Returns whether mercurius has hooks, which see every operation, or another schema. */
  readonly hasHooks: () => boolean
}

/** Fields of the root that are asked side by side; each may take a connection. */
const concurrency = 4

/** An operation that is valid and has cost nothing yet. */
interface StartedOperation {
  readonly input: OperationInput
  readonly request: Omit<OperationRequest, 'input'>
  readonly ready: ReadyOperation
  readonly run: Run
}

/** Answers operations. */
export class Executor {
  readonly #tools: ExecutorTools

  constructor(tools: ExecutorTools) {
    this.#tools = tools
  }

  /** Answers an operation; `keep` receives it if it can be answered again. Throws only errors of the server. */
  async answer(request: OperationRequest, keep?: (ready: ReadyOperation) => void): Promise<OperationAnswer> {
    const { persisted } = this.#tools
    try {
      const { ready, run, input } = await this.#start(request)
      const answer = await this.#finish(ready, run, request)
      if (persisted.concerns(input)) await persisted.keep(input)
      else keep?.(ready)
      return answer
    } catch (error) {
      return refusalOf(error)
    }
  }

  /** Answers an operation that came before with the same rights and the same body. */
  answerReady(ready: ReadyOperation, request: Omit<OperationRequest, 'input'>): Promise<OperationAnswer> {
    return this.#finish(ready, new Run(this.#tools, ready, request), request)
  }

  /**
   * Answers the operations of a batch one after the other. They share their queries and one budget of fields, rows and
   * bytes (security.md row 72). Fields are checked before the first one runs. If the rows exceed the limit, the batch is
   * refused as a whole, unless a mutation has run: then only the operations that exceed it are.
   */
  async answerBatch(
    inputs: readonly OperationInput[],
    batch: Omit<OperationRequest, 'input'>,
  ): Promise<OperationAnswer> {
    const { kernel, limits, persisted } = this.#tools
    const rowCount = kernel.reader.startRowCount()
    const errorRoom = Math.floor(maxErrorBytes / inputs.length)
    const request = { ...batch, rowCount, errorRoom, claimVariables: undefined }
    const all: (StartedOperation | OperationAnswer)[] = []
    try {
      claimVariables(inputs, limits, batch)
      for (const input of inputs)
        all.push(await this.#start({ ...request, input }).catch(error => refusalOf(error, errorRoom)))
      const started = all.filter(one => 'run' in one)
      checkFields(
        started.map(one => one.ready.operation.size),
        limits,
      )
    } catch (error) {
      return refusalOf(error)
    }
    const texts: string[] = []
    let left = answerLimits.maxBytes
    let hasChanged = false
    for (const one of all) {
      const answer = 'run' in one ? await this.#finishOf(one, left, hasChanged) : one
      const { text } = answer
      if ('run' in one) {
        await persisted.keep(one.input)
        hasChanged ||= one.ready.operation.kind === 'mutation'
        if (rowCount.refusal !== null && !hasChanged) return answer
        // Reads from before a mutation are out of date.
        if (one.ready.operation.kind === 'mutation') request.reads?.clear()
      }
      texts.push(text)
      left = Math.max(0, left - text.length)
    }
    return { status: 200, text: `[${texts.join(',')}]`, hasChanged }
  }

  /** An operation of a batch. What an earlier one has changed is answered, even if the server has no room for the others. */
  async #finishOf(
    { ready, run, request }: StartedOperation,
    left: number,
    hasChanged: boolean,
  ): Promise<OperationAnswer> {
    try {
      return await this.#finish(ready, run, request, left)
    } catch (error) {
      if (!hasChanged || !(error instanceof UnavailableError)) throw error
      return { status: 200, text: JSON.stringify({ errors: [ofKernel(error)], data: null }) }
    }
  }

  /**
   * Begins a subscription. Throws RefusedDocument and VariableErrors for an operation that is refused, and PlinthError if
   * the caller may not subscribe.
   */
  async subscribe(request: Omit<OperationRequest, 'only' | 'reads'>): Promise<ValidSubscription> {
    const { ready, run } = await this.#start({ ...request, reads: null, only: 'subscriptions' })
    const [root] = ready.selection.roots
    if (root?.kind !== 'generated')
      throw new RefusedDocument([plainRefusal('Only the generated subscriptions can be subscribed to.')])
    // `auth`, policies and middlewares of the application are asked at each event.
    run.checkSubscription(root)
    return { ready, root }
  }

  /**
   * Equal for callers whose answers to one subscription are the same text. Null if the answer may depend on more than the
   * query. Throws PlinthError if the caller may not ask any more.
   */
  identityOfChange(request: ChangeRequest): string | null {
    const { ready, root } = request.subscribed
    const isShared = ready.selection.isGenerated && !this.#tools.hasHooks()
    const run = this.#runOf(request)
    return isShared && !run.hasLifecycles(root) ? run.identityOfChange(root) : null
  }

  /**
   * Returns the answer to a subscriber about a change; null if the caller is not notified. Throws errors of the server.
   */
  async answerChange(request: ChangeRequest): Promise<ChangeAnswer | null> {
    const run = this.#runOf(request)
    const { text } = await this.#finish(request.subscribed.ready, run, { ...request, reads: null })
    return run.isHidden ? null : { text, isFinal: run.hasFailed }
  }

  #runOf({ subscribed, context, change }: ChangeRequest): Run {
    return new Run(this.#tools, { ...subscribed.ready, reads: new Map() }, { context, reads: null, change })
  }

  async #start(request: OperationRequest): Promise<StartedOperation> {
    const { persisted, limits } = this.#tools
    claimVariables([request.input], limits, request)
    const input = persisted.concerns(request.input) ? await persisted.find(request.input) : request.input
    const ready = this.#read(input, request.only)
    const run = new Run(this.#tools, ready, request)
    return { input, request, ready, run }
  }

  #read(input: OperationInput, only: OperationRequest['only']): ReadyOperation {
    if (input.query === '')
      throw new RefusedDocument([
        plainRefusal('GraphQL operations must contain a non-empty `query` or a `persistedQuery` extension.'),
      ])
    const operation = this.#tools.documents.find(input.query, input.operationName)
    checkKind(operation, only)
    const variables = operation.coerce(input.variables)
    const selection = operation.select(variables)
    return { operation, variables, sentVariables: input.variables, selection, reads: new Map() }
  }

  /** Runs an operation. Its answer may have `maxBytes` if the context limits it and it has changed nothing. */
  async #finish(
    ready: ReadyOperation,
    run: Run,
    request: Omit<OperationRequest, 'input'>,
    maxBytes: number = answerLimits.maxBytes,
  ): Promise<OperationAnswer> {
    try {
      return await this.#run(ready, run, request, maxBytes)
    } catch (error) {
      run.hasFailed = true
      return refusalOf(error, request.errorRoom)
    }
  }

  async #run(
    ready: ReadyOperation,
    run: Run,
    request: Omit<OperationRequest, 'input'>,
    maxBytes: number,
  ): Promise<OperationAnswer> {
    const { operation, sentVariables } = ready
    const { limits } = run.context
    let cachedContext: GraphqlContext | null = null
    const context = () => (cachedContext ??= contextOf(run, request))
    const isLimited = limits !== undefined && operation.kind !== 'mutation'
    const most = isLimited ? maxBytes : Number.POSITIVE_INFINITY
    try {
      const text = await this.#write(ready, run, context)
      if (text !== null && text.length > most) throw new TooLong(text.length)
      if (text !== null) {
        operation.release()
        return { status: 200, text, hasChanged: operation.kind === 'mutation' }
      }
    } catch (error) {
      if (!(error instanceof TooLong)) throw error
      if (isLimited) return tooLong(error.length, { ...limits, maxBytes })
    }
    const { data, errors } = await this.#tools.execute(operation, context(), sentVariables)
    checkRows(run.rowCount, operation)
    checkRoom(run, operation)
    run.hasFailed = errors !== undefined && isEmpty(data)
    // In v4's order.
    const answer = errors === undefined ? { data } : { errors: withinRoom(errors, request.errorRoom), data }
    const length = isLimited ? lengthOf(answer, most) : 0
    if (length > most) return tooLong(length, { ...limits!, maxBytes })
    const share = isLimited ? shareIn(run.context) : null
    if (share !== null && !share.add('answers', length)) await share.room('answers', 0)
    return { status: 200, text: JSON.stringify(answer), hasChanged: operation.kind === 'mutation' }
  }

  /** The answer without execution; null if it has errors, or needs code for more than checks and own fields of entries. */
  async #write(
    { selection, operation }: ReadyOperation,
    run: Run,
    context: () => GraphqlContext,
  ): Promise<string | null> {
    if (!selection.isWritable || this.#tools.hasHooks()) return null
    const { generated, isGenerated } = selection
    const isMutation = operation.kind === 'mutation'
    // Code of a mutation is called before the next mutation runs.
    if (!isGenerated && isMutation && generated.length > 1) return null
    if (generated.some(one => run.hasLifecycles(one))) return null
    const isWritable = generated.every(one => run.isWritable(one))
    if (!isGenerated && !isWritable) return null
    await runAll(generated, isMutation ? 1 : concurrency, root => run.outcomeOf(root, context))
    checkRows(run.rowCount, operation)
    checkRoom(run, operation)
    if (!isWritable || !generated.every(one => run.hasRows(one))) return null
    const own = isGenerated ? null : await run.callOwnFields(context())
    if (!isGenerated && own === null) return null
    const share = isMutation ? null : shareIn(run.context)
    try {
      return await writeAnswer({ selection, run, own, share })
    } catch (error) {
      if (error instanceof NeedsExecution) return null
      throw error
    }
  }
}

async function runAll(
  roots: readonly RootSelection[],
  width: number,
  run: (root: RootSelection) => Promise<unknown>,
): Promise<void> {
  if (roots.length === 1) {
    await run(roots[0]!)
    return
  }
  let next = 0
  const work = async () => {
    while (next < roots.length) await run(roots[next++]!)
  }
  await Promise.all(Array.from({ length: Math.min(width, roots.length) }, work))
}

/** Returns true if no field of the root has a value. */
function isEmpty(data: unknown): boolean {
  return data === null || data === undefined || Object.values(data).every(one => one === null)
}
