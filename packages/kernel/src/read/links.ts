// The queries that test the links of writes against the rules of plugins. Knows neither the data nor the order of
// writes.

import type { Access, Context } from '../context.ts'
import { type LinkingWrite, type LinkPlan, type LinkStep, planLink } from '../plan/link.ts'
import type { Plan } from '../plan/plan.ts'
import { type CompiledPlan, compilePlan } from '../sql/compile.ts'
import type { Engine } from './engine.ts'

/** The test of the entries that a write links: the plan of it, with its queries compiled. */
export interface LinkTest extends Omit<LinkPlan, 'linkable' | 'takenFromProtected'> {
  readonly linkable: CompiledPlan | null
  readonly takenFromProtected: CompiledPlan | null
}

/** Prepares and runs tests of links. */
export class LinkTests {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * Plans the test of the links that a write makes through a relation to entries of one type. Null if rules restrict
   * neither the relation nor the entries.
   */
  prepare(write: LinkingWrite, step: LinkStep, access: Access): LinkTest | null {
    const { database, planning } = this.#engine
    const plan = planLink(planning, write, step, access)
    const compile = (one: Plan | null) => (one === null ? null : compilePlan(database.dialect, one))
    const test = { ...plan, linkable: compile(plan.linkable), takenFromProtected: compile(plan.takenFromProtected) }
    return test.isDropped || test.refusal !== null || test.linkable !== null || test.takenFromProtected !== null
      ? test
      : null
  }

  /** Returns those of the ids that a query of a test finds. Hooks of reads do not run. */
  async find(compiled: CompiledPlan, ids: readonly number[], context: Context): Promise<Set<number>> {
    const parsed = { query: compiled.plan.query, values: [ids], pagination: null }
    const prepared = { compiled, parsed, bound: null, cost: ids.length }
    const { rows } = await this.#engine.runWithoutHooks(prepared, context)
    return new Set(rows.rows.map(([id]) => Number(id)))
  }
}
