// Brings the database to the model at a start. In development it adds what is missing: tables, columns, indexes. In
// production it refuses to start if the model needs something missing, unless configured otherwise. Steps that change
// or drop belong to the plan (plan.ts), and only run on request.

import type { Database } from '../connection/database.ts'
import { PendingMigrationError } from '../errors.ts'
import type { ContentType, ScalarAttribute } from '../model/content-type.ts'
import type { AttributesByType, Divergence } from '../model/divergence.ts'
import type { Registry } from '../model/registry.ts'
import { type ApplyResult, applyAdditions, applyPlan } from './apply.ts'
import { fileStates, runFiles } from './files.ts'
import type { MigrateMode } from './mode.ts'
import { makePlan, type Plan } from './plan.ts'
import { renameHint } from './rename-hint.ts'
import { isAdditive, isDecision, isMissed, isSafeConversion, type MigrationStep } from './step.ts'
import { refuseUnfinished } from './unfinished-import.ts'

/** The result of a start: what it changed, and in what the database still differs from the model. */
export interface SyncResult {
  readonly report: SyncReport
  readonly divergence: Divergence
}

/** The changes of a start. */
export interface SyncReport {
  readonly created: readonly string[]
  readonly added: readonly string[]
  /** Each `table` or `table.column` of the database that the model does not name. */
  readonly unknown: readonly string[]
  /** The steps that the model needs and that the start may not run, such as `rename:notes.body`. */
  readonly pending: readonly string[]
}

/** The input of a start. */
export interface Start {
  readonly database: Database
  readonly registry: Registry
  readonly mode: Exclude<MigrateMode, 'none'>
  /** The folder that holds `database/migrations`; null if there are no migration files. */
  readonly dir: string | null
  readonly log: { info(message: string): void; warn(message: string): void }
}

/**
 * Brings the database to the model as far as the mode allows. Throws PendingMigrationError if that is not enough,
 * and StartError if an import has not ended.
 */
export async function syncSchema(start: Start): Promise<SyncResult> {
  const { database, mode, dir, log } = start
  let plan = await look(start, false)
  let hasRun = false
  // A new database has no rows that could be lost.
  const isStrict = mode === 'check' && !plan.isNew
  if (isStrict) await refuse(start, plan)
  else if (dir !== null) {
    const ran = await runFiles(database, dir, message => log.info(message))
    hasRun = ran.length > 0
    if (hasRun) plan = await look(start, true)
  }
  const { done, left, warnings } = await change(start, plan, { mayAdd: !isStrict, allRows: hasRun })
  for (const warning of warnings) log.warn(warning)
  refuseUndecided(left)
  warnOfRest(start, { done, left })
  warnOfUnusedLinks(start, left)
  const names = (steps: readonly MigrationStep[], kind: MigrationStep['kind']) =>
    steps.filter(step => step.kind === kind).map(step => step.name.slice(step.name.indexOf(':') + 1))
  const pending = left.filter(isMissed).map(step => step.name)
  database.checkedTable = checkedTableOf(start, left)
  return {
    report: { created: names(done, 'create'), added: names(done, 'add'), unknown: names(left, 'drop'), pending },
    divergence: {
      retired: plan.retired,
      withheld: withheldBy(left, plan.retired),
      unconverted: unconvertedBy(start, left),
      unenforced: unenforcedBy({ done, left, warnings }),
      keyedLinks: plan.keyedLinks,
    },
  }
}

/** A table of the model that is there; null if there is none. */
function checkedTableOf({ database: { ddl }, registry }: Start, left: readonly MigrationStep[]): string | null {
  const missing = new Set(left.filter(step => step.kind === 'create').map(step => step.uid))
  const present = registry.values().filter(({ uid }) => !missing.has(uid))
  return present.map(({ table }) => ddl.fit(table))[0] ?? null
}

/** The retired attributes that hide entries, which a pending step can show. */
function withheldBy(left: readonly MigrationStep[], retired: AttributesByType): AttributesByType {
  const isHiding = ({ uid }: ContentType, { column }: ScalarAttribute) =>
    left.some(step => isDecision(step) && step.uid === uid && step.column?.name === column)
  const hiding = [...retired].map(([type, all]) => [type, all.filter(one => isHiding(type, one))] as const)
  return new Map(hiding.filter(([, all]) => all.length > 0))
}

/** The unique indexes that are missing, as the keys of the divergence. */
function unenforcedBy({ done, left, warnings }: ApplyResult): ReadonlySet<string> {
  const replaced = done.filter(({ fallback }) => fallback !== undefined && warnings.includes(fallback.warning))
  return new Set([...replaced, ...left].flatMap(({ fallback }) => (fallback === undefined ? [] : [fallback.index])))
}

/** The attributes whose columns have another type, with their steps. */
function unconvertedBy({ database: { ddl }, registry }: Start, left: readonly MigrationStep[]) {
  const steps = new Map(
    left.filter(step => step.kind === 'retype').map(step => [`${step.column!.table}.${step.column!.name}`, step.name]),
  )
  const unconverted = new Map<ScalarAttribute, string>()
  if (steps.size === 0) return unconverted
  for (const { table, attributes } of registry.values()) {
    for (const attribute of attributes.values()) {
      if (attribute.kind !== 'scalar') continue
      const step = steps.get(`${ddl.fit(table)}.${ddl.fit(attribute.column)}`)
      if (step !== undefined) unconverted.set(attribute, step)
    }
  }
  return unconverted
}

/** In production nobody may wait for entries that are hidden until a step has been named. */
function refuseUndecided(left: readonly MigrationStep[]): void {
  const undecided = left.filter(isDecision)
  if (undecided.length > 0 && process.env.NODE_ENV === 'production') throw new PendingMigrationError(undecided, [])
}

/** Makes the plan. Throws StartError if an import has not ended. */
async function look({ database, registry }: Start, allRows: boolean): Promise<Plan> {
  return database.readUnlimited(session =>
    makePlan(database.ddl, session, registry, { drops: false, allRows, check: refuseUnfinished }),
  )
}

/** The settings of change(). `mayAdd`: tables may be added. `allRows`: migration files have changed rows. */
interface AllowedChanges {
  readonly mayAdd: boolean
  readonly allRows: boolean
}

/** Runs the steps that the mode allows. Takes the lock only if there are any. */
async function change({ database, registry, mode }: Start, { steps }: Plan, { mayAdd, allRows }: AllowedChanges) {
  if (mode === 'apply') {
    const isDue = steps.some(step => (step.risk === 'safe' && step.isOnline !== true) || step.fallback !== undefined)
    return isDue ? applyPlan(database, registry, []) : { done: [], left: steps, warnings: [] }
  }
  const renames = steps.filter(step => step.kind === 'rename')
  // An empty table under the new name would prevent the rename of the full one.
  if (renames.length > 0) throw new PendingMigrationError(renames, [])
  const isProduction = process.env.NODE_ENV === 'production'
  const may = (step: MigrationStep) => {
    if (step.isOnline === true) return false
    if (isAdditive(step)) return mayAdd || step.kind === 'index' || step.kind === 'moments' || isForeign(step)
    // Nothing is lost, and otherwise the attribute could not be written. Another process with the former model, as there
    // may be in production, would write what the new column does not hold.
    return mayAdd && !isProduction && isSafeConversion(step)
  }
  if (steps.some(may)) return applyAdditions(database, registry, may, allRows)
  return { done: [], left: steps, warnings: [] }
}

/**
 * Throws PendingMigrationError if files have not run or steps that the model needs are pending, except new tables of
 * plugins.
 */
async function refuse({ database, dir }: Start, { steps }: Plan): Promise<void> {
  const missed = steps.filter(step => isMissed(step) && !isForeign(step))
  const files = dir === null ? [] : (await fileStates(database, dir)).filter(file => !file.isDone)
  if (missed.length + files.length > 0)
    throw new PendingMigrationError(
      missed,
      files.map(file => file.name),
    )
}

/**
 * Returns whether a step creates a table of a plugin: it holds no entries of the application, and is not needed before
 * the plugin is in use.
 */
function isForeign({ kind, uid }: MigrationStep): boolean {
  return kind === 'create' && /^(plugin|admin)::/.test(uid ?? '')
}

function warnOfRest(
  { mode, log, registry, database: { ddl } }: Start,
  { done, left }: Pick<ApplyResult, 'done' | 'left'>,
): void {
  const missed = left.filter(isMissed)
  if (missed.length > 0 && mode === 'apply' && process.env.NODE_ENV === 'production')
    throw new PendingMigrationError(missed, [])
  for (const { name, says, why } of missed.filter(isDecision))
    log.warn(
      `Entries of an attribute that the model has no longer stay hidden until \`plinth migrate apply ${name}\` runs, which ${says} (${why})`,
    )
  for (const { name, says, why } of missed.filter(step => !isDecision(step)))
    log.warn(
      `The step ${name} is pending, which only \`plinth migrate apply\` runs: it ${says}${why === '' ? '' : ` (${why})`}`,
    )
  const unknown = left.filter(step => step.kind === 'drop').map(step => step.name.slice('drop:'.length))
  if (unknown.length > 0)
    log.warn(
      `The database has tables or columns that the model does not use; they are left unchanged: ${unknown.join(', ')}${renameHint(registry, { ddl, unknown, done })}`,
    )
}

/** Warns of links that v4 left in the table of a side that does not own them (`Registry.mended`). */
function warnOfUnusedLinks({ database: { ddl }, registry, log }: Start, left: readonly MigrationStep[]): void {
  for (const { uid, attribute, unusedTable } of registry.mended) {
    if (unusedTable === null) continue
    const step = left.find(one => one.name === `drop:${ddl.fit(unusedTable)}`)
    if (step !== undefined)
      log.warn(`${uid}.${attribute}: its own table ${unusedTable} is not read, as in v4 (${step.why} with it)`)
  }
}
