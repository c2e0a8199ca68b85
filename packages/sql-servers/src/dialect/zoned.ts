// Makes the dialect of a server whose datetimes are stored in the local time of a zone. It differs from the dialect of
// UTC in the codecs of datetimes and in what depends on them, so that nothing is decided while queries run.

import { type BoundOne, type Codec, type Dialect, isoJson, isoText } from '@plinth/kernel/database'
import { stampIso } from './codecs.ts'
import type { Zone } from './zone.ts'

/** The differences between the servers. */
export interface ZonedTexts {
  readonly zone: Zone
  /** Formats a local time. */
  readonly stamp: (local: number, offset: number) => BoundOne
  /** The text of the epoch milliseconds of a column of local times, as SQL. */
  readonly epochText: (expression: string) => string
}

/** The dialect of datetimes that are stored in a zone. */
export function zonedDialect(dialect: Dialect, { zone, stamp, epochText }: ZonedTexts): Dialect {
  const read = momentReader(zone)
  const encode = (ms: number) => stamp(zone.localOf(ms), zone.offsetAt(ms))
  const datetime: Codec = {
    decode: (raw: string) => textOr(read(raw), isoText),
    json: (raw: string) => textOr(read(raw), isoJson) ?? 'null',
    encode,
  }
  const timestamp: Codec = {
    decode: (raw: string) => textOr(read(raw), String),
    json: (raw: string) => textOr(read(raw), ms => `"${ms}"`) ?? 'null',
    encode,
  }
  const refuse = dialect.refuse!
  return {
    ...dialect,
    codecs: { ...dialect.codecs, datetime, timestamp },
    asText: (expression, storage) =>
      storage === 'datetime' || storage === 'timestamp' ? epochText(expression) : dialect.asText(expression, storage),
    // The years are those of the column.
    refuse: (storage, value) => refuse(storage, storage === 'datetime' ? zone.localOf(value as number) : value),
  }
}

const textOr = (ms: number | null, text: (ms: number) => string) => (ms === null ? null : text(ms))

/** The offset that PostgreSQL adds to moments, which are stored with their zone. */
const momentForm = /([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?(?= BC$|$)/

/** Reads stored datetimes as epoch milliseconds; null for what is not a date. */
export function momentReader(zone: Zone | null): (raw: string) => number | null {
  // Several datetimes of an entry are often the same moment.
  let last = ''
  let moment: number | null = null
  return raw => {
    if (raw !== last) {
      moment = readMoment(raw, zone)
      last = raw
    }
    return moment
  }
}

function readMoment(raw: string, zone: Zone | null): number | null {
  const offset = momentForm.exec(raw.slice(10))
  const end = offset === null ? raw.length : 10 + offset.index
  const local = stampIso(offset === null ? raw : raw.slice(0, end) + raw.slice(end + offset[0].length))
  if (local === null) return null
  const ms = Date.parse(local)
  if (offset === null) return zone === null ? ms : zone.momentOf(ms)
  const [, sign, hours = 0, minutes = 0, seconds = 0] = offset
  const ahead = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? ms + ahead : ms - ahead
}
