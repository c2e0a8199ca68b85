// The questions of the fields of the root of one operation: each is made and prepared once, before any of them is asked. It
// knows no rows.

import { type Context, type Kernel, parseId, type ReadRequest } from '@plinth/kernel'
import { isComplete } from '../answer/completeness.ts'
import { noRefusals, type Refusals, refusalsOf } from '../answer/refused.ts'
import type { Page } from '../operation/page.ts'
import { type Question, type QuestionRules, questionOf } from '../operation/question.ts'
import type { RootSelection } from '../operation/selection.ts'
import { actionOf } from '../schema/meaning.ts'
import type { Change } from './change.ts'
import type { ReadyOperation, ReadyRead } from './prepared.ts'

/** The tools that all runs of one endpoint share. */
export interface RunTools {
  readonly kernel: Kernel
  readonly rules: QuestionRules
}

/** A prepared query without the parts that the caller may not ask for, and why these are missing. */
interface AllowedRead extends ReadyRead {
  readonly refusals: Refusals
}

/** The questions of one operation. */
export class RootQuestions {
  readonly #tools: RunTools
  readonly #ready: ReadyOperation
  readonly #context: Context
  /** Prepared queries with refused parts, and those of changes, by the names of their fields in the answer. */
  readonly #allowed = new Map<string, AllowedRead>()

  constructor(tools: RunTools, ready: ReadyOperation, context: Context) {
    this.#tools = tools
    this.#ready = ready
    this.#context = context
  }

  /** The question of a field, or its question about a change. Throws PaginationError and GraphQLError. */
  of(root: RootSelection, change: Change | null = null): Question {
    const isOfOperation = root.args.isChanged !== true
    const prepared = isOfOperation ? (this.#ready.reads.get(root.key) ?? this.#allowed.get(root.key)) : undefined
    return prepared?.question ?? questionOf(root, this.#ready.variables, this.#tools.rules, change?.id ?? null)
  }

  /** The prepared query of a field. Throws the error of a question that the caller may not ask at all. */
  prepare(root: RootSelection, change: Change | null = null): AllowedRead {
    const { key, args } = root
    const ready = this.#ready.reads.get(key)
    if (ready !== undefined && !args.isChanged) return { ...ready, refusals: noRefusals }
    const cached = args.isChanged ? undefined : this.#allowed.get(key)
    if (cached !== undefined) return cached
    const allowed = this.#prepareQuestion(root, this.of(root, change))
    // Code has changed the arguments for this call only.
    if (args.isChanged) return allowed
    if (allowed.refusals.size === 0 && change === null) this.#ready.reads.set(key, allowed)
    else this.#allowed.set(key, allowed)
    return allowed
  }

  #prepareQuestion(root: RootSelection, question: Question): AllowedRead {
    const { reader } = this.#tools.kernel
    const { uid } = root.meaning.type
    const { isAuthorized } = root
    const baseRequest = { uid, params: question.params, isAuthorized, isPartial: true }
    const id = idFor(root, question)
    const request: ReadRequest =
      id === undefined
        ? { ...baseRequest, action: 'find', pagination: this.#pagination(root, question.page) }
        : { ...baseRequest, action: 'findOne', id: id ?? 0 }
    const prepared = reader.prepare(request, this.#context)
    const { node, refused } = prepared
    const complete = node !== null && isComplete(root.output, node)
    return { question, prepared, isComplete: complete, refusals: refusalsOf(refused) }
  }

  #pagination({ isCounted }: RootSelection, page: Page | null) {
    if (page === null) return null
    const { defaultLimit, cap } = this.#tools.rules
    return { defaultLimit, maxLimit: cap, withCount: isCounted }
  }
}

/** Returns whether a field reads, and does not write. */
export function isRead({ meaning }: RootSelection): boolean {
  const action = actionOf[meaning.operation]
  return action === 'find' || action === 'findOne'
}

/** The id that a field asks for; null if no entry can have it, and undefined if it asks for none. */
export function idFor({ meaning }: RootSelection, { args }: Question): number | null | undefined {
  const { operation } = meaning
  return operation === 'findOne' || operation === 'changedOne' ? parseId(args.id) : undefined
}
