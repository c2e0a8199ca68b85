// Runs the questions of one operation: each field of the root once, whether its answer is then written as text or handed
// to resolvers. Identical queries of one request share a result (security.md row 70).

import type { Context, Kernel, PreparedRead, RowCount } from '@plinth/kernel'
import type { GraphQLResolveInfo } from 'graphql'
import { type RootRows, rootObject } from '../answer/objects.ts'
import type { Refusals } from '../answer/refused.ts'
import { areSame, fixedArguments } from '../operation/arguments.ts'
import { type Page, pageMembers } from '../operation/page.ts'
import { type Question, type QuestionRules, questionOf } from '../operation/question.ts'
import type { RootSelection } from '../operation/selection.ts'
import { actionOf } from '../schema/meaning.ts'
import { BranchLoader } from './branches.ts'
import { checkResult } from './budget.ts'
import { type Change, noChange, showsDeleted } from './change.ts'
import { idOf } from './ids.ts'
import { countList } from './meta.ts'
import { Mutations } from './mutations.ts'
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

/** What a run belongs to. */
export interface RunRequest {
  readonly context: Context
  readonly reads: SharedReads | null
  /** The rows of the request; without it, those of the operation are counted by themselves. */
  readonly rowCount?: RowCount
  readonly change?: Change | null
}

/** One operation of one request. */
export class Run {
  /** The caller; all reads share the count of rows, and are abandoned when one of them exceeds it. */
  readonly context: Context
  readonly rowCount: RowCount
  readonly #tools: RunTools
  readonly #ready: ReadyOperation
  readonly #shared: SharedReads | null
  readonly #outcomes = new Map<string, Outcome>()
  readonly #branches: BranchLoader
  readonly #mutations: Mutations
  readonly #change: Change | null
  /** Whether the caller is not notified of the change: no query of theirs shows the entry. */
  isHidden = false
  /** Whether the field that reports a change has failed as a whole. */
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
    this.#shared = request.reads ?? (ready.selection.roots.length > 1 ? new Map() : null)
    this.#mutations = new Mutations(tools.kernel, this.context)
    this.#branches = new BranchLoader(tools, this.context, ready.variables)
  }

  /** Judges whether the caller may subscribe to a field. Throws as a query of theirs would. */
  checkSubscription(root: RootSelection): void {
    this.#prepareChange(root, noChange)
  }

  /**
   * Equal for callers who receive the same answer about the change. Null if their answers may differ without showing it in the
   * query, for example by lifecycles. Throws errors of the query.
   */
  identityOfChange(root: RootSelection): string | null {
    const { prepared, refusals } = this.#prepareChange(root, this.#change ?? noChange)
    return refusals.size > 0 ? null : this.#tools.kernel.reader.identityOf(prepared, this.context)
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
    // An event is executed once, so nothing is compiled for it.
    if (this.#change !== null) return true
    const known = this.#outcomes.get(root.key)
    if (known !== undefined) return 'result' in known && known.result.refusals.size > 0
    if (!isRead(root)) return true
    try {
      const question = questionOf(root, this.#ready.variables, this.#tools.rules)
      return this.#prepare(root, question, idFor(root, question)).refusals.size > 0
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
    // Code around the field may have changed its arguments; the prepared query belongs to those of the operation.
    const isSame = isRead(root) && areSame(args, root.args.values(this.#ready.variables))
    const asked = await this.#ask(isSame ? root : { ...root, args: fixedArguments(args) })
    return rootObject(root.output, asked, { args, resourceUID: root.meaning.type.uid })
  }

  /** The answer of a field that code resolves, if it shows an entry. */
  responseOf(info: GraphQLResolveInfo): EntryResponse {
    return new EntryResponse(this.#tools, info, this.rowCount)
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
    if (this.#change !== null) return this.#readChange(root, this.#change)
    const { operation, type } = root.meaning
    const ready = root.args.isChanged ? undefined : this.#ready.reads.get(root.key)
    const question = ready?.question ?? questionOf(root, this.#ready.variables, this.#tools.rules)
    if (!isRead(root)) return this.#mutations.run(root, question)
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

  /** The entry that has changed, as the query of the field shows it. */
  async #readChange(root: RootSelection, change: Change): Promise<RootRows> {
    const { prepared, refusals, question, id } = this.#prepareChange(root, change)
    const { reader } = this.#tools.kernel
    const { inherited } = question
    const isAsked = id === undefined || id === change.id
    if (change.action === 'delete') {
      const asked = { type: root.meaning.type, action: actionOf[root.meaning.operation], params: question.params }
      const mayHaveSeen = !reader.hasRules(prepared, this.context)
      this.isHidden = !isAsked || !mayHaveSeen || !showsDeleted(this.#tools.kernel, { ...asked, change }, this.context)
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

  #prepareChange(root: RootSelection, change: Change) {
    const question = questionOf(root, this.#ready.variables, this.#tools.rules, change.id)
    const id = idFor(root, question)
    return { ...this.#prepare(root, question, id), question, id }
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
    if (allowed.refusals.size === 0 && !root.args.isChanged && this.#change === null)
      this.#ready.reads.set(root.key, { question, prepared: allowed.prepared })
    return allowed
  }

  #pagination({ isCounted }: RootSelection, page: Page | null) {
    if (page === null) return null
    const { defaultLimit, cap } = this.#tools.rules
    return { defaultLimit, maxLimit: cap, withCount: isCounted }
  }
}

function isRead({ meaning }: RootSelection): boolean {
  const action = actionOf[meaning.operation]
  return action === 'find' || action === 'findOne'
}

/** The id that a field asks for; null if no entry can have it, and undefined if it asks for none. */
function idFor({ meaning }: RootSelection, { args }: Question): number | null | undefined {
  const { operation } = meaning
  return operation === 'findOne' || operation === 'changedOne' ? idOf(args.id) : undefined
}
