// Updates one datetime column of several entries directly, without hooks, checks or `updatedAt`. For what plugins note
// about their own entries, such as when one was last used: no client sent it, and nobody waits for it.

import type { Database } from '../connection/database.ts'
import { UsageError } from '../errors.ts'
import type { ContentType } from '../model/content-type.ts'
import { suggestion } from '../nearest.ts'
import { stampText } from '../sql/writes/stamps.ts'

/** The maximum number of entries of one statement, whose values all databases accept. */
const maxEntries = 5000

/** Sets the attribute `name` of entries to their times, which are by the ids of the entries; see `kernel.stamp`. */
export async function stamp(
  database: Database,
  type: ContentType,
  name: string,
  times: ReadonlyMap<number, Date>,
): Promise<void> {
  const column = datetimeColumn(type, name)
  const { encode } = database.dialect.codecs.datetime
  const all = [...times]
  for (let from = 0; from < all.length; from += maxEntries) {
    const some = all.slice(from, from + maxEntries)
    const text = stampText(database.dialect, { table: type.table, column, count: some.length })
    const values = [...some.flatMap(([id, time]) => [id, encode(time.getTime() as never)]), ...some.map(([id]) => id)]
    const options = { mode: 'statement', isPrivate: true, keepsTotals: true } as const
    await database.transaction(async tx => void (await tx.run(text, values)), options)
  }
}

function datetimeColumn(type: ContentType, name: string): string {
  const attribute = type.attributes.get(name)
  if (attribute?.kind === 'scalar' && attribute.scalar.storage === 'datetime') return attribute.column
  const datetimes = [...type.attributes.values()].filter(
    one => one.kind === 'scalar' && one.scalar.storage === 'datetime',
  )
  throw new UsageError(
    'PLINTH_ATTRIBUTE_UNKNOWN',
    `${type.uid} has no datetime "${name}"${suggestion(
      name,
      datetimes.map(one => one.name),
    )}`,
  )
}
