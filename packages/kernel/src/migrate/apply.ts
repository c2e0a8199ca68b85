// Runs the steps of a plan: all safe ones, and the named ones among the lossy. The plan is made again under the lock,
// because another process may have run it meanwhile.

import { isClash } from '../connection/clash.ts'
import type { Database } from '../connection/database.ts'
import type { Transaction } from '../connection/session.ts'
import { StartError } from '../errors.ts'
import type { Registry } from '../model/registry.ts'
import { nearest } from '../nearest.ts'
import { underLock } from './lock.ts'
import { makePlan, type Plan } from './plan.ts'
import { isAdditive, isDecision, type MigrationStep } from './step.ts'

/** The steps that were done and those that were not. */
export interface ApplyResult {
  readonly done: readonly MigrationStep[]
  readonly left: readonly MigrationStep[]
  /** Messages about unique indexes that the rows do not allow. */
  readonly warnings: readonly string[]
}

/**
 * Runs all safe steps, and the lossy ones in `names`. Throws if the plan does not have a named step or cannot run it.
 */
export async function applyPlan(
  database: Database,
  registry: Registry,
  names: readonly string[],
): Promise<ApplyResult> {
  return database.ddl.withoutForeignKeys(database.knex, () =>
    underLock(database, async tx => {
      const done: MigrationStep[] = []
      const warnings = new Set<string>()
      const nameSet = new Set(names)
      for (let isFirst = true; ; isFirst = false) {
        const plan = await makePlan(database.ddl, tx, registry, { drops: true })
        if (isFirst) refuseNames(plan, nameSet)
        const chosen = plan.steps.filter(
          step => step.isOnline !== true && (step.risk === 'safe' || (step.risk === 'lossy' && nameSet.has(step.name))),
        )
        const again = chosen.find(step => done.some(one => one.name === step.name))
        if (again !== undefined)
          throw new StartError(
            'PLINTH_MIGRATION_STEP',
            `The step "${again.name}" has run, but the new plan still contains it: ${again.sql.join('; ')}`,
          )
        for (const step of chosen) await placed(database, step, () => run(database, tx, step, warnings))
        for (const step of plan.steps)
          if (step.risk === 'blocked') await placed(database, step, () => fallBack(tx, step, warnings))
        done.push(...chosen)
        if (chosen.length > 0) continue
        const stuck = plan.steps.find(step => step.isOnline !== true && nameSet.has(step.name))
        if (stuck !== undefined)
          throw new StartError('PLINTH_MIGRATION_STEP', `The step "${stuck.name}" cannot run: ${stuck.why}`)
        return { done, left: plan.steps, warnings: [...warnings] }
      }
    }),
  )
}

/** Runs the additive and the safe steps that `may` selects, and no others. `allRows` as for makePlan(). */
export async function applyAdditions(
  database: Database,
  registry: Registry,
  may: (step: MigrationStep) => boolean,
  allRows = false,
): Promise<ApplyResult> {
  return underLock(database, async tx => {
    const plan = await makePlan(database.ddl, tx, registry, { drops: false, allRows })
    const warnings = new Set<string>()
    const chosen = plan.steps.filter(step => (isAdditive(step) || step.risk === 'safe') && may(step))
    for (const step of chosen) {
      if (step.risk === 'safe') await placed(database, step, () => run(database, tx, step, warnings))
      else await placed(database, step, () => fallBack(tx, step, warnings))
    }
    return { done: chosen, left: plan.steps.filter(step => !chosen.includes(step)), warnings: [...warnings] }
  })
}

function refuseNames({ steps }: Plan, names: ReadonlySet<string>): void {
  const [decision, other] = steps.filter(step => isDecision(step) && names.has(step.name) && rivalOf(step, names))
  if (decision !== undefined && other !== undefined)
    throw new StartError(
      'PLINTH_MIGRATION_STEP',
      `The steps "${decision.name}" and "${other.name}" exclude each other; name one of them`,
    )
  for (const name of names) {
    const step = steps.find(one => one.name === name)
    if (step === undefined) {
      const near = nearest(
        name,
        steps.map(one => one.name),
      )
      throw new StartError(
        'PLINTH_MIGRATION_STEP',
        `The plan has no step "${name}"${near === null ? '' : `, did you mean "${near}"?`}`,
      )
    }
    // A table is blocked while others refer to it; it can be dropped after them.
    if (step.risk === 'blocked' && step.kind !== 'drop')
      throw new StartError('PLINTH_MIGRATION_STEP', `The step "${name}" cannot run: ${step.why}`)
  }
}

/** Returns whether the other decision about the same hidden entries is named too. */
function rivalOf({ name, kind }: MigrationStep, names: ReadonlySet<string>): boolean {
  return names.has(`${kind === 'show' ? 'delete' : 'show'}${name.slice(name.indexOf(':'))}`)
}

/** Runs a step. What the database refuses in it is an error with the type and the step. */
async function placed({ ddl }: Database, step: MigrationStep, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!ddl.isRefusal(error)) throw error
    const place = step.uid === null ? '' : `${step.uid}: `
    const fault = `the database refuses the step "${step.name}", which ${step.says}`
    throw new StartError('PLINTH_MIGRATION_STEP', `${place}${fault}: ${(error as Error).message}`, { cause: error })
  }
}

async function run(database: Database, tx: Transaction, step: MigrationStep, warnings: Set<string>): Promise<void> {
  const { isTransactional } = database.ddl
  if (step.ranged !== undefined && !isTransactional) return runRanged(database, tx, step)
  if (step.fallback === undefined) return runAll(tx, step.sql)
  try {
    // Runs in a savepoint: after PostgreSQL has refused an index, it refuses all later statements in the same
    // savepoint. On MySQL, changes of tables commit, so there are no savepoints around them.
    if (!isTransactional) await runAll(tx, step.sql)
    else await database.transaction(tx => runAll(tx, step.sql))
  } catch (error) {
    if (!isClash(error) && !database.ddl.isUnindexable(error)) throw error
    await fallBack(tx, step, warnings)
  }
}

/** The number of ids in the range of one statement. */
const rangeSize = 10_000

/** Runs the statements of a step, and those on many rows for one range of ids after the other. */
async function runRanged({ ddl }: Database, tx: Transaction, { sql, ranged }: MigrationStep): Promise<void> {
  const { table, texts } = ranged!
  const id = ddl.quote('id')
  for (const text of sql) {
    if (!texts.includes(text)) {
      await tx.run(text, [])
      continue
    }
    const [ends] = await tx.all(`SELECT MIN(${id}), MAX(${id}) FROM ${ddl.quote(table)}`, [])
    const [first, last] = ends!.map(Number) as [number, number]
    // An empty table has no first id, which reads as 0.
    for (let from = first; from <= last; from += rangeSize)
      await tx.run(`${text} AND ${id} BETWEEN ${from} AND ${from + rangeSize - 1}`, [])
  }
}

/**
 * Runs the statements of a step. If a step fails on MySQL, its last SET still runs, because the connection is used
 * again.
 */
async function runAll(tx: Transaction, sql: readonly string[]): Promise<void> {
  try {
    for (const text of sql) await tx.run(text, [])
  } catch (error) {
    const last = sql.at(-1)!
    if (last.startsWith('SET ')) await tx.run(last, [])
    throw error
  }
}

/**
 * Adds the fallback of a unique index: v4 did not enforce uniqueness in the database, so old rows may be duplicates,
 * and they stay.
 */
async function fallBack(tx: Transaction, { fallback }: MigrationStep, warnings: Set<string>): Promise<void> {
  if (fallback === undefined || warnings.has(fallback.warning)) return
  warnings.add(fallback.warning)
  for (const text of fallback.sql) await tx.run(text, [])
}
