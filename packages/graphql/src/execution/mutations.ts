// Runs the generated mutations of one operation: what they answer with is judged first, then they write. It knows no
// resolver and no text.

import {
  type Context,
  type DeleteRequest,
  type Kernel,
  NotFoundError,
  type Params,
  type ReadResult,
} from '@plinth/kernel'
import type { RootRows } from '../answer/objects.ts'
import type { Question } from '../operation/question.ts'
import type { RootSelection } from '../operation/selection.ts'
import { actionOf } from '../schema/meaning.ts'
import { idOf } from './ids.ts'
import { type Allowed, prepareAllowed } from './refusals.ts'

/** What a write takes beside its data. */
type WriteAbout = Omit<DeleteRequest, 'id'>

/** The mutations of one operation. */
export class Mutations {
  readonly #kernel: Kernel
  readonly #context: Context
  /** What the mutations answer with, by their names in the answer. */
  readonly #answers = new Map<string, Allowed<Params>>()

  constructor(kernel: Kernel, context: Context) {
    this.#kernel = kernel
    this.#context = context
  }

  /**
   * What a mutation answers with, without the parts that the caller may not ask for. Throws ForbiddenError for a caller
   * without the right to the mutation, and errors of parameters.
   */
  answerOf(root: RootSelection, { params }: Question): Allowed<Params> {
    const known = root.args.isChanged ? undefined : this.#answers.get(root.key)
    if (known !== undefined) return known
    const { operation, type } = root.meaning
    const request = { uid: type.uid, action: actionOf[operation], isAuthorized: root.isAuthorized }
    const allowed = prepareAllowed(params, left => {
      this.#kernel.reader.check(request, left, this.#context)
      return left
    })
    if (!root.args.isChanged) this.#answers.set(root.key, allowed)
    return allowed
  }

  /** Runs a mutation. An entry that does not exist is no error in v4 (B-9.64). */
  async run(root: RootSelection, question: Question): Promise<RootRows> {
    const { type, operation } = root.meaning
    // Hooks run for callers with the right only, and before anything is written.
    const { refusals, prepared } = this.answerOf(root, question)
    const { inherited, args } = question
    // Hooks may add to the data and to the state of the write, which otherwise belong to the operation and the request.
    const data = { ...(args.data as Record<string, unknown> | undefined) }
    const context = { ...this.#context, state: { ...this.#context.state } }
    const params: Record<string, unknown> = {}
    await this.#kernel.hooks.call('graphql:write', { type, action: operation, data, args, params, context })
    const request = { uid: type.uid, params: prepared, context, isAuthorized: root.isAuthorized }
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
    about: WriteAbout,
    given: { readonly id: unknown; readonly data: Record<string, unknown>; readonly params: Params },
  ): Promise<ReadResult> {
    const { writer } = this.#kernel
    const { data } = given
    const { operation } = root.meaning
    if (operation === 'create') return writer.create({ ...about, data })
    if (operation === 'put') return writer.put({ ...about, data })
    const id = operation === 'deleteSingle' ? await this.#findSingle(root, about, given.params) : idOf(given.id)
    if (id === null) throw new NotFoundError('Entity not found')
    return operation === 'update' ? writer.update({ ...about, id, data }) : writer.delete({ ...about, id })
  }

  /** The id of the entry of a single type; null if there is none. */
  #findSingle({ meaning }: RootSelection, about: WriteAbout, added: Params): Promise<number | null> {
    // What selects the entry; the rest of the parameters is about its answer.
    const selecting = meaning.parameters.filter(one => one.isQuery).map(one => one.definition.name)
    const sent = Object.fromEntries(Object.entries(about.params).filter(([name]) => selecting.includes(name)))
    const params = { ...added, ...sent }
    return this.#kernel.writer.entries.findSingle({ ...about, params, action: 'delete' })
  }
}
