// The input from which the steps of a migration are planned: the tables that the model needs, and those that are there.

import type { Ddl } from '../connection/ddl.ts'
import type { TableLayout } from '../connection/layout.ts'
import type { Registry } from '../model/registry.ts'
import type { PlannedSchema } from './planned-schema.ts'
import type { FormerTable } from './previous-names.ts'

/** The input of the plan. */
export interface PlanInput {
  readonly ddl: Ddl
  readonly registry: Registry
  readonly layout: readonly TableLayout[]
  readonly former: ReadonlyMap<string, FormerTable>
  readonly planned: PlannedSchema
}
