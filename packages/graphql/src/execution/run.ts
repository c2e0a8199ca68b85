// Runs the questions of one operation: each field of the root once, whether its answer is then written as text or handed
// to resolvers. Identical queries of one request share a result (security.md row 70).

import {
  type Context,
  type DeleteRequest,
  type Kernel,
  NotFoundError,
  type Params,
  type PreparedRead,
  type ReadResult,
} from '@plinth/kernel'
import type { GraphQLResolveInfo } from 'graphql'
import { type Refusals, type RootRows, rootObject } from '../answer/objects.ts'
import { fixedArguments } from '../operation/arguments.ts'
import { RefusedDocument } from '../operation/documents.ts'
import { type Page, pageMembers } from '../operation/page.ts'
import { type Question, type QuestionRules, questionOf } from '../operation/question.ts'
import type { RootSelection } from '../operation/selection.ts'
import { BranchLoader } from './branches.ts'
import { countList } from './meta.ts'
import { checkResult, refuseRows } from './budget.ts'
import type { ReadyOperation, ReadyRead } from './prepared.ts'
import { type Allowed, prepareAllowed } from './refusals.ts'
import { EntryResponse } from './response.ts'

const none: Refusals = new Map()

type Arguments = Readonly<Record<string, unknown>>

/** What all runs of one endpoint share. */
export interface RunTools {
  readonly kernel: Kernel
  readonly rules: QuestionRules
}

/** The result of a field of the root, or why there is none. */
export type Outcome = { readonly result: RootRows } | { readonly error: unknown }

/** The queries of a request that are under way, by what they ask: operations of a batch share them. */
export type SharedReads = Map<string, Promise<RootRows>>

/** One operation of one request. */
export class Run {
  readonly context: Context
  readonly #tools: RunTools
  readonly #ready: ReadyOperation
  readonly #shared: SharedReads | null
  readonly #outcomes = new Map<string, Outcome>()
  readonly #branches: BranchLoader
  /** What mutations answer with, judged before they run. */
  readonly #answers = new Map<string, Allowed<AnswerParams>>()

  constructor(
    tools: RunTools,
    ready: ReadyOperation,
    request: { readonly context: Context; readonly reads: SharedReads | null },
  ) {
    this.#tools = tools
    this.#ready = ready
    this.context = request.context
    this.#shared = request.reads ?? (ready.selection.roots.length > 1 ? new Map() : null)
    this.#branches = new BranchLoader(tools, request.context, ready.variables)
  }

  /**
   * The rows that the generated fields of the root may fetch together. Throws RefusedDocument for a field that may fetch
   * too many; other errors belong to their fields, which throw them when they are asked.
   */
  rowsOfRoots(): number {
    let rows = 0
    for (const root of this.#ready.selection.roots) if (root.kind === 'generated') rows += this.#rowsOf(root)
    return rows
  }

  #rowsOf(root: RootSelection): number {
    try {
      return refuseRows(() => {
        const question = questionOf(root, this.#ready.variables, this.#tools.rules)
        if (!isRead(root)) return this.#answerOf(root, question).prepared.rows
        const { prepared } = this.#prepare(root, question, idFor(root, question))
        return this.#tools.kernel.reader.costOf(prepared, this.context)
      })
    } catch (error) {
      if (error instanceof RefusedDocument) throw error
      return 0
    }
  }

  /** Whether lifecycles receive the entries of a field, which are objects then. */
  hasLifecycles({ meaning }: RootSelection): boolean {
    return this.#tools.kernel.reader.hasLifecycles(meaning.type.uid)
  }

  /** The outcome of a field that has run. */
  known(key: string): Outcome | undefined {
    return this.#outcomes.get(key)
  }

  /** Whether the caller may not read a part of a field, whose attributes then throw. */
  isRefused(root: RootSelection): boolean {
    const known = this.#outcomes.get(root.key)
    if (known !== undefined) return 'result' in known && known.result.refusals.size > 0
    const { operation, type } = root.meaning
    if (operation !== 'find' && operation !== 'findOne' && operation !== 'findSingle') return true
    try {
      const { params } = questionOf(root, this.#ready.variables, this.#tools.rules)
      const { isAuthorized } = root
      const options = { uid: type.uid, isAuthorized, pagination: null, id: operation === 'findOne' ? 0 : undefined }
      const action = operation === 'findOne' ? 'findOne' : 'find'
      const prepare = (left: Params) =>
        this.#tools.kernel.reader.prepare({ action, options, params: left }, this.context)
      return prepareAllowed(params, prepare).refusals.size > 0
    } catch {
      // The field itself is refused.
      return false
    }
  }

  /** Runs a field of the root. Its outcome stays for the resolver of the field. */
  async outcomeOf(root: RootSelection): Promise<Outcome> {
    const known = this.#outcomes.get(root.key)
    if (known !== undefined) return known
    const outcome = await this.#settle(root)
    this.#outcomes.set(root.key, outcome)
    return outcome
  }

  async #settle(root: RootSelection): Promise<Outcome> {
    try {
      return { result: await this.#ask(root) }
    } catch (error) {
      return { error }
    }
  }

  /** The object of a field of the root. Code of extensions may have changed its arguments. */
  async resolveRoot(args: Readonly<Record<string, unknown>>, info: GraphQLResolveInfo): Promise<unknown> {
    const key = String(info.path.key)
    const root = this.#ready.selection.roots.find(one => one.key === key)
    if (root?.kind !== 'generated') throw new Error(`The field "${key}" was not read from the operation`)
    const known = this.#outcomes.get(key)
    if (known !== undefined) {
      if ('error' in known) throw known.error
      return rootObject(root.output, known.result, { args, resourceUID: root.meaning.type.uid })
    }
    const asked = await this.#ask({ ...root, args: fixedArguments(args) })
    return rootObject(root.output, asked, { args, resourceUID: root.meaning.type.uid })
  }

  /** The answer of a field that code resolves, if it shows an entry. */
  responseOf(info: GraphQLResolveInfo): EntryResponse {
    return new EntryResponse(this.#tools, info)
  }

  /** The value of a relation, component or zone that was not part of the question for its entry. */
  load(source: Readonly<Record<string, unknown>>, args: Arguments, info: GraphQLResolveInfo): unknown {
    return this.#branches.load(source, args, info)
  }

  /** The value of a relation, component or zone that an extension has put into an entry. */
  adopt(value: unknown, args: Arguments, info: GraphQLResolveInfo): unknown {
    return this.#branches.adopt(value, args, info)
  }

  /** The `meta` of a list that an extension has made. */
  metaOf(info: unknown, entries: unknown): Promise<object> {
    return countList({ info, entries }, this.#tools, this.context)
  }

  #ask(root: RootSelection): Promise<RootRows> {
    const { operation, type } = root.meaning
    const ready = root.args.isChanged ? undefined : this.#ready.reads.get(root.key)
    const question = ready?.question ?? questionOf(root, this.#ready.variables, this.#tools.rules)
    if (!isRead(root)) return this.#write(root, question)
    // Only several fields can be equal.
    if (this.#shared === null) return this.#read(root, question, ready)
    const key = `${type.uid} ${operation} ${String(question.args.id)} ${root.isCounted} ${JSON.stringify(question.params)}`
    const known = this.#shared.get(key)
    if (known !== undefined) return known
    const asked = this.#read(root, question, ready)
    this.#shared.set(key, asked)
    return asked
  }

  async #read(root: RootSelection, question: Question, ready: ReadyRead | undefined): Promise<RootRows> {
    const { reader } = this.#tools.kernel
    const { page } = question
    const id = idFor(root, question)
    const { prepared, refusals } =
      ready === undefined ? this.#prepare(root, question, id) : { ...ready, refusals: none }
    const { inherited } = question
    if (id === null) return { rows: null, page: null, refusals, inherited }
    const { rows, total, entries } = await reader.run(prepared, this.context, id)
    const { limits } = this.context
    // The kernel measures what lifecycles receive.
    if (limits !== undefined && entries === undefined)
      checkResult(
        rows,
        { cost: reader.costOf(prepared, this.context), fields: this.#ready.operation.size.fields },
        limits,
      )
    return { rows, entries, page: page === null ? null : pageMembers(page, total ?? 0), refusals, inherited }
  }

  #prepare(root: RootSelection, question: Question, id: number | null | undefined): Allowed<PreparedRead> {
    const { reader } = this.#tools.kernel
    const { uid } = root.meaning.type
    const { isAuthorized } = root
    const about =
      id === undefined
        ? ({
            action: 'find',
            options: { uid, isAuthorized, pagination: this.#pagination(root, question.page) },
          } as const)
        : ({ action: 'findOne', options: { uid, isAuthorized, id: id ?? 0 } } as const)
    const allowed = prepareAllowed(question.params, params => reader.prepare({ ...about, params }, this.context))
    if (allowed.refusals.size === 0 && !root.args.isChanged)
      this.#ready.reads.set(root.key, { question, prepared: allowed.prepared })
    return allowed
  }

  #pagination({ isCounted }: RootSelection, page: Page | null) {
    if (page === null) return null
    const { defaultLimit, cap } = this.#tools.rules
    return { defaultLimit, maxLimit: cap, withCount: isCounted }
  }

  async #write(root: RootSelection, question: Question): Promise<RootRows> {
    const { kernel } = this.#tools
    const { type, operation } = root.meaning
    const { uid } = type
    const { isAuthorized } = root
    const { inherited } = question
    // Hooks may add to the data, which belongs to the operation.
    const data = { ...(question.args.data as Record<string, unknown> | undefined) }
    const context = { ...this.context, state: { ...this.context.state, [transportKey]: 'graphql' } }
    await kernel.hooks.call('graphql:write', { type, action: operation, data, args: question.args, context })
    const write = (params: Params): Promise<ReadResult | null> => {
      const about = { uid, params, context, isAuthorized }
      if (operation === 'create') return kernel.writer.create({ ...about, data })
      if (operation === 'put') return kernel.writer.put({ ...about, data })
      if (operation === 'deleteSingle') return this.#deleteSingle(about, root)
      const id = idOf(question.args.id)
      if (id === null) return Promise.reject(new NotFoundError())
      return operation === 'update'
        ? kernel.writer.update({ ...about, id, data })
        : kernel.writer.delete({ ...about, id })
    }
    const { refusals, prepared: answer } = this.#answerOf(root, question)
    try {
      const result = await write(answer.params)
      return { rows: result?.rows ?? null, entries: result?.entries, page: null, refusals, inherited }
    } catch (error) {
      // An entry that does not exist is no error in v4 (B-9.64).
      if (error instanceof NotFoundError && operation !== 'deleteSingle')
        return { rows: null, page: null, refusals, inherited }
      throw error
    }
  }

  /** What a mutation answers with: its question is judged before anything is written. */
  #answerOf(root: RootSelection, { params }: Question): Allowed<AnswerParams> {
    const known = root.args.isChanged ? undefined : this.#answers.get(root.key)
    if (known !== undefined) return known
    const { operation, type } = root.meaning
    const { isAuthorized } = root
    const action =
      operation === 'create' ? 'create' : operation === 'update' || operation === 'put' ? 'update' : 'delete'
    const allowed = prepareAllowed(params, left => {
      const rows = this.#tools.kernel.reader.check({ uid: type.uid, action, isAuthorized }, left, this.context)
      return { params: left, rows }
    })
    if (!root.args.isChanged) this.#answers.set(root.key, allowed)
    return allowed
  }

  async #deleteSingle(about: Omit<DeleteRequest, 'id'>, { meaning }: RootSelection): Promise<ReadResult> {
    const { writer } = this.#tools.kernel
    // What selects the entry; the rest of the parameters is about its answer.
    const selecting = meaning.parameters.filter(one => one.isQuery).map(one => one.definition.name)
    const params = Object.fromEntries(Object.entries(about.params).filter(([name]) => selecting.includes(name)))
    const id = await writer.entries.findSingle({ ...about, params, action: 'delete' })
    if (id === null) throw new NotFoundError('Entity not found')
    return writer.delete({ ...about, id })
  }
}

/** The value of a context in which hooks of writes find the transport that a write came by. */
const transportKey = 'transport'

/** The parameters of the answer to a mutation, and the rows that it may fetch. */
interface AnswerParams {
  readonly params: Params
  readonly rows: number
}

function isRead({ meaning: { operation } }: RootSelection): boolean {
  return operation === 'find' || operation === 'findOne' || operation === 'findSingle'
}

/** The id that a field asks for; null if no entry can have it, and undefined if it asks for none. */
function idFor({ meaning }: RootSelection, { args }: Question): number | null | undefined {
  return meaning.operation === 'findOne' ? idOf(args.id) : undefined
}

/** The id in an argument; null if no entry can have it. */
function idOf(value: unknown): number | null {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null
}
