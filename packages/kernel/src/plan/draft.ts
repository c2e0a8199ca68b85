// The draft of a plan node: the argument of plugins' parameters and `prePlan` hooks. They add conditions by attribute
// name, which are resolved at once, so that the stack of an error shows where the condition was added.

import type { Access } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Operand } from './parameters.ts'
import type { Action, Query, Stage } from '../query/query.ts'
import type { Condition } from './condition.ts'
import type { MetaList, Test } from './plan.ts'
import { columnOf, resolveCondition, stepOf } from './resolve.ts'
import type { PlanScope } from './scope.ts'

/** How the node is reached: as the root, by populate, or through a filter or a sort key. */
export type Via = 'root' | 'populate' | 'filter' | 'sort'

/** A node of a plan that can still be changed. */
export class PlanDraft {
  readonly type: ContentType
  readonly via: Via
  /** The dotted path from the root of the query: `populate.author.filters.articles`. */
  readonly path: string
  readonly query: Query
  readonly access: Access
  readonly #scope: PlanScope
  readonly #rules: Test[] = []
  readonly metaLists: MetaList[] = []
  isDropped = false
  isList = false

  constructor(scope: PlanScope, type: ContentType, via: Via, path: string) {
    this.type = type
    this.via = via
    this.path = path
    this.query = scope.query
    this.access = scope.access
    this.#scope = scope
  }

  get action(): Action {
    return this.query.action
  }

  /**
   * What the query is for. A `target` finds the entry of an update or deletion: what its rules hide, the caller cannot
   * change. An `answer` shows what was written.
   */
  get stage(): Stage {
    return this.query.stage
  }

  /**
   * The value of another parameter for this node, sent or from its fallback, for parameters that act together. Null if
   * there is neither.
   */
  parameter(name: string): { readonly shape: string; readonly value: Operand } | null {
    return this.#scope.use(name)
  }

  /**
   * Hides entries that do not fulfil the condition from this query. Has no effect on the root of a write's answer: the
   * writer of an entry sees what became of it (B-8.14).
   */
  where(condition: Condition): void {
    if (this.via === 'root' && this.stage === 'answer') return
    this.#rules.push(resolveCondition(this.#scope, this.type, condition))
  }

  /**
   * Adds to the `meta` of each entry the values of `attribute` of the entries linked by `relation`. For root nodes of
   * transports that show `meta`.
   */
  meta(name: string, list: { readonly relation: string; readonly attribute: string }): void {
    const step = stepOf(this.#scope, this.type, list.relation)
    const visible = this.#scope.visible(step.to, 'filter', `${this.path}.${list.relation}`)
    this.metaLists.push({ name, step, column: columnOf(step.to, list.attribute), visible })
  }

  /** Makes the query of a single type return all its entries instead of one (B-3.50). */
  answerList(): void {
    this.isList = true
  }

  /** Removes a populated branch from the answer, as if it had not been requested. */
  drop(): void {
    if (this.via !== 'populate')
      throw new UsageError('PLINTH_PLAN_DROP', `Only a populated node can be dropped, not "${this.path}"`)
    this.isDropped = true
  }

  /** The conditions added so far, as one test. */
  get rules(): Test | null {
    if (this.#rules.length === 0) return null
    return { op: 'rule', of: this.#rules.length === 1 ? this.#rules[0]! : { op: 'and', of: [...this.#rules] } }
  }
}
