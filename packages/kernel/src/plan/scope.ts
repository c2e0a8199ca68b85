// The state that the passes of one planning share: the query, the model, the caller's rights, and the parameters in
// force. Its `open` is the gate that every node passes, where plugins add their conditions.

import type { Access } from '../context.ts'
import { UsageError, ValidationError } from '../errors.ts'
import type { ContentType, Uid } from '../model/content-type.ts'
import type { Registry } from '../model/registry.ts'
import { suggestion } from '../nearest.ts'
import { located } from '../query/place.ts'
import type { Action, ParameterUse, Query } from '../query/query.ts'
import type { Keys, RefusedParts } from '../query/refused-parts.ts'
import { unknownName } from '../query/unknown-names.ts'
import { PlanDraft } from './draft.ts'
import type { ReachedNode, Via } from './open-node.ts'
import type { ParameterValue } from './operand.ts'
import type { Parameter } from './parameters.ts'

/** Runs the compiled `prePlan` hooks of a type; null if there are none. */
export type PrePlan = ((type: ContentType, draft: PlanDraft, access: Access) => void) | null

/** The objects and the limit that all plannings of an engine share. */
export interface Planning {
  readonly registry: Registry
  readonly parameters: ReadonlyMap<string, Parameter>
  readonly prePlan: PrePlan
  /** The maximum number of nodes of one plan. */
  readonly maxCost: number
  /** True if somebody listens to remarks. */
  readonly isRemarked: boolean
}

/** The maximum number of nodes that the rules of one node may pass. */
const maxRuleNodes = 250

/** A name that means nothing. */
export interface IgnoredName {
  /** The place of the name, without itself. */
  readonly path: string
  readonly name: string
  /** Returns the names that the caller may use there: a refusal must not tell a hidden name from one that does not exist. */
  readonly allowedNames: () => Iterable<string>
  /** Returns the remark for the developer of the application: `no attribute "autor", did you mean "author"?`. */
  readonly remark: () => string
}

/** A query that is planned for a caller. */
export interface PlannedQuery {
  readonly query: Query
  readonly access: Access
  /** Collects the parts that the caller may not ask for; null if they are errors. */
  readonly refused: RefusedParts | null
}

/** One planning. `uses` are parameters sent at the root, or at a populate for the nodes below it. */
export class PlanScope {
  readonly query: Query
  readonly access: Access
  readonly registry: Registry
  readonly reads: Set<Uid>
  /** The attributes that the data of the write may not change. */
  readonly forbidden = new Set<string>()
  /** The attributes that hooks of writes keep from the caller. */
  readonly closed = new Set<string>()
  readonly remarks: string[]
  readonly #spent: { cost: number; free: number; hidden: number; rules: number }
  readonly #planning: Planning
  readonly #uses: ReadonlyMap<string, ParameterUse>
  readonly #planned: PlannedQuery

  constructor(planning: Planning, planned: PlannedQuery, uses: readonly ParameterUse[], parent?: PlanScope) {
    this.query = planned.query
    this.access = planned.access
    this.#planned = planned
    this.registry = planning.registry
    this.#planning = planning
    this.reads = parent?.reads ?? new Set()
    this.remarks = parent?.remarks ?? []
    this.#spent = parent === undefined ? { cost: 0, free: 0, hidden: 0, rules: 0 } : parent.#spent
    const inherited = parent === undefined ? [] : [...parent.#uses]
    this.#uses = new Map([...inherited, ...uses.map(use => [use.name, use] as const)])
  }

  /** The scope for the nodes below a populate, with the parameters sent there. */
  below(uses: readonly ParameterUse[]): PlanScope {
    return uses.length === 0 ? this : new PlanScope(this.#planning, this.#planned, uses, this)
  }

  /** Plans a part of the query. Returns null if it is refused; then its nodes cost nothing. */
  part<T>(keys: Keys, path: string, work: () => T): T | null {
    const { refused } = this.#planned
    if (refused === null) return work()
    const spent = { ...this.#spent }
    return refused.attempt({ keys, path, undo: () => Object.assign(this.#spent, spent) }, work)
  }

  /** Plans what is below names that are not a part by themselves. */
  within<T>(keys: Keys, work: () => T): T {
    const { refused } = this.#planned
    return refused === null ? work() : refused.within(keys, work)
  }

  /** Checks a name that means nothing. Throws ValidationError if the query refuses such names; otherwise they are ignored. */
  ignore({ path, name, allowedNames, remark }: IgnoredName): void {
    // Names that a transport has put there itself, such as those of all attributes, are not the client's.
    if (this.query.maxCost !== null) return
    if (this.query.refusesUnknown === true) throw unknownName(path, name, suggestion(name, allowedNames()))
    if (this.#planning.isRemarked) this.remark(`${path}: ${remark()}`)
  }

  /** Remarks on what is not answered. */
  remark(text: string): void {
    // Of the types that a polymorphic relation may link, most are of no interest.
    if (this.#planning.isRemarked && this.#spent.free === 0 && !this.query.internal) this.remarks.push(text)
  }

  /** Opens a node: parameters and `prePlan` hooks add their conditions. `own` are the parameters sent at this node. */
  open(reached: ReachedNode, own: readonly ParameterUse[] = []): PlanDraft {
    const { type, via } = reached
    this.reads.add(type.uid)
    if (via === 'rule') this.#countRule(reached)
    else this.#spend(reached.path)
    const draft = new PlanDraft(this, reached)
    try {
      this.#addConditions(draft, own)
    } catch (error) {
      throw via === 'root' ? error : located(error, reached.path)
    }
    return draft
  }

  #addConditions(draft: PlanDraft, own: readonly ParameterUse[]): void {
    const { type, via } = draft
    // Entries that the data of a write links are named by their ids alone.
    const isKnown = via === 'root' && this.query.ids !== null
    if (type.kind !== 'component' && via !== 'link' && !isKnown) {
      for (const [name, { definition }] of this.#planning.parameters) {
        if (!definition.for(type)) continue
        const isOwn = via === 'populate' && own.some(use => use.name === name)
        // A parameter sent at a populate acts there for every action of the query (B-8.13).
        if (!isOwn && !this.#concerns(definition.actions)) continue
        if (via !== 'root' && definition.depth === 'root' && !isOwn) continue
        const use = this.use(name, via)
        if (use !== null) draft.plan(definition, use)
      }
    }
    if (this.#isFree) return
    if (via !== 'link')
      for (const attribute of this.registry.divergence.withheld.get(type) ?? []) draft.withhold(attribute)
    this.#planning.prePlan?.(type, draft, this.access)
  }

  /** Rules restrict callers: they hold neither for what the kernel looks up nor for what the system changes. */
  get #isFree(): boolean {
    const { internal, stage } = this.query
    return internal && stage !== 'read' && stage !== 'answer'
  }

  /** Rules cost the caller nothing, but those that pass each other's types would be followed without end. */
  #countRule({ type, through }: ReachedNode): void {
    if (++this.#spent.rules <= maxRuleNodes) return
    throw new UsageError(
      'PLINTH_PLAN_RULES',
      `The rules of one node pass more than ${maxRuleNodes} other nodes, the last ${type.uid} through ` +
        `"${through?.name}". Rules that are also laid on nodes with the via "rule" lead to each other without end`,
    )
  }

  /** Every node is a statement or a join, so the number of nodes is limited (security.md row 39). */
  #spend(path: string): void {
    this.#spent.rules = 0
    if (this.query.internal) return
    const isFree = this.#spent.free > 0
    if (isFree) this.#spent.hidden++
    else this.#spent.cost++
    const maxCost = Math.max(this.#planning.maxCost, this.query.maxCost ?? 0)
    if (this.#spent.cost <= maxCost && this.#spent.hidden <= 50 * maxCost) return
    throw new ValidationError(`Query too expensive: it uses more than ${maxCost} content types and components`, {
      path,
      cost: this.#spent.cost,
    })
  }

  /** Counts all nodes that `work` visits as one: of the types that a polymorphic relation may link, few are linked. */
  asOne<T>(work: () => T): T {
    this.#spent.cost++
    this.#spent.free++
    try {
      return work()
    } finally {
      this.#spent.free--
    }
  }

  /**
   * Returns whether a parameter for these actions acts on the query: never on a write's answer (B-8.14) or result, and
   * on its target only in single types, for entries of other types are named by their id alone.
   */
  #concerns(actions: readonly Action[]): boolean {
    const { action, stage, id } = this.query
    if (stage === 'answer' || stage === 'lookup' || stage === 'result' || (stage === 'target' && id !== null))
      return false
    return actions.includes(action)
  }

  /**
   * The value of a parameter for a node, sent or from its fallback; null if there is neither. On nodes of rules it is
   * the fallback: what a caller sends must not change what a rule says.
   */
  use(name: string, via: Via): ParameterValue | null {
    const sent = via === 'rule' ? undefined : this.#uses.get(name)
    if (sent !== undefined) return { shape: sent.shape, value: { slot: sent.slot, at: sent.path } }
    const { fallback, fallbackShape = '', isFixed = false } = this.#planning.parameters.get(name)?.definition ?? {}
    return fallback === undefined
      ? null
      : { shape: fallbackShape, value: { perRequest: fallback, isConstant: isFixed } }
  }
}
