// The indexes that config/database has made: those that it names no more, and those that nobody uses. Reads only.

import type { Registry, Session } from '@plinth/kernel'
import { layoutOf, type OpenDatabase, onlinePrefix, type Present, type PresentIndex } from '@plinth/kernel/tables'

/** A session that reads, with the DDL of its database. */
interface SurveyedSession {
  readonly ddl: OpenDatabase['ddl']
  readonly session: Session
}

/** An index that could be dropped. */
export interface SpareIndex {
  readonly name: string
  readonly table: string
  readonly why: string
  /** The statement that drops it. */
  readonly sql: string
}

/** An hour: less says nothing of an application. */
const leastTime = 3_600_000

/** Finds the indexes. Nothing drops them unasked. */
export async function spareIndexes(
  { ddl, session }: SurveyedSession,
  { contentTypes, present }: { readonly contentTypes: Registry; readonly present: Present },
): Promise<readonly SpareIndex[]> {
  const needed = new Map(layoutOf(contentTypes).map(table => [ddl.fit(table.name), table.indexes]))
  const own = [...present.values()].flatMap(table =>
    table.indexes.filter(one => one.name.startsWith(onlinePrefix)).map(index => ({ table: table.name, index })),
  )
  if (own.length === 0) return []
  const isNamed = (table: string, index: PresentIndex) =>
    (needed.get(table) ?? []).some(
      one =>
        one.isOnline === true &&
        (ddl.fitIndex(one.name) === index.name || one.columns.map(ddl.fit).join() === index.columns.join()),
    )
  const findUse = await usesOf({ ddl, session }, present)
  return own.flatMap(({ table, index }) => {
    const why = isNamed(table, index) ? findUse(table, index.name) : 'config/database does not name it any more'
    return why === null ? [] : [{ name: index.name, table, why, sql: ddl.dropIndex(table, index.name).join('; ') }]
  })
}

/** Returns a function that says why an index counts as not used; null if it is used, or if nobody knows. */
async function usesOf(
  { ddl, session }: SurveyedSession,
  present: Present,
): Promise<(table: string, index: string) => string | null> {
  const { indexUses } = ddl.catalogue
  const counted = await rowsOf(session, indexUses)
  const uses = new Map(counted.map(([table, index, count]) => [`${table} ${index}`, Number(count)]))
  const lists = await rowsOf(
    session,
    present.has('plinth_advice') ? 'SELECT index_name, first_at, last_at FROM plinth_advice' : null,
  )
  const served = new Set(lists.map(([index]) => index))
  const began = Math.min(...lists.map(([, first]) => Number(first)))
  const took = Math.max(...lists.map(([, , last]) => Number(last))) - began
  return (table, index) => {
    if (served.has(index)) return null
    const count = uses.get(`${table} ${index}`)
    if (count !== undefined) return count > 0 ? null : 'nobody has used it since the database counts that'
    if (lists.length === 0 || took < leastTime) return null
    return `no list has used it since ${new Date(began).toISOString().slice(0, 10)}`
  }
}

/** The rows of a statement; none if there is none, or if it is not allowed. */
async function rowsOf(session: SurveyedSession['session'], text: string | null): Promise<readonly unknown[][]> {
  if (text === null) return []
  try {
    return await session.all(text, [])
  } catch {
    return []
  }
}
