// READ FIRST: the way of an operation, on one page.
//
//   text ──parse, measure, validate──▶ Operation ──select──▶ selection       once per text, kept
//   selection + variables ──▶ questions ──▶ rows                              every time, prepared queries are kept
//   rows ──write──▶ text                                                      the compiled way: nothing is executed
//        ──▶ objects ──mercurius──▶ result ──▶ text                           the executed way: errors, code of extensions
//
// Knows no HTTP: requests of a server and `app.graphql` in code both come here.

import type { Context, RowCount } from '@plinth/kernel'
import { Inexpressible } from '../answer/inexpressible.ts'
import { answerLimits, lengthOf, TooLong } from '../answer/too-long.ts'
import type { OperationLimits } from '../config.ts'
import type { Variables } from '../operation/arguments.ts'
import { type Documents, RefusedDocument } from '../operation/documents.ts'
import type { Operation } from '../operation/operation.ts'
import type { OperationSelection, RootSelection } from '../operation/selection.ts'
import { type AnsweredError, plainRefusal } from '../transport/errors.ts'
import type { OperationInput } from '../transport/input.ts'
import type { PersistedQueries } from '../transport/persisted.ts'
import { checkFields, checkRows } from './budget.ts'
import type { GraphqlContext } from './context.ts'
import type { PreparedOperations, ReadyOperation } from './prepared.ts'
import { type AllowedKind, checkKind, type OperationAnswer, refusalOf, tooLong } from './refused-operations.ts'
import { Run, type RunTools, type SharedReads } from './run.ts'
import type { ChangeAnswer, ChangeRequest, Subscribed } from './subscribed.ts'
import { writeAnswer } from './write-answer.ts'

/** Executes an operation by its syntax tree, with resolvers. */
export type Execute = (
  operation: Operation,
  context: GraphqlContext,
  variables: Variables,
) => Promise<{ readonly data?: unknown; readonly errors?: readonly AnsweredError[] }>

/** What executors are made of. */
export interface ExecutorTools extends RunTools {
  readonly documents: Documents
  readonly prepared: PreparedOperations
  readonly persisted: PersistedQueries
  readonly limits: OperationLimits
  readonly execute: Execute
  /** Whether hooks of mercurius run, which see every operation. */
  readonly hasHooks: () => boolean
}

/** An operation with its caller. */
export interface OperationRequest {
  readonly input: OperationInput
  readonly context: Context
  /** The request, for resolvers of extensions. */
  readonly request: unknown
  /** The queries of a batch, which its operations share; null for a single operation. */
  readonly reads: SharedReads | null
  /** The rows of a batch, which its operations share. */
  readonly rowCount?: RowCount
  /** Without it, all but subscriptions are allowed. */
  readonly only?: AllowedKind
}

/** Fields of the root that are asked side by side; each may take a connection. */
const concurrency = 4

/** An operation that is valid and has cost nothing yet. */
interface Started {
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
   * bytes (security.md row 72). Fields are judged before the first one runs. If the rows exceed the limit, the batch is
   * refused as a whole, unless a mutation has run: then only the operations that exceed it are.
   */
  async answerBatch(
    inputs: readonly OperationInput[],
    request: Omit<OperationRequest, 'input'>,
  ): Promise<OperationAnswer> {
    const { kernel, limits, persisted } = this.#tools
    const rowCount = kernel.reader.startRowCount()
    const all: (Started | OperationAnswer)[] = []
    for (const input of inputs) all.push(await this.#start({ ...request, rowCount, input }).catch(refusalOf))
    const started = all.filter(one => 'run' in one)
    try {
      const sizes = started.map(one => one.ready.operation.size)
      checkFields(sizes, limits)
    } catch (error) {
      return refusalOf(error)
    }
    const texts: string[] = []
    let left = answerLimits.maxBytes
    let hasChanged = false
    for (const one of all) {
      const answer = 'run' in one ? await this.#finish(one.ready, one.run, one.request, left) : one
      const { text } = answer
      if ('run' in one) {
        await persisted.keep(one.input)
        hasChanged ||= one.ready.operation.kind === 'mutation'
        if (rowCount.refusal !== null && !hasChanged) return answer
        // What was read before a mutation is out of date.
        if (one.ready.operation.kind === 'mutation') request.reads?.clear()
      }
      texts.push(text)
      left = Math.max(0, left - text.length)
    }
    return { status: 200, text: `[${texts.join(',')}]` }
  }

  /**
   * Begins a subscription. Throws RefusedDocument and VariableErrors for an operation that is refused, and PlinthError if
   * the caller may not subscribe.
   */
  async subscribe(request: Omit<OperationRequest, 'only' | 'reads'>): Promise<Subscribed> {
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

  /** What a subscriber receives about a change; null if nothing. Throws errors of the server. */
  async answerChange(request: ChangeRequest): Promise<ChangeAnswer | null> {
    const run = this.#runOf(request)
    const { text } = await this.#finish(request.subscribed.ready, run, { ...request, reads: null })
    return run.isHidden ? null : { text, isFinal: run.hasFailed }
  }

  #runOf({ subscribed, context, change }: ChangeRequest): Run {
    return new Run(this.#tools, { ...subscribed.ready, reads: new Map() }, { context, reads: null, change })
  }

  async #start(request: OperationRequest): Promise<Started> {
    const { persisted } = this.#tools
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
    return { operation, variables, given: input.variables, selection, reads: new Map() }
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
      return refusalOf(error)
    }
  }

  async #run(
    ready: ReadyOperation,
    run: Run,
    request: Omit<OperationRequest, 'input'>,
    maxBytes: number,
  ): Promise<OperationAnswer> {
    const { operation, selection, given } = ready
    const { limits } = run.context
    const isLimited = limits !== undefined && operation.kind !== 'mutation'
    const most = isLimited ? maxBytes : Number.POSITIVE_INFINITY
    try {
      const text = await this.#compile(selection, operation, run)
      if (text !== null && text.length > most) throw new TooLong(text.length)
      if (text !== null) {
        operation.release()
        return { status: 200, text }
      }
    } catch (error) {
      if (!(error instanceof TooLong)) throw error
      if (isLimited) return tooLong(error.length, { ...limits, maxBytes })
    }
    const { data, errors } = await this.#tools.execute(operation, contextOf(run, request, ready), given)
    checkRows(run.rowCount, operation)
    run.hasFailed = errors !== undefined && isEmpty(data)
    // In v4's order.
    const answer = errors === undefined ? { data } : { errors, data }
    const length = isLimited ? lengthOf(answer, most) : 0
    return length > most ? tooLong(length, { ...limits!, maxBytes }) : { status: 200, text: JSON.stringify(answer) }
  }

  /** The answer without execution; null if it has errors or needs code. */
  async #compile(selection: OperationSelection, operation: Operation, run: Run): Promise<string | null> {
    if (!selection.isGenerated || this.#tools.hasHooks()) return null
    const { generated } = selection
    if (generated.some(one => run.hasLifecycles(one))) return null
    await runAll(generated, run, operation.kind === 'mutation' ? 1 : concurrency)
    checkRows(run.rowCount, operation)
    try {
      return writeAnswer(selection, run)
    } catch (error) {
      if (error instanceof Inexpressible) return null
      throw error
    }
  }
}

async function runAll(roots: readonly RootSelection[], run: Run, width: number): Promise<void> {
  if (roots.length === 1) {
    await run.outcomeOf(roots[0]!)
    return
  }
  let next = 0
  const work = async () => {
    while (next < roots.length) await run.outcomeOf(roots[next++]!)
  }
  await Promise.all(Array.from({ length: Math.min(width, roots.length) }, work))
}

/** Whether no field of the root has a value. */
function isEmpty(data: unknown): boolean {
  return data === null || data === undefined || Object.values(data).every(one => one === null)
}

function contextOf(
  run: Run,
  { context, request }: Pick<OperationRequest, 'context' | 'request'>,
  { operation, selection }: ReadyOperation,
): GraphqlContext {
  const { state, access } = context
  if (access.user !== null && access.user !== undefined) state.user ??= access.user
  const isPlain = !operation.isCompilable || selection.generated.some(root => run.isRefused(root))
  const responseOf: GraphqlContext['responseOf'] = info => run.responseOf(info)
  return { state, koaContext: request, caller: context, responseOf, run, isPlain }
}
