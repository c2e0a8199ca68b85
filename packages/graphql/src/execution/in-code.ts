// Answers operations in code, without HTTP: `app.graphql(text)`.

import { type Context, type Kernel, UnauthorizedError } from '@plinth/kernel'
import type { AnsweredError } from '../operation/errors.ts'
import type { Executor } from './executor.ts'

/** The options of one operation in code. */
export interface GraphqlOptions {
  /** The caller. Without it the operation has the rights of a request without credentials. */
  readonly context?: Context
  readonly variables?: Readonly<Record<string, unknown>>
  /** The name of an operation of the text; needed if it contains several. */
  readonly operationName?: string
}

/** An answer in code. */
export interface GraphqlResult {
  readonly data?: Readonly<Record<string, unknown>> | null
  readonly errors?: readonly AnsweredError[]
}

/** `app.graphql`. */
export interface GraphqlFunction {
  (text: string, options?: GraphqlOptions): Promise<GraphqlResult>
  /** Adds a hook of mercurius. From then on all operations are executed, because its hooks expect to see them. */
  addHook(name: string, hook: unknown): void
}

/** Makes `app.graphql`. */
export function graphqlInCode(
  kernel: Kernel,
  executor: Executor,
  addHook: GraphqlFunction['addHook'],
): GraphqlFunction {
  const answer = async (text: string, options: GraphqlOptions = {}): Promise<GraphqlResult> => {
    const { context = await publicContext(kernel), variables = {}, operationName = null } = options
    const input = { query: text, variables, operationName, persisted: null, sent: null }
    const answered = await executor.answer({ input, context, request: context.request, reads: null })
    return JSON.parse(answered.text) as GraphqlResult
  }
  return Object.assign(answer, { addHook })
}

/** The rights of the public; none if callers without credentials are refused. */
async function publicContext(kernel: Kernel): Promise<Context> {
  try {
    return kernel.context(await kernel.auth.authenticate({ headers: {} }))
  } catch (error) {
    if (error instanceof UnauthorizedError) return kernel.context(kernel.auth.anonymous)
    throw error
  }
}
