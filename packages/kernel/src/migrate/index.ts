// Migrations for tools: `@plinth/kernel/migrate`. A kernel created with `migrate: 'none'` knows the model but does not
// change the database; these functions read and change it.

import type { Database } from '../connection/database.ts'
import type { Registry } from '../model/registry.ts'
import { type ApplyResult, applyPlan as applySteps } from './apply.ts'
import { fileStates, type MigrationFile, runFiles, undoFile } from './files.ts'
import { makeOnlineIndexes } from './online-indexes.ts'
import { makePlan } from './plan.ts'
import type { MigrationStep } from './step.ts'

export type { ApplyResult } from './apply.ts'
export type { MigrationFile } from './files.ts'
export { makePlan, type Plan, type PlanOptions } from './plan.ts'
export { readColumns } from './present-columns.ts'
export type { MigrationStep, Risk } from './step.ts'
export { isImportUnfinished, unfinishedTable } from './unfinished-import.ts'

/** The part of a kernel that migrations use. */
export interface MigratedKernel {
  readonly dir: string
  /** @internal */
  readonly database: Database
  readonly contentTypes: Registry
  readonly log: { info(message: string): void }
}

/** The work that brings the database to the model: files that have not run, then steps. */
export interface MigrationPlan {
  readonly files: readonly MigrationFile[]
  readonly steps: readonly MigrationStep[]
}

/** Makes the plan and changes nothing. */
export async function planMigrations(kernel: MigratedKernel): Promise<MigrationPlan> {
  const { database, contentTypes } = kernel
  const files = await fileStates(database, kernel.dir)
  const { steps } = await database.readUnlimited(session =>
    makePlan(database.ddl, session, contentTypes, { drops: true }),
  )
  return { files, steps }
}

/** Runs the files, then the safe steps and the lossy ones in `names`. */
export async function applyMigrations(
  kernel: MigratedKernel,
  names: readonly string[] = [],
): Promise<ApplyResult & { readonly files: readonly string[] }> {
  const { database, contentTypes: registry } = kernel
  const files = await runFiles(database, kernel.dir, message => kernel.log.info(message))
  const applied = await applySteps(database, registry, names)
  // Once the tables are those of the model, and beside the transaction that has changed them.
  const { done, failed } = await makeOnlineIndexes({ database, registry })
  const doneNames = new Set(done.map(step => step.name))
  return {
    files,
    done: [...applied.done, ...done],
    left: applied.left
      .filter(step => !doneNames.has(step.name) && (step.isOnline !== true || failed.has(step.name)))
      .map(step => (failed.has(step.name) ? { ...step, why: failed.get(step.name)! } : step)),
    warnings: applied.warnings,
  }
}

/** Runs `down` of the file that ran last; returns its name, or null if no file has run. */
export function undoMigration(kernel: MigratedKernel): Promise<string | null> {
  return undoFile(kernel.database, kernel.dir)
}
