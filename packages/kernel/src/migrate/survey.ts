// Surveys a database: compares it with the model without changing it.

import { nameOf, resolveDatabase } from '../databases/config.ts'
import { layoutOf } from '../database/layout.ts'
import { StartError } from '../errors.ts'
import type { Registry } from '../model/registry.ts'
import { makePlan } from './plan.ts'
import { inspect } from '../database/catalogue.ts'
import { readOnly } from '../databases/readonly.ts'
import { storesLocalTimes, zoneRemarks } from '../databases/zone-remarks.ts'
import type { MigrationStep } from './step.ts'
import { futureRemarks } from './stored-times.ts'

/** The result of a survey. */
export interface DatabaseSurvey {
  readonly client: string
  /** File or database name. */
  readonly place: string
  /** Why the database could not be read; null if it was. */
  readonly fault: string | null
  /** Whether the fault is that there is no database yet, which a start makes. */
  readonly isMissing: boolean
  /** Tables that do not belong to the model. */
  readonly others: readonly string[]
  /** What the owner should know about the stored values, as sentences without a full stop at the end. */
  readonly remarks: readonly string[]
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
    return await readOnly(config, async (ddl, session, dialect) => {
      const { steps } = await makePlan(ddl, session, contentTypes, { drops: true })
      const own = new Set(layoutOf(contentTypes).map(table => table.name))
      const present = await inspect(ddl.catalogue, session)
      const others = [...present.keys()].filter(table => !own.has(table) && !table.startsWith('sqlite_'))
      const stamped = { session, dialect, present, types: contentTypes.values() }
      const late = storesLocalTimes(config) ? await futureRemarks(stamped) : []
      return { client, place, fault: null, isMissing: false, others, remarks: [...zoneRemarks(config), ...late], steps }
    })
  } catch (error) {
    const isMissing = error instanceof StartError && error.code === 'PLINTH_DATABASE_MISSING'
    const fault = (error as Error).message
    return { client, place, fault, isMissing, others: [], remarks: zoneRemarks(config), steps: [] }
  }
}
