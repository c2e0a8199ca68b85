// Surveys a database: compares it with the model without changing it.

import { type Registry, StartError } from '@plinth/kernel'
import { type MigrationStep, makePlan } from '@plinth/kernel/migrate'
import { inspect, layoutOf, readOnly, resolveDatabase } from '@plinth/kernel/tables'
import { futureRemarks } from './inspection/future-times.ts'
import { type SpareIndex, spareIndexes } from './inspection/online-indexes.ts'

/** The differences of a database from the model. */
export interface DatabaseSurvey {
  readonly client: string
  /** The file, or the name of the database. */
  readonly place: string
  /** The reason why the database could not be read; null if it was. */
  readonly fault: string | null
  /** True if the fault is that there is no database yet, which a start makes. */
  readonly isMissing: boolean
  /** Tables that do not belong to the model. */
  readonly others: readonly string[]
  /** Remarks about the stored values for the owner, as sentences without a full stop at the end. */
  readonly remarks: readonly string[]
  /** The steps that would bring it to the model. */
  readonly steps: readonly MigrationStep[]
  /** Indexes of config/database that are named no more, or that nobody uses. */
  readonly spareIndexes: readonly SpareIndex[]
}

/** Compares a database with the model. `settings` is config/database of the project in `dir`. Changes nothing. */
export async function surveyDatabase(
  { contentTypes }: { readonly contentTypes: Registry },
  settings: unknown,
  dir: string,
): Promise<DatabaseSurvey> {
  const resolved = await resolveDatabase(settings, dir)
  const { definition } = resolved
  const client = definition.name
  const place = definition.databaseName(resolved.settings)
  const remarks = definition.remarks?.(resolved.settings) ?? []
  try {
    return await readOnly(resolved, async (ddl, session, dialect) => {
      const { steps } = await makePlan(ddl, session, contentTypes, { drops: true })
      const ownTables = new Set(layoutOf(contentTypes).map(table => table.name))
      const present = await inspect(ddl.catalogue, session)
      const others = [...present.keys()].filter(table => !ownTables.has(table))
      const stored = { session, dialect, present, types: contentTypes.values() }
      const late = definition.storesLocalTimes ? await futureRemarks(stored) : []
      const spare = await spareIndexes({ ddl, session }, { contentTypes, present })
      const indexes = { steps, spareIndexes: spare }
      return { client, place, fault: null, isMissing: false, others, remarks: [...remarks, ...late], ...indexes }
    })
  } catch (error) {
    const isMissing = error instanceof StartError && error.code === 'PLINTH_DATABASE_MISSING'
    const fault = (error as Error).message
    return { client, place, fault, isMissing, others: [], remarks, steps: [], spareIndexes: [] }
  }
}
