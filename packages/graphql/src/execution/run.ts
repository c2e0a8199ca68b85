// Runs the questions of one operation: each field of the root once, whether its answer is then written as text or handed
// to resolvers. Identical queries of one request share a result (security.md row 70).

import type { Context, RowCount } from '@plinth/kernel'
import type { GraphQLResolveInfo } from 'graphql'
import { isComplete } from '../answer/completeness.ts'
import { type RootRows, rootObject } from '../answer/objects.ts'
import { OwnFields } from '../answer/own-fields.ts'
import { callOwnFields } from '../answer/own-rows.ts'
import { type Path, ResolverCalls } from '../answer/resolver-calls.ts'
import type { Resolution } from '../answer/resolvers.ts'
import { areSame, fixedArguments } from '../operation/arguments.ts'
import type { CalledField } from '../operation/output.ts'
import { pageMembers } from '../operation/page.ts'
import type { RootSelection } from '../operation/selection.ts'
import { actionOf } from '../schema/meaning.ts'
import { BranchLoader } from './branches.ts'
import { checkResult } from './budget.ts'
import { type Change, noChange, showsDeleted } from './change.ts'
import { countList } from './meta.ts'
import { Mutations } from './mutations.ts'
import type { ReadyOperation } from './prepared.ts'
import { EntryResponse } from './response.ts'
import { idFor, isRead, RootQuestions, type RunTools } from './root-questions.ts'

type Arguments = Readonly<Record<string, unknown>>

/** The result of a field of the root, or why there is none. */
export type Outcome = { readonly result: RootRows } | { readonly error: unknown }

/** The queries of a request that are under way, by what they ask: operations of a batch share them. */
export type SharedReads = Map<string, Promise<RootRows>>

/** The request to which a run belongs. */
export interface RunRequest {
  readonly context: Context
  readonly reads: SharedReads | null
  /** The rows of the request; without it, those of the operation are counted by themselves. */
  readonly rowCount?: RowCount
  readonly change?: Change | null
}

/** One operation of one request. */
export class Run implements Resolution {
  /** The caller; all reads share the count of rows, and are abandoned when one of them exceeds it. */
  readonly context: Context
  readonly rowCount: RowCount
  readonly #tools: RunTools
  readonly #ready: ReadyOperation
  readonly #shared: SharedReads | null
  readonly #outcomes = new Map<string, Outcome>()
  readonly #questions: RootQuestions
  readonly #branches: BranchLoader
  readonly #mutations: Mutations
  readonly #change: Change | null
  /** The rows of fields whose checks run without execution, by the names of the fields. */
  readonly #asking = new Map<string, RootRows | null>()
  #calls: ResolverCalls | null = null
  /** The own fields that were called before execution; null if none were. */
  ownFields: OwnFields | null = null
  /** True if the caller is not notified of the change: no query of the caller shows the entry. */
  isHidden = false
  /** True if the field that reports a change has failed as a whole. */
  hasFailed = false

  constructor(tools: RunTools, ready: ReadyOperation, request: RunRequest) {
    this.#tools = tools
    this.#ready = ready
    const rowCount = request.rowCount ?? tools.kernel.reader.startRowCount()
    const { isAbandoned } = request.context
    this.rowCount = rowCount
    this.context = {
      ...request.context,
      rowCount,
      isAbandoned: () => rowCount.refusal !== null || isAbandoned?.() === true,
    }
    this.#change = request.change ?? null
    this.#questions = new RootQuestions(tools, ready, this.context)
    this.#shared = request.reads ?? (ready.selection.roots.length > 1 ? new Map() : null)
    this.#mutations = new Mutations(tools.kernel, this.context)
    this.#branches = new BranchLoader(tools, this.context, ready.variables)
  }

  /** Checks whether the caller may subscribe to a field. Throws as a query of theirs would. */
  checkSubscription(root: RootSelection): void {
    this.#questions.prepare(root, noChange)
  }

  /**
   * Equal for callers who receive the same answer about the change. Null if their answers may differ without showing it in the
   * query, for example by lifecycles. Throws errors of the query.
   */
  identityOfChange(root: RootSelection): string | null {
    const { prepared, refusals } = this.#questions.prepare(root, this.#change ?? noChange)
    return refusals.size > 0 ? null : this.#tools.kernel.reader.identityOf(prepared, this.context)
  }

  /** Returns whether lifecycles receive the entries of a field, which are objects then. */
  hasLifecycles({ meaning }: RootSelection): boolean {
    return this.#tools.kernel.reader.hasLifecycles(meaning.type.uid)
  }

  /**
   * Returns whether the answer of a field can be written as text, as far as its plan says. It is called before rows are
   * read; errors of the question are those of the field.
   */
  isWritable(root: RootSelection): boolean {
    try {
      if (isRead(root)) return this.#questions.prepare(root, this.#change).isComplete
      return this.#mutations.answerOf(root, this.#questions.of(root)).isComplete
    } catch {
      return false
    }
  }

  hasRun(key: string): boolean {
    return this.#outcomes.has(key)
  }

  /**
   * Returns whether a field that has run has rows that can be written. Otherwise it has an error, or objects that
   * lifecycles of a write received, or checks have changed what it asks for.
   */
  hasRows({ key, checked, output }: RootSelection): boolean {
    const outcome = this.#outcomes.get(key)
    if (outcome === undefined || !('result' in outcome) || outcome.result.entries !== undefined) return false
    const { rows } = outcome.result
    return checked === null || rows === null || isComplete(output, rows.node)
  }

  /** Calls the own fields of roots that have run, and returns their texts; null if a value is an error. */
  async callOwnFields(context: unknown): Promise<readonly string[] | null> {
    const fields = new OwnFields(this.#callsWith(context))
    for (const root of this.#ready.selection.generated)
      callOwnFields(root.output, pathOf(root), this.resultOf(root), fields)
    this.ownFields = fields
    return fields.texts()
  }

  /** The result of a field that has run. Throws its error. */
  resultOf({ key }: RootSelection): RootRows {
    const outcome = this.#outcomes.get(key)
    if (outcome === undefined) throw new Error(`The field "${key}" has not run`)
    if ('error' in outcome) throw outcome.error
    return outcome.result
  }

  /**
   * Runs a field of the root; `context` is for the checks around it. Its outcome stays for the resolver of the field.
   */
  async outcomeOf(root: RootSelection, context: () => unknown): Promise<Outcome> {
    const settled = this.#outcomes.get(root.key)
    if (settled !== undefined) return settled
    const outcome = await this.#settle(root, context)
    this.#outcomes.set(root.key, outcome)
    return outcome
  }

  async #settle(root: RootSelection, context: () => unknown): Promise<Outcome> {
    try {
      const { checked } = root
      return { result: checked === null ? await this.#ask(root) : await this.#askChecked(root, checked, context()) }
    } catch (error) {
      return { error }
    }
  }

  /** Runs the checks around a field, and then the field, as its resolver does. */
  async #askChecked({ key, parentName }: RootSelection, called: CalledField, context: unknown): Promise<RootRows> {
    this.#asking.set(key, null)
    try {
      await this.#callsWith(context).call({ called, path: { prev: undefined, key, typename: parentName } })
      const rootRows = this.#asking.get(key) ?? null
      if (rootRows === null) throw new Error(`The checks of the field "${key}" have not run it`)
      return rootRows
    } finally {
      this.#asking.delete(key)
    }
  }

  #callsWith(context: unknown): ResolverCalls {
    const { operation, variables } = this.#ready
    this.#calls ??= new ResolverCalls({ operation: operation.source, variables, context })
    return this.#calls
  }

  /** The object of a field of the root. Code of extensions may have changed its arguments. */
  async resolveRoot(args: Readonly<Record<string, unknown>>, info: GraphQLResolveInfo): Promise<unknown> {
    const key = String(info.path.key)
    const root = this.#ready.selection.roots.find(one => one.key === key)
    if (root?.kind !== 'generated') throw new Error(`The field "${key}" was not read from the operation`)
    const responseInfo = { args, resourceUID: root.meaning.type.uid }
    if (this.#outcomes.has(key)) return rootObject(root.output, this.resultOf(root), responseInfo)
    // Code around the field may have changed its arguments; the prepared query belongs to those of the operation.
    const isSame = isRead(root) && areSame(args, root.args.values(this.#ready.variables))
    const rootRows = await this.#ask(isSame ? root : { ...root, args: fixedArguments(args) })
    if (!this.#asking.has(key)) return rootObject(root.output, rootRows, responseInfo)
    this.#asking.set(key, rootRows)
    return null
  }

  /** The answer of a field that code resolves, if it shows an entry. */
  responseOf(info: GraphQLResolveInfo): EntryResponse {
    return new EntryResponse(this.#tools, info, this.rowCount)
  }

  load(source: Readonly<Record<string, unknown>>, args: Arguments, info: GraphQLResolveInfo): unknown {
    return this.#branches.load(source, args, info)
  }

  adopt(value: unknown, args: Arguments, info: GraphQLResolveInfo): unknown {
    return this.#branches.adopt(value, args, info)
  }

  metaOf(info: unknown, entries: unknown): Promise<object> {
    return countList({ info, entries }, this.#tools, this.context)
  }

  #ask(root: RootSelection): Promise<RootRows> {
    if (this.#change !== null) return this.#readChange(root, this.#change)
    const { operation, type } = root.meaning
    if (!isRead(root)) return this.#mutations.run(root, this.#questions.of(root))
    // Only several fields can be equal.
    if (this.#shared === null) return this.#read(root)
    const question = this.#questions.of(root)
    const key = `${type.uid} ${operation} ${String(question.args.id)} ${root.isCounted} ${JSON.stringify(question.params)}`
    const running = this.#shared.get(key)
    if (running !== undefined) return running
    const pendingRows = this.#read(root)
    this.#shared.set(key, pendingRows)
    return pendingRows
  }

  async #read(root: RootSelection): Promise<RootRows> {
    const { reader } = this.#tools.kernel
    const { prepared, refusals, question } = this.#questions.prepare(root)
    const { page, inherited } = question
    const id = idFor(root, question)
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

  /** The entry that has changed, as the query of the field shows it. */
  async #readChange(root: RootSelection, change: Change): Promise<RootRows> {
    const { prepared, refusals, question } = this.#questions.prepare(root, change)
    const { reader } = this.#tools.kernel
    const { inherited } = question
    const id = idFor(root, question)
    const isAsked = id === undefined || id === change.id
    if (change.action === 'delete') {
      const query = { type: root.meaning.type, action: actionOf[root.meaning.operation], params: question.params }
      const mayHaveSeen = !reader.hasRules(prepared, this.context)
      this.isHidden = !isAsked || !mayHaveSeen || !showsDeleted(this.#tools.kernel, { ...query, change }, this.context)
      return { rows: null, page: null, refusals, inherited, change }
    }
    const { rows, entries } = await reader.run(prepared, this.context, id)
    const { limits } = this.context
    if (limits !== undefined && entries === undefined) {
      const cost = reader.costOf(prepared, this.context)
      checkResult(rows, { cost, fields: this.#ready.operation.size.fields }, limits)
    }
    this.isHidden = !isAsked || rows.rows[0]?.[0] !== change.id
    return { rows, entries, page: null, refusals, inherited, change }
  }
}

function pathOf({ key, parentName }: RootSelection): Path {
  return { prev: undefined, key, typename: parentName }
}
