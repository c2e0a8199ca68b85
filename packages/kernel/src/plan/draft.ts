// The draft of a plan node: the argument of plugins' parameters and `prePlan` hooks. They add conditions by attribute
// name, which are resolved at once, so that the stack of an error shows where the condition was added.

import type { Access } from '../context.ts'
import { invalidParameter, UsageError } from '../errors.ts'
import type { Attribute, ContentType, RelationAttribute, ScalarAttribute } from '../model/content-type.ts'
import { suggestion } from '../nearest.ts'
import type { Action, Query, Stage } from '../query/query.ts'
import { checkWords } from '../registration/checks.ts'
import { knownWords } from '../registration/registrar.ts'
import { checkCalculation, type MetaSource, metaWords } from './calculation.ts'
import type { Condition } from './condition.ts'
import { resolveCondition } from './conditions.ts'
import type { NodeOpener, ReachedNode, Via } from './open-node.ts'
import type { ParameterValue } from './operand.ts'
import type { MetaMember, Test } from './plan.ts'
import { columnOf, scalarColumn, stepOf } from './resolve.ts'

/** The planning that a draft belongs to. */
interface DraftScope extends NodeOpener {
  readonly query: Query
  readonly access: Access
  /** The attributes that the data of the write may not change. */
  readonly forbidden: Set<string>
  /** The attributes that hooks of writes keep from the caller. */
  readonly closed: Set<string>
  /** The value of a parameter for a node that is reached by `via`; null if there is none. */
  use(name: string, via: Via): ParameterValue | null
}

const none: ReadonlySet<string> = new Set()

/** The ways to a node that `drop` can close. */
const droppable: ReadonlySet<Via> = new Set<Via>(['populate', 'meta', 'link'])

/** A node of a plan that can still be changed. */
export class PlanDraft {
  readonly type: ContentType
  readonly via: Via
  /**
   * The attribute by which the node is reached, such as a relation, a component or a zone of the node before; null at
   * the root. Its `type` is the name in the schema, also if a plugin defined it as an alias of a relation.
   */
  readonly through: Attribute | null
  /**
   * Of a link: the relations of the node's type that show it from the other side, which the write changes too. Empty on
   * other nodes, and for a relation without another side.
   */
  readonly inverses: readonly RelationAttribute[]
  /** The dotted path from the root of the query: `populate.author.filters.articles`. */
  readonly path: string
  readonly query: Query
  readonly access: Access
  readonly #scope: DraftScope
  readonly #broad: Test[] = []
  readonly #narrow: Test[] = []
  readonly #meta: MetaMember[] = []
  #hidden: Set<string> | null = null
  #isAsked = false
  #isParameter = false
  /**
   * True if a condition was added that does not belong to a parameter.
   * @internal
   */
  isRestricted = false
  /** @internal */
  isDropped = false
  /**
   * The reason why the node was dropped, for the developer of the application.
   * @internal
   */
  dropReason: string | null = null
  /** @internal */
  isList = false

  /** @internal */
  constructor(scope: DraftScope, { type, via, through, inverses = [], path }: ReachedNode) {
    this.type = type
    this.via = via
    this.through = through
    this.inverses = inverses
    this.path = path
    this.query = scope.query
    this.access = scope.access
    this.#scope = scope
  }

  get action(): Action {
    return this.query.action
  }

  /**
   * The purpose of the query. A `target` finds the entry of an update or deletion: what its rules hide, the caller
   * cannot change. A `result` finds the entry that a creation or update has written: what its rules hide, the caller
   * cannot store. An `answer` shows what was written.
   */
  get stage(): Stage {
    return this.query.stage
  }

  /**
   * The value of another parameter for this node, sent or from its fallback, for parameters that act together. Null if
   * there is neither.
   */
  parameter(name: string): ParameterValue | null {
    const use = this.#scope.use(name, this.via)
    if (use !== null && 'slot' in use.value) this.#isAsked = true
    return use
  }

  /**
   * Lets a parameter act on the node. What it adds is a question of the caller if the caller sent the parameter, or one
   * that it asks for.
   * @internal
   */
  plan(definition: { plan(node: PlanDraft, use: ParameterValue): void }, use: ParameterValue): void {
    this.#isAsked = 'slot' in use.value
    this.#isParameter = true
    definition.plan(this, use)
    this.#isAsked = false
    this.#isParameter = false
  }

  /**
   * Hides entries that do not fulfil the condition from this query. Has no effect on the root of a write's answer: the
   * writer of an entry sees what became of it (B-8.14), and on the root of a query for entries that the caller has
   * already (`ReadRequest.entries`). Throws UsageError for attributes that do not exist.
   *
   * `narrow`: few entries fulfil the condition, such as those of one owner, so the database may begin with an index on
   * its attributes. Without it a list is read in its order, which is faster if nearly all entries fulfil the condition.
   */
  where(condition: Condition, options: { readonly narrow?: boolean } = {}): void {
    checkWhereOptions(options)
    if (this.via === 'root' && (this.stage === 'answer' || this.query.ids !== null)) return
    if (!this.#isParameter) this.isRestricted = true
    const { type, path } = this
    const test = resolveCondition(this.#scope, { type, path, via: this.#isAsked ? 'filter' : 'rule' }, condition)
    if (options.narrow === true) this.#narrow.push(test)
    else this.#broad.push(test)
  }

  /**
   * Hides entries without a value of an attribute that the type has no longer.
   * @internal
   */
  withhold(attribute: ScalarAttribute): void {
    if (this.via === 'root' && (this.stage === 'answer' || this.query.ids !== null)) return
    this.isRestricted = true
    this.#broad.push({ op: 'null', column: scalarColumn(this.type, attribute), isNull: false })
  }

  /**
   * Makes attributes of this node behave as private ones: they are left out of the answer, `_q` does not search them,
   * and a filter, sort key, field or populate that names them is treated like one that names an attribute that does not
   * exist. Conditions of plugins may still use them. The same attributes at other nodes are not affected, nor is the
   * data of a write. Throws UsageError for attributes that do not exist; `id` cannot be hidden.
   */
  hide(...names: readonly string[]): void {
    requireNames(this.type, names, 'hide')
    this.#hidden ??= new Set()
    for (const name of names) this.#hidden.add(name)
  }

  /**
   * Forbids the data of a write to change attributes, from either side: on the root of a `result`, data that name one
   * of them are refused, and on a link, the relation through which it leads to one of them. The answer is
   * ForbiddenError, and nothing is written. Has no effect on other nodes. Throws UsageError for attributes that do not
   * exist.
   */
  forbid(...names: readonly string[]): void {
    requireNames(this.type, names, 'forbid')
    const isOfWrite = this.via === 'link' || (this.via === 'root' && this.stage === 'result')
    if (isOfWrite) for (const name of names) this.#scope.forbidden.add(name)
  }

  /**
   * Declares on the root of a `result` that a `preWrite` hook keeps attributes from the caller: it refuses them, or leaves
   * them out. Nothing is refused by this; it tells those who ask before they write
   * (`kernel.writer.entries.writableAttributes`), such as forms. Has no effect on other nodes. Throws UsageError for
   * attributes that do not exist.
   */
  declareClosed(...names: readonly string[]): void {
    requireNames(this.type, names, 'close')
    if (this.via === 'root' && this.stage === 'result') for (const name of names) this.#scope.closed.add(name)
  }

  /**
   * Adds to the `meta` of each entry the values of `attribute` of the entries linked by `relation`: as a list, or as
   * the one value that `calculate` names. For root nodes of transports that show `meta` (`query.meta`); has no effect
   * on nodes that are not answered, or if the transport leaves it out. The linked type is a node with the via `meta`:
   * if it is dropped, or one of the two attributes is hidden, the member is left out. Throws UsageError for an
   * attribute whose values cannot be calculated so, and for a name that the `meta` of the node has already.
   */
  meta(name: string, source: MetaSource): void {
    checkWords<MetaSource>(source, metaWords, fault => {
      throw new UsageError('PLINTH_PLAN_META', `meta "${name}": ${fault}`)
    })
    if (this.query.meta === 'unread' || (this.via !== 'root' && this.via !== 'populate')) return
    if (this.#meta.some(one => one.name === name))
      throw new UsageError(
        'PLINTH_PLAN_META',
        `meta "${name}": another plan hook has added this member to ${this.path}`,
      )
    const { relation, attribute, calculate } = source
    const step = stepOf(this.#scope, this.type, relation)
    const column = columnOf(step.to, attribute)
    if (calculate !== undefined) checkCalculation(calculate, attribute, column)
    const path = `${this.path}.${relation}`
    const target = this.#scope.open({ type: step.to, via: 'meta', through: step.attribute, path })
    if (target.isDropped || target.hides(attribute)) return
    this.#meta.push({ name, calculation: calculate ?? null, step, column, visible: target.rules })
  }

  /** Makes the query of a single type return all its entries instead of one (B-3.50). */
  answerList(): void {
    this.isList = true
  }

  /**
   * Removes what leads to the node: a populated branch from the answer, a member from the `meta` of entries, a relation
   * from the data of a write, each as if it had not been there. Throws UsageError for a node that is reached otherwise.
   * `reason` is what the hook `onRemark` tells the developer of the application.
   */
  drop(reason: string | null = null): void {
    if (!droppable.has(this.via))
      throw new UsageError(
        'PLINTH_PLAN_DROP',
        `Only a populated node, a meta list and a link can be dropped, not "${this.path}", which is reached by "${this.via}"`,
      )
    this.isDropped = true
    this.dropReason ??= reason
  }

  /**
   * Closes the node to the caller, in the way of v4: what is populated, listed or linked is left out without an error
   * (B-2.86, B-4.3), and a filter or a sort key that passes it throws ValidationError (B-2.10). Throws UsageError for a
   * root and for a node of a rule. `reason` is for the developer of the application, as of `drop`.
   */
  refuse(reason: string | null = null): void {
    if (this.via !== 'filter' && this.via !== 'sort') {
      this.drop(reason)
      return
    }
    const end = this.path.lastIndexOf('.')
    const error = invalidParameter(this.path.slice(end + 1), this.path)
    throw reason === null ? error : error.withReason(`${this.path.slice(0, end)}: ${reason}`)
  }

  /**
   * Returns whether the node is shown with the entry that leads to it, without a right to find its type: components,
   * creators, and what attribute types of plugins declare so (B-2.86, B-3.30).
   */
  get isShownWithEntry(): boolean {
    return this.type.kind === 'component' || this.through?.isShownWithEntry === true
  }

  /**
   * Returns whether `hide` was called for the attribute.
   * @internal
   */
  hides(name: string): boolean {
    return this.#hidden?.has(name) === true
  }

  /**
   * Returns whether the caller may name and read the attribute.
   * @internal
   */
  isReadable(attribute: Attribute): boolean {
    return (!attribute.private || this.query.internal) && !this.hides(attribute.name)
  }

  /**
   * The attributes that `hide` was called for.
   * @internal
   */
  get hidden(): ReadonlySet<string> {
    return this.#hidden ?? none
  }

  /**
   * The members of the `meta` of the node's entries.
   * @internal
   */
  get metaMembers(): readonly MetaMember[] {
    return this.#hidden === null ? this.#meta : this.#meta.filter(one => !this.hides(one.step.attribute.name))
  }

  /**
   * The conditions added so far, as one test.
   * @internal
   */
  get rules(): Test | null {
    const rules = [ruleOf(this.#narrow, true), ruleOf(this.#broad, false)].filter(one => one !== null)
    return rules.length < 2 ? (rules[0] ?? null) : { op: 'and', of: rules }
  }
}

function ruleOf(tests: readonly Test[], isNarrow: boolean): Test | null {
  if (tests.length === 0) return null
  return { op: 'rule', of: tests.length === 1 ? tests[0]! : { op: 'and', of: [...tests] }, isNarrow }
}

function requireNames({ uid, attributes }: ContentType, names: readonly string[], verb: string): void {
  for (const name of names)
    if (!attributes.has(name)) {
      const fault = `${uid} has no attribute "${name}" to ${verb}${suggestion(name, attributes.keys())}`
      throw new UsageError('PLINTH_ATTRIBUTE_UNKNOWN', fault)
    }
}

/** A misspelt option would be without effect, and a slow list the only sign of it. */
function checkWhereOptions(options: object): void {
  for (const key of Object.keys(options))
    if (key !== 'narrow')
      throw new UsageError(
        'PLINTH_PLAN_OPTION',
        `where: the option "${key}" is not known${knownWords(key, ['narrow'])}`,
      )
}
