// Asks the rules of plugins about a write: which entry may be changed, what may be stored, and which attributes the
// data may name. Prepares each query once and runs it past all caches. Knows no rules.

import { type Context, systemAccess } from '../context.ts'
import { ForbiddenError, NotFoundError } from '../errors.ts'
import type { Stage } from '../query/query.ts'
import type { Params } from '../query/request.ts'
import type { Engine } from '../read/engine.ts'
import { weighPrepared } from '../read/weight.ts'
import type { PreparedQuery } from '../result/execution.ts'
import { mayExist } from '../sql/dialect.ts'
import { TextCache } from '../text-cache.ts'

/** Parameters that select only the id. */
const onlyId: Params = { fields: ['id'] }

/** The actions of writes that rules restrict. */
type RuledAction = 'create' | 'update' | 'delete'

/** The query of the rules about one stage of a write. `prepared` is null if no rule restricts the write. */
interface RuleQuery {
  readonly stage: Stage
  readonly uid: string
  readonly action: RuledAction
  /** The key of the rights. */
  readonly key: string
  readonly prepared: PreparedQuery | null
  /** The attributes that the data may not name. */
  readonly forbidden: ReadonlySet<string>
  /** The attributes that hooks of writes keep from the caller. */
  readonly closed: ReadonlySet<string>
}

/** The number of queries that are found without building a key, because similar writes often follow each other. */
const maxRecent = 8

const noNames: ReadonlySet<string> = new Set()

/** Finds and runs the queries of rules, by stage, type, action and rights. */
export class RuleQueries {
  readonly #engine: Engine
  readonly #cached = new TextCache<RuleQuery>({
    max: 5000,
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ prepared }, key) => 200 + 2 * key.length + (prepared === null ? 0 : weighPrepared(prepared)),
  })
  readonly #recent: RuleQuery[] = []
  #nextRecent = 0

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * Returns the target query of an update or deletion: finds the entry if the rules of plugins let the caller change
   * it. Null if there is no rule, so that most writes run no statement for it.
   */
  target(uid: string, action: 'update' | 'delete', context: Context): PreparedQuery | null {
    return this.#find('target', uid, action, context)?.prepared ?? null
  }

  /**
   * Returns the result query of a creation or update: finds the entry, once it is written, if the rules of plugins let
   * the caller store it like that. `action` is the one whose right the write needs. Null if there is no rule.
   */
  result(uid: string, action: 'create' | 'update', context: Context): PreparedQuery | null {
    return this.#find('result', uid, action, context)?.prepared ?? null
  }

  /** Returns the attributes that the rules of plugins forbid the caller to write. */
  forbiddenAttributes(uid: string, action: 'create' | 'update', context: Context): ReadonlySet<string> {
    return this.#find('result', uid, action, context)?.forbidden ?? noNames
  }

  /** Returns the attributes that plugins have declared to keep from the caller by hooks of their own. */
  closedAttributes(uid: string, action: 'create' | 'update', context: Context): ReadonlySet<string> {
    return this.#find('result', uid, action, context)?.closed ?? noNames
  }

  /** Throws NotFoundError if a rule hides the entry from the caller, or if there is none. */
  async requireTarget(target: PreparedQuery, id: number, context: Context): Promise<void> {
    if (!(await this.#isFound(target, id, context))) throw new NotFoundError()
  }

  /** Throws ForbiddenError if a rule hides what was written from the caller. */
  async requireResult(result: PreparedQuery, id: number, context: Context): Promise<void> {
    if (await this.#isFound(result, id, context)) return
    throw new ForbiddenError().withReason('a rule forbids the caller to store the entry as it would be')
  }

  /** Returns whether rules let the caller change the entry. */
  async mayChange(uid: string, id: number, context: Context): Promise<boolean> {
    const target = this.target(uid, 'update', context)
    return target === null || (mayExist(this.#engine.database.dialect, id) && this.#isFound(target, id, context))
  }

  /** Returns whether rules let the caller store the entry as it is now. */
  async mayStore(uid: string, id: number, context: Context): Promise<boolean> {
    const result = this.result(uid, 'update', context)
    return result === null || this.#isFound(result, id, context)
  }

  /** Hooks of reads do not run, because a cache would answer with an earlier result. */
  async #isFound(query: PreparedQuery, id: number, context: Context): Promise<boolean> {
    const { rows } = await this.#engine.runWithoutHooks(this.#engine.rebind(query, id, context), context)
    return rows.rows.length > 0
  }

  /** Returns what rules say about a stage of a write; null if no plugin has rules. */
  #find(stage: Stage, uid: string, action: RuledAction, context: Context): RuleQuery | null {
    // Rules restrict callers, not the work of plugins, such as a change of all translations.
    if (context.access === systemAccess) return null
    if (!this.#engine.hooks.hasRules(uid, action) && !this.#isWithheld(uid)) return null
    const { key } = context.access
    for (const one of this.#recent)
      if (one.stage === stage && one.uid === uid && one.action === action && one.key === key) return one
    const text = `${stage} ${uid} ${action} ${key}`
    const query = this.#cached.get(text) ?? this.#prepare(stage, uid, action, context)
    this.#cached.set(text, query)
    this.#recent[this.#nextRecent++ % maxRecent] = query
    return query
  }

  /** Returns whether entries of the type are hidden by an attribute that it has no longer. */
  #isWithheld(uid: string): boolean {
    const { registry } = this.#engine
    const { withheld } = registry.divergence
    return withheld.size > 0 && withheld.has(registry.require(uid))
  }

  #prepare(stage: Stage, uid: string, action: RuledAction, context: Context): RuleQuery {
    const prepared = this.#engine.prepare({ uid, action, params: onlyId, stage, id: 0, isAuthorized: true }, context)
    const { isRuled, plan } = prepared.compiled
    const { key } = context.access
    return {
      stage,
      uid,
      action,
      key,
      prepared: isRuled ? prepared : null,
      forbidden: plan.forbidden,
      closed: plan.closed,
    }
  }
}
