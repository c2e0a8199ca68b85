// Does the steps of a plan: the safe ones, and of the lossy ones those that were named. The plan is made anew under the lock,
// because another process may have done it meanwhile.

import type { Database } from '../database/database.ts'
import type { Transaction } from '../database/session.ts'
import { StartError } from '../errors.ts'
import { nearest } from '../nearest.ts'
import type { Registry } from '../model/registry.ts'
import { isClash } from '../database/clash.ts'
import { underLock } from './lock.ts'
import { makePlan, type Plan } from './plan.ts'
import { isAdditive, type MigrationStep } from './step.ts'

/** What was done and what was not. */
export interface Applied {
  readonly done: readonly MigrationStep[]
  readonly left: readonly MigrationStep[]
  /** Indexes that rows refused. */
  readonly warnings: readonly string[]
}

/** Does all safe steps, and the lossy ones in `names`. Throws for names that the plan does not have or cannot do. */
export async function applyPlan(database: Database, registry: Registry, names: readonly string[]): Promise<Applied> {
  return database.ddl.withoutForeignKeys(database.knex, () =>
    underLock(database, async tx => {
      const done: MigrationStep[] = []
      const warnings = new Set<string>()
      const named = new Set(names)
      for (let isFirst = true; ; isFirst = false) {
        const plan = await makePlan(database.ddl, tx, registry, { drops: true })
        if (isFirst) refuseNames(plan, named)
        const chosen = plan.steps.filter(
          step => step.risk === 'safe' || (step.risk === 'lossy' && named.has(step.name)),
        )
        const again = chosen.find(step => done.some(one => one.name === step.name))
        if (again !== undefined)
          throw new StartError(
            'PLINTH_MIGRATION_STEP',
            `${again.name} was done, and the plan still has it: ${again.sql.join('; ')}`,
          )
        for (const step of chosen) await run(database, tx, step, warnings)
        for (const step of plan.steps) if (step.risk === 'blocked') await fallBack(tx, step, warnings)
        done.push(...chosen)
        if (chosen.length > 0) continue
        const stuck = plan.steps.find(step => named.has(step.name))
        if (stuck !== undefined)
          throw new StartError('PLINTH_MIGRATION_STEP', `${stuck.name} cannot be done: ${stuck.why}`)
        return { done, left: plan.steps, warnings: [...warnings] }
      }
    }),
  )
}

/** Does those of the additive steps that `may` be done, and nothing else. */
export async function applyAdditions(
  database: Database,
  registry: Registry,
  may: (step: MigrationStep) => boolean,
): Promise<Applied> {
  return underLock(database, async tx => {
    const plan = await makePlan(database.ddl, tx, registry, { drops: false })
    const warnings = new Set<string>()
    const chosen = plan.steps.filter(step => isAdditive(step) && may(step))
    for (const step of chosen) {
      if (step.risk === 'safe') await run(database, tx, step, warnings)
      else await fallBack(tx, step, warnings)
    }
    return { done: chosen, left: plan.steps.filter(step => !chosen.includes(step)), warnings: [...warnings] }
  })
}

function refuseNames({ steps }: Plan, named: ReadonlySet<string>): void {
  for (const name of named) {
    const step = steps.find(one => one.name === name)
    if (step === undefined) {
      const near = nearest(
        name,
        steps.map(one => one.name),
      )
      throw new StartError(
        'PLINTH_MIGRATION_STEP',
        `the plan has no step "${name}"${near === null ? '' : `, did you mean "${near}"?`}`,
      )
    }
    // A table that others refer to may go with them.
    if (step.risk === 'blocked' && step.kind !== 'drop')
      throw new StartError('PLINTH_MIGRATION_STEP', `${name} cannot be done: ${step.why}`)
  }
}

async function run(database: Database, tx: Transaction, step: MigrationStep, warnings: Set<string>): Promise<void> {
  if (step.fallback === undefined) return runAll(tx, step.sql)
  try {
    // As a part of its own: PostgreSQL, having refused an index, refuses all that follows in the same part. MySQL commits with
    // every change of a table and knows no parts of such.
    if (!database.ddl.isTransactional) await runAll(tx, step.sql)
    else await database.transaction(part => runAll(part, step.sql))
  } catch (error) {
    if (!isClash(error) && !database.ddl.isUnindexable(error)) throw error
    await fallBack(tx, step, warnings)
  }
}

/** What a broken step of MySQL has set for its connection is set back: the connection outlives it. */
async function runAll(tx: Transaction, sql: readonly string[]): Promise<void> {
  try {
    for (const text of sql) await tx.run(text, [])
  } catch (error) {
    const last = sql.at(-1)!
    if (last.startsWith('SET ')) await tx.run(last, [])
    throw error
  }
}

/** v4 did not enforce uniqueness in the database: old rows may clash, and they stay. */
async function fallBack(tx: Transaction, { fallback }: MigrationStep, warnings: Set<string>): Promise<void> {
  if (fallback === undefined || warnings.has(fallback.warning)) return
  warnings.add(fallback.warning)
  for (const text of fallback.sql) await tx.run(text, [])
}
