// A plan node while it may still change: what plugins' parameters and `prePlan` hooks are handed. They add rules by
// attribute name; what they add is resolved at once, so a mistake shows where it is made.

import type { Access } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Operand } from './parameters.ts'
import type { Action, Query } from '../query/query.ts'
import type { Condition } from './condition.ts'
import type { MetaList, Test } from './plan.ts'
import { columnOf, resolveCondition, stepOf } from './resolve.ts'
import type { PlanScope } from './scope.ts'

/** How the node is reached: asked for, populated, passed by a filter or by a sort key. */
export type Via = 'root' | 'populate' | 'filter' | 'sort'

/** One content type's part of a plan, open to rules. */
export class PlanDraft {
  readonly type: ContentType
  readonly via: Via
  /** Dotted path from the root of the question: `populate.author.filters.articles`. */
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
   * Another parameter as it was sent for here, or its fallback, for parameters that act together. Null where it has neither.
   */
  parameter(name: string): { readonly shape: string; readonly value: Operand } | null {
    return this.#scope.use(name)
  }

  /** Only entries that fulfil the condition exist for this question. */
  where(condition: Condition): void {
    this.#rules.push(resolveCondition(this.#scope, this.type, condition))
  }

  /** Per-entry meta: the values of `attribute` over the entries linked by `relation`. Root nodes of doors that show meta. */
  meta(name: string, list: { readonly relation: string; readonly attribute: string }): void {
    const step = stepOf(this.#scope, this.type, list.relation)
    const visible = this.#scope.visible(step.to, 'filter', `${this.path}.${list.relation}`)
    this.metaLists.push({ name, step, column: columnOf(step.to, list.attribute), visible })
  }

  /** Answers all entries of a single type, where the question asks for several (B-3.50). */
  answerList(): void {
    this.isList = true
  }

  /** Takes a populated branch out of the answer, as if it had not been asked for. */
  drop(): void {
    if (this.via !== 'populate')
      throw new UsageError('PLINTH_PLAN_DROP', `only a populated node can be dropped, not ${this.path}`)
    this.isDropped = true
  }

  /** The rules so far, as one test. */
  get rules(): Test | null {
    if (this.#rules.length === 0) return null
    return { op: 'rule', of: this.#rules.length === 1 ? this.#rules[0]! : { op: 'and', of: [...this.#rules] } }
  }
}
