// Says what stored times tell about the time zone in which they are stored. Changes nothing.

import type { Present } from '../database/catalogue.ts'
import type { Session } from '../database/session.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Dialect } from '../sql/dialect.ts'

/** The clocks of two machines may differ by so much, in milliseconds. */
const tolerance = 120_000

/** Datetimes that the past fills. */
const stamps = ['createdAt', 'updatedAt']

/** The most times in the future that a remark names. */
const maxNamed = 5

/** What is examined. */
export interface Stamped {
  readonly session: Session
  readonly dialect: Dialect
  readonly present: Present
  readonly types: readonly ContentType[]
}

/** Names times of the past that lie in the future, as they do where a zone to the east was taken for UTC. */
export async function futureRemarks(
  { session, dialect, present, types }: Stamped,
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
  const named = late.slice(0, maxNamed).join(', ')
  const more = late.length > maxNamed ? ` and ${late.length - maxNamed} more` : ''
  return [`Times of the past lie in the future: ${named}${more}. They were stored in another time zone than is set`]
}
