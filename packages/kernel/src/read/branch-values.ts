// Refuses values of populated branches before any statement of a query runs. Knows no sessions.

import type { Context } from '../context.ts'
import { located } from '../query/place.ts'
import type { CompiledPlan } from '../sql/compile.ts'
import { bind } from '../sql/statement.ts'

/** Binds the values of branches before any statement runs. Throws ValidationError with the path of the branch. */
export function checkBranches({ checked }: CompiledPlan, values: readonly unknown[], context: Context): void {
  for (const { statement, path } of checked) {
    try {
      bind(statement, values, context, [])
    } catch (error) {
      throw located(error, path)
    }
  }
}
