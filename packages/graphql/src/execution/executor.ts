// READ FIRST: the way of an operation, on one page.
//
//   text ──parse, measure, validate──▶ Operation ──select──▶ selection       once per text, kept
//   selection + variables ──▶ questions ──▶ rows                              every time, prepared queries are kept
//   rows ──write──▶ text                                                      the compiled way: nothing is executed
//        ──▶ objects ──mercurius──▶ result ──▶ text                           the executed way: errors, code of extensions
//
// Knows no HTTP: requests of a server and `app.graphql` in code both come here.

import type { AnswerLimits, Context } from '@plinth/kernel'
import { tooManyBytes } from '@plinth/kernel'
import { Inexpressible } from '../answer/inexpressible.ts'
import { writeRoot } from '../answer/writer.ts'
import type { Variables } from '../operation/arguments.ts'
import { type Documents, RefusedDocument } from '../operation/documents.ts'
import { type Operation, VariableErrors } from '../operation/operation.ts'
import type { OperationSelection, RootSelection } from '../operation/selection.ts'
import { type AnsweredError, plainRefusal, refusal } from '../transport/errors.ts'
import type { OperationInput } from '../transport/input.ts'
import type { GraphqlContext } from './context.ts'
import type { PreparedOperations, ReadyOperation } from './prepared.ts'
import { Run, type RunTools, type SharedReads } from './run.ts'

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
  readonly execute: Execute
  /** Whether hooks of mercurius are heard, which see every operation. */
  readonly hasHooks: () => boolean
}

/** An operation with its caller. */
export interface OperationRequest {
  readonly input: OperationInput
  readonly context: Context
  /** The request, for resolvers of extensions. */
  readonly request: unknown
  readonly reads: SharedReads
  /** Whether only queries are allowed, as with GET. */
  readonly queriesOnly?: boolean
}

/** An answer: its status, if it is sent by HTTP, and the JSON text of its body. */
export interface OperationAnswer {
  readonly status: number
  readonly text: string
}

/** Fields of the root that are asked side by side; each may take a connection. */
const concurrency = 4

/** Answers operations. */
export class Executor {
  readonly #tools: ExecutorTools

  constructor(tools: ExecutorTools) {
    this.#tools = tools
  }

  /** Answers an operation; `keep` receives it if it can be answered again. Throws only errors of the server. */
  async answer(request: OperationRequest, keep?: (ready: ReadyOperation) => void): Promise<OperationAnswer> {
    try {
      const ready = this.#read(request)
      const answer = await this.#answer(ready, request)
      keep?.(ready)
      return answer
    } catch (error) {
      const errors = refusalsOf(error)
      if (errors === null) throw error
      return { status: error instanceof MethodRefusal ? 405 : 400, text: JSON.stringify({ errors }) }
    }
  }

  /** Answers an operation that came before with the same rights and the same body. */
  answerReady(ready: ReadyOperation, request: Omit<OperationRequest, 'input'>): Promise<OperationAnswer> {
    return this.#answer(ready, request)
  }

  #read({ input, queriesOnly }: OperationRequest): ReadyOperation {
    if (input.query === '')
      throw new RefusedDocument([
        plainRefusal('GraphQL operations must contain a non-empty `query` or a `persistedQuery` extension.'),
      ])
    const operation = this.#tools.documents.find(input.query, input.operationName)
    if (queriesOnly && operation.kind !== 'query') throw new MethodRefusal()
    if (operation.kind === 'subscription')
      throw new RefusedDocument([
        operation.isInSchema
          ? plainRefusal('Subscriptions are sent over a WebSocket.')
          : refusal(operation.error('Schema is not configured for subscriptions.'), 'INTERNAL_SERVER_ERROR'),
      ])
    const variables = operation.coerce(input.variables)
    const selection = operation.select(variables)
    return { operation, variables, given: input.variables, selection, reads: new Map() }
  }

  async #answer(ready: ReadyOperation, request: Omit<OperationRequest, 'input'>): Promise<OperationAnswer> {
    const run = new Run(this.#tools, ready, request)
    const text = await this.#compile(ready.selection, ready.operation, run)
    if (text !== null) return { status: 200, text }
    const context = contextOf(run, request, ready.selection)
    const { data, errors } = await this.#tools.execute(ready.operation, context, ready.given)
    // In v4's order.
    return { status: 200, text: JSON.stringify(errors === undefined ? { data } : { errors, data }) }
  }

  /** The answer without execution; null if it has errors or needs code. */
  async #compile(selection: OperationSelection, operation: Operation, run: Run): Promise<string | null> {
    if (!selection.isGenerated || this.#tools.hasHooks()) return null
    const generated = selection.roots.filter(one => one.kind === 'generated')
    if (generated.some(one => run.hasLifecycles(one))) return null
    await runAll(generated, run, operation.kind === 'mutation' ? 1 : concurrency)
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

/** Writes the answer of roots that have run. Throws Inexpressible if one has an error. */
function writeAnswer({ roots }: OperationSelection, run: Run): string {
  let text = ''
  for (const root of roots) {
    if (root.kind === 'own') throw new Inexpressible()
    const value = root.kind === 'typename' ? JSON.stringify(root.typeName) : writeOutcome(root, run)
    text += `${text === '' ? '' : ','}${JSON.stringify(root.key)}:${value}`
  }
  return checkLength(`{"data":{${text}}}`, run.context.limits)
}

function writeOutcome(root: RootSelection, run: Run): string {
  const outcome = run.known(root.key)
  if (outcome === undefined || 'error' in outcome) throw new Inexpressible()
  const { refusals, entries } = outcome.result
  // Lifecycles of writes may have received the entry as an object.
  if (refusals.size > 0 || entries !== undefined) throw new Inexpressible()
  return writeRoot(root.output, outcome.result.rows, outcome.result.page)
}

function checkLength(text: string, limits: AnswerLimits | undefined): string {
  if (limits !== undefined && text.length > limits.maxBytes) throw tooManyBytes(text.length, limits)
  return text
}

function contextOf(
  run: Run,
  { context, request }: Pick<OperationRequest, 'context' | 'request'>,
  { roots }: OperationSelection,
): GraphqlContext {
  const { state, access } = context
  if (access.user !== null && access.user !== undefined) state.user ??= access.user
  const isPlain = roots.some(root => root.kind === 'generated' && run.isRefused(root))
  const responseOf: GraphqlContext['responseOf'] = info => run.responseOf(info)
  return { state, koaContext: request, caller: context, responseOf, run, isPlain }
}

/** A mutation by GET. */
class MethodRefusal extends RefusedDocument {
  constructor() {
    super([plainRefusal('GET supports only query operation')])
  }
}

function refusalsOf(error: unknown): readonly AnsweredError[] | null {
  if (error instanceof RefusedDocument) return error.errors
  if (error instanceof VariableErrors) return error.errors.map(one => refusal(one, 'BAD_USER_INPUT'))
  return null
}
