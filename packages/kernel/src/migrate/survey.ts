// Surveys a database: compares it with the model without changing it.

import { nameOf, resolveDatabase } from '../databases/config.ts'
import { layoutOf } from '../database/layout.ts'
import type { Registry } from '../model/registry.ts'
import { makePlan } from './plan.ts'
import { inspect } from '../database/catalogue.ts'
import { readOnly } from '../databases/readonly.ts'
import type { MigrationStep } from './step.ts'

/** The result of a survey. */
export interface DatabaseSurvey {
  readonly client: string
  /** File or database name. */
  readonly place: string
  /** Why the database could not be read; null if it was. */
  readonly fault: string | null
  /** Tables that do not belong to the model. */
  readonly others: readonly string[]
  /** The steps that would bring it to the model. */
  readonly steps: readonly MigrationStep[]
}

/** Compares a database with the model. `settings` is config/database of the project in `dir`. Changes nothing. */
export async function surveyDatabase(
  { contentTypes }: { readonly contentTypes: Registry },
  settings: unknown,
  dir: string,
): Promise<DatabaseSurvey> {
  const config = resolveDatabase(settings, dir)
  const { client } = config
  const place = nameOf(config)
  try {
    return await readOnly(config, async (ddl, session) => {
      const { steps } = await makePlan(ddl, session, contentTypes, { drops: true })
      const own = new Set(layoutOf(contentTypes).map(table => table.name))
      const others = [...(await inspect(ddl.catalogue, session)).keys()].filter(
        table => !own.has(table) && !table.startsWith('sqlite_'),
      )
      return { client, place, fault: null, others, steps }
    })
  } catch (error) {
    return { client, place, fault: (error as Error).message, others: [], steps: [] }
  }
}
