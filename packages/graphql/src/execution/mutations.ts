// Runs the generated mutations of one operation: what they answer with is checked first, then they write. It knows no
// resolver and no text.

import {
  type Context,
  type DeleteRequest,
  type Kernel,
  NotFoundError,
  type Params,
  type PreparedAnswer,
  parseId,
  type ReadResult,
  type WriteAction,
} from '@plinth/kernel'
import { isComplete } from '../answer/completeness.ts'
import type { RootRows } from '../answer/objects.ts'
import { type Refusals, refusalsOf } from '../answer/refused.ts'
import type { Question } from '../operation/question.ts'
import type { RootSelection } from '../operation/selection.ts'
import { actionOf } from '../schema/meaning.ts'

/** The properties of a write request beside its data. */
type WriteScope = Omit<DeleteRequest, 'id' | 'answer'> & Pick<AllowedAnswer, 'answer'>

/**
 * The answer of a mutation without the parts that the caller may not ask for, and the reasons why these are missing.
 */
interface AllowedAnswer {
  readonly answer: PreparedAnswer
  readonly refusals: Refusals
  /** True if its plan has all that the field shows. */
  readonly isComplete: boolean
}

/** The mutations of one operation. */
export class Mutations {
  readonly #kernel: Kernel
  readonly #context: Context
  /** The answers of the mutations, by the names of the mutations in the answer of the operation. */
  readonly #answers = new Map<string, AllowedAnswer>()

  constructor(kernel: Kernel, context: Context) {
    this.#kernel = kernel
    this.#context = context
  }

  /**
   * Returns the answer of a mutation without the parts that the caller may not ask for. Throws ForbiddenError for a
   * caller without the right to the mutation, and errors of parameters.
   */
  answerOf(root: RootSelection, { params }: Question): AllowedAnswer {
    const cached = root.args.isChanged ? undefined : this.#answers.get(root.key)
    if (cached !== undefined) return cached
    const { operation, type } = root.meaning
    // A mutation is never a read.
    const action = actionOf[operation] as WriteAction
    const request = { uid: type.uid, action, params, isAuthorized: root.isAuthorized, isPartial: true }
    const answer = this.#kernel.reader.prepareAnswer(request, this.#context)
    const { refused, node } = answer
    const allowed = { answer, refusals: refusalsOf(refused), isComplete: isComplete(root.output, node) }
    if (!root.args.isChanged) this.#answers.set(root.key, allowed)
    return allowed
  }

  /** Runs a mutation. An entry that does not exist is not an error in v4 (B-9.64). */
  async run(root: RootSelection, question: Question): Promise<RootRows> {
    const { type, operation } = root.meaning
    // Hooks run for callers with the right only, and before anything is written.
    const { refusals, answer } = this.answerOf(root, question)
    const { inherited, args } = question
    // Hooks may add to the data and to the state of the write, which otherwise belong to the operation and the request.
    const data = { ...(args.data as Record<string, unknown> | undefined) }
    const context = { ...this.#context, state: { ...this.#context.state } }
    const params: Record<string, unknown> = {}
    await this.#kernel.hooks.call('graphql:write', { type, action: operation, data, args, params, context })
    const request = { uid: type.uid, context, isAuthorized: root.isAuthorized, answer }
    try {
      const { rows, entries } = await this.#write(root, request, { id: args.id, data, params })
      return { rows, entries, page: null, refusals, inherited }
    } catch (error) {
      if (error instanceof NotFoundError && operation !== 'deleteSingle')
        return { rows: null, page: null, refusals, inherited }
      throw error
    }
  }

  async #write(
    root: RootSelection,
    request: WriteScope,
    input: { readonly id: unknown; readonly data: Record<string, unknown>; readonly params: Params },
  ): Promise<ReadResult> {
    const { writer } = this.#kernel
    const { data } = input
    const { operation } = root.meaning
    if (operation === 'create') return writer.create({ ...request, data })
    if (operation === 'put') return writer.put({ ...request, data })
    const id = operation === 'deleteSingle' ? await this.#findSingle(root, request, input.params) : parseId(input.id)
    if (id === null) throw new NotFoundError('Entity not found')
    return operation === 'update' ? writer.update({ ...request, id, data }) : writer.delete({ ...request, id })
  }

  /** The id of the entry of a single type; null if there is none. */
  #findSingle({ meaning }: RootSelection, request: WriteScope, added: Params): Promise<number | null> {
    // The parameters that select the entry; the others are about its answer.
    const selecting = meaning.parameters.filter(one => one.isQuery).map(one => one.definition.name)
    const sent = Object.fromEntries(Object.entries(request.answer.params).filter(([name]) => selecting.includes(name)))
    const params = { ...added, ...sent }
    return this.#kernel.writer.entries.findSingle({ ...request, params, action: 'delete' })
  }
}
