// Finds stored times of the past that lie in the future: they were stored in another time zone. Changes nothing.

import type { ContentType, Session } from '@plinth/kernel'
import type { Dialect, Present } from '@plinth/kernel/tables'

/** The accepted difference of the clocks of two machines, in milliseconds. */
const tolerance = 120_000

/** The datetimes that are always in the past. */
const stamps = ['createdAt', 'updatedAt']

/** The maximum number of times that a remark names. */
const maxNamed = 5

/** The tables that are examined. */
export interface StoredTimes {
  readonly session: Session
  readonly dialect: Dialect
  readonly present: Present
  readonly types: readonly ContentType[]
}

/** Names times of the past that lie in the future, as they do where a zone to the east was taken for UTC. */
export async function futureRemarks(
  { session, dialect, present, types }: StoredTimes,
  now = Date.now(),
): Promise<string[]> {
  const late: string[] = []
  for (const { table, attributes } of types)
    for (const name of stamps) {
      const attribute = attributes.get(name)
      if (attribute?.kind !== 'scalar' || !present.get(table)?.columns.has(attribute.column)) continue
      const column = dialect.quote(attribute.column)
      const [row] = await session.all(`SELECT MAX(${column}) FROM ${dialect.quote(table)}`, [])
      const raw = row?.[0] ?? null
      const time = raw === null ? null : dialect.codecs.datetime.decode(raw as never)
      if (typeof time === 'string' && Date.parse(time) > now + tolerance)
        late.push(`${table}.${attribute.column} (${time})`)
    }
  if (late.length === 0) return []
  const examples = late.slice(0, maxNamed).join(', ')
  const more = late.length > maxNamed ? ` and ${late.length - maxNamed} more` : ''
  return [`Times of the past lie in the future: ${examples}${more}. They were stored in another time zone than is set`]
}
