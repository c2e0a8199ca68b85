// The queries by which the rules of plugins restrict a write: one finds the entry that may be changed, one what may be
// stored. Knows no rules, and does not run the queries.

import { LRUCache } from '#lru-cache'
import type { Prepared } from '../answer/execution.ts'
import { type Context, systemAccess } from '../context.ts'
import type { Params } from '../query/parse.ts'
import type { Action, Stage } from '../query/query.ts'
import type { Engine } from '../read/engine.ts'
import { weighPrepared } from '../read/weight.ts'

/** Parameters that select only the id. */
const onlyId: Params = Object.freeze({ fields: ['id'] })

/** What a query is for, and the query; null if no rule restricts the write. */
interface RuleQuery {
  readonly stage: Stage
  readonly uid: string
  readonly action: Action
  /** The key of the rights. */
  readonly key: string
  readonly prepared: Prepared | null
}

/** The number of queries that are found without building a key, because similar writes often follow each other. */
const maxRecent = 8

/** Finds the queries of rules by stage, type, action and rights. */
export class RuleQueries {
  readonly #engine: Engine
  readonly #known = new LRUCache<string, RuleQuery>({
    max: 5000,
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ prepared }, key) => 200 + 2 * key.length + (prepared === null ? 0 : weighPrepared(prepared)),
  })
  readonly #recent: RuleQuery[] = []
  #nextRecent = 0

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** The query for a stage of a write; null if there is no rule, so that most writes run no statement for it. */
  find(stage: Stage, uid: string, action: Action, context: Context): Prepared | null {
    // Rules restrict callers, not the work of plugins, such as a change of all translations.
    if (context.access === systemAccess) return null
    if (!this.#engine.hasRules(uid, action) && !this.#isWithheld(uid)) return null
    const { key } = context.access
    for (const one of this.#recent)
      if (one.stage === stage && one.uid === uid && one.action === action && one.key === key) return one.prepared
    const text = `${stage} ${uid} ${action} ${key}`
    const found = this.#known.get(text) ?? this.#prepare(stage, uid, action, context)
    this.#known.set(text, found)
    this.#recent[this.#nextRecent++ % maxRecent] = found
    return found.prepared
  }

  /** Whether entries of the type are hidden by an attribute that it has no longer. */
  #isWithheld(uid: string): boolean {
    const { registry } = this.#engine
    const { withheld } = registry.divergence
    return withheld.size > 0 && withheld.has(registry.require(uid))
  }

  #prepare(stage: Stage, uid: string, action: Action, context: Context): RuleQuery {
    const parsed = this.#engine.parse(onlyId, { uid, action, stage, id: 0, pagination: null })
    const prepared = this.#engine.prepare(parsed, context)
    return { stage, uid, action, key: context.access.key, prepared: prepared.compiled.isRuled ? prepared : null }
  }
}
