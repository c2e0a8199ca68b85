// A database as it is: what it has beside and instead of the model, looked at without changing it.

import { nameOf, resolveDatabase } from '../databases/config.ts'
import { layoutOf } from '../database/layout.ts'
import type { Registry } from '../model/registry.ts'
import { makePlan } from './plan.ts'
import { inspect } from '../database/catalogue.ts'
import { readOnly } from '../databases/readonly.ts'
import type { MigrationStep } from './step.ts'

/** What a look at a database finds. */
export interface DatabaseSurvey {
  readonly client: string
  /** File or database name. */
  readonly place: string
  /** Why it could not be looked at; null where it was. */
  readonly fault: string | null
  /** Tables that are not the model's. */
  readonly others: readonly string[]
  /** What would bring it to the model. */
  readonly steps: readonly MigrationStep[]
}

/** Compares the database that `settings`, config/database of the project in `dir`, name with the model. Changes nothing. */
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
