// Plans the steps from a database to its model, in order, and determines their risk from the rows. The plan is always
// made from the current state, so an interrupted migration just continues.

import { inspect, type Present } from '../connection/catalogue.ts'
import type { Ddl } from '../connection/ddl.ts'
import { layoutOf, type TableLayout } from '../connection/layout.ts'
import type { Session } from '../connection/session.ts'
import type { AttributesByType } from '../model/divergence.ts'
import type { Registry } from '../model/registry.ts'
import { additionSteps, indexSteps } from './additions.ts'
import { dropSteps, retypeSteps } from './changes.ts'
import { findKeyedLinks } from './keyed-links.ts'
import { refuseNames, refuseSizes, refuseWideRows } from './limits.ts'
import { loosenSteps } from './loosen.ts'
import { momentSteps } from './moments.ts'
import type { PlanInput } from './plan-input.ts'
import { PlannedSchema } from './planned-schema.ts'
import { type FormerTable, formerTables } from './previous-names.ts'
import { probeSteps } from './probe.ts'
import { renameSteps } from './renames.ts'
import type { MigrationStep, PlannedStep } from './step.ts'
import { retiredIn, withheldSteps } from './withheld.ts'

/** A plan and the state that it was made from. */
export interface Plan {
  readonly steps: readonly MigrationStep[]
  /** The database has no table of the model: it is new. */
  readonly isNew: boolean
  /** The retired attributes whose columns are there. */
  readonly retired: AttributesByType
  /** The link tables that have their foreign keys after the steps, by name in the model. */
  readonly keyedLinks: ReadonlySet<string>
}

/** The settings of makePlan(). */
export interface PlanOptions {
  /** Also reads the rows of leftovers, which costs a statement for each; otherwise they are lossy without a look. */
  readonly drops: boolean
  /** Looks at all rows for moments that are text, and not only at the last ones of each table; as `drops`. */
  readonly allRows?: boolean
  /** Gets the current state before any rows are read, and may throw. */
  readonly check?: (present: Present) => void
}

/** Returns the steps from the current state to the model, with their risks. */
export async function makePlan(
  ddl: Ddl,
  session: Session,
  registry: Registry,
  { drops, allRows = drops, check }: PlanOptions,
): Promise<Plan> {
  const present = await inspect(ddl.catalogue, session)
  check?.(present)
  const { steps, isNew, retired, keyedLinks, layout } = draftPlan(ddl, registry, present, allRows)
  // Tables that are renamed keep their columns, and are checked by their former rows when they have their name.
  if (steps.some(step => step.kind === 'create' || step.kind === 'add'))
    await refuseWideRows(ddl, session, { layout, present })
  return { steps: await probeSteps(session, ddl, steps, drops), isNew, retired, keyedLinks }
}

/** The steps, before their risk is determined from the rows. */
export function draftPlan(
  ddl: Ddl,
  registry: Registry,
  present: Present,
  allRows: boolean,
): Omit<Plan, 'steps'> & { readonly steps: readonly PlannedStep[]; readonly layout: readonly TableLayout[] } {
  const tables = layoutOf(registry)
  const layout = tables.map(table => fitted(ddl, table))
  refuseNames(ddl, layout)
  const input: PlanInput = {
    ddl,
    registry,
    layout,
    former: fittedFormer(ddl, registry),
    planned: new PlannedSchema(present),
  }
  refuseSizes(input)
  const isNew = layout.every(table => !present.has(table.name))
  const steps = [
    ...renameSteps(input),
    ...additionSteps(input),
    ...retypeSteps(input),
    ...loosenSteps(input),
    ...indexSteps(input),
    ...withheldSteps(input),
    ...momentSteps(input, allRows),
    ...dropSteps(input),
  ]
  // A table that has its former name is not missing.
  return {
    steps,
    isNew: isNew && steps.every(step => step.kind !== 'rename'),
    retired: retiredIn(input),
    keyedLinks: findKeyedLinks(tables, input.planned, name => ddl.fit(name)),
    layout,
  }
}

function fitted(ddl: Ddl, table: TableLayout): TableLayout {
  const columns = table.columns.map(column => ({ ...column, name: ddl.fit(column.name) }))
  return { ...table, name: ddl.fit(table.name), columns }
}

function fittedFormer(ddl: Ddl, registry: Registry): Map<string, FormerTable> {
  return new Map([...formerTables(registry)].map(([name, former]) => [ddl.fit(name), former]))
}
