// Sets a datetime of several entries past everything that a write of an entry passes. For what plugins note about their
// own entries, such as when one was last used: no client sent it, and nobody waits for it.

import type { Database } from '../database/database.ts'
import { UsageError } from '../errors.ts'
import type { ContentType } from '../model/content-type.ts'
import { suggestion } from '../nearest.ts'
import { stampText } from '../sql/writes/stamps.ts'

/** So many entries are set by one statement, whose number of values all databases accept. */
const perStatement = 5000

/** The times by the ids of entries; see `kernel.stamp`. */
export async function stamp(
  database: Database,
  type: ContentType,
  name: string,
  times: ReadonlyMap<number, Date>,
): Promise<void> {
  const column = datetimeColumn(type, name)
  const { encode } = database.dialect.codecs.datetime
  const all = [...times]
  for (let from = 0; from < all.length; from += perStatement) {
    const some = all.slice(from, from + perStatement)
    const text = stampText(database.dialect, { table: type.table, column, count: some.length })
    const values = [...some.flatMap(([id, time]) => [id, encode(time.getTime() as never)]), ...some.map(([id]) => id)]
    const options = { isSingle: true, isPrivate: true, keepsTotals: true }
    await database.transaction(async tx => void (await tx.run(text, values)), options)
  }
}

function datetimeColumn(type: ContentType, name: string): string {
  const attribute = type.attributes.get(name)
  if (attribute?.kind === 'scalar' && attribute.scalar.storage === 'datetime') return attribute.column
  const known = [...type.attributes.values()].filter(one => one.kind === 'scalar' && one.scalar.storage === 'datetime')
  throw new UsageError(
    'PLINTH_ATTRIBUTE_UNKNOWN',
    `${type.uid} has no datetime "${name}"${suggestion(
      name,
      known.map(one => one.name),
    )}`,
  )
}
