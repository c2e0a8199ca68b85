// The time zone in which datetimes are stored without one: converts between moments and the local time of a zone, as v4
// did by the zone of its process. Depends on no database.

const dayLength = 86_400_000

/** The farthest moments that a Date can be. */
const farthest = 8.64e15

/** The maximum number of days whose offsets are kept. */
const maxDays = 20_000

const offsetForm = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/

/** A time zone other than UTC. Local times are epoch milliseconds of the same date and time in UTC. */
export class Zone {
  /** An IANA name, or an offset such as `+02:00`. */
  readonly name: string
  /** Set if all moments have this offset, in milliseconds. */
  readonly fixed: number | null
  readonly #format: Intl.DateTimeFormat
  /** The offset of each day of UTC; null for a day on which it changes. */
  readonly #days = new Map<number, number | null>()
  /** The offset of each day of local time; null if it changes near that day. */
  readonly #localDays = new Map<number, number | null>()

  /** Throws RangeError if the name is unknown. */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
    this.name = this.#format.resolvedOptions().timeZone
    this.fixed = /^[+-]/.test(this.name) ? this.#readOffset(0) : null
  }

  /** The milliseconds by which local time is ahead of UTC at a moment. */
  offsetAt(ms: number): number {
    if (this.fixed !== null) return this.fixed
    const day = Math.floor(ms / dayLength)
    let offset = this.#days.get(day)
    if (offset === undefined) {
      offset = this.#offsetBetween(day, day + 1)
      keep(this.#days, day, offset)
    }
    return offset ?? this.#readOffset(ms)
  }

  /** The local time of a moment. */
  localOf(ms: number): number {
    const local = ms + this.offsetAt(ms)
    return Math.abs(local) <= farthest ? local : ms
  }

  /**
   * The moment of a local time, as JavaScript reads one: of the two moments of the hour that autumn doubles it is the
   * first, and a time in the hour that spring leaves out is read by the offset before, so that it is an hour later.
   */
  momentOf(local: number): number {
    if (this.fixed !== null) return local - this.fixed
    const day = Math.floor(local / dayLength)
    let offset = this.#localDays.get(day)
    if (offset === undefined) {
      offset = this.#offsetBetween(day - 1, day + 2)
      keep(this.#localDays, day, offset)
    }
    return offset === null ? this.#momentNearChange(local) : local - offset
  }

  #momentNearChange(local: number): number {
    const before = this.offsetAt(local - dayLength)
    if (this.offsetAt(local - before) === before) return local - before
    const after = this.offsetAt(local + dayLength)
    return local - (this.offsetAt(local - after) === after ? after : before)
  }

  /** The moments at which the offset changes, each with the offset from then on; the first is `from`. */
  changes(from: number, to: number): (readonly [moment: number, offset: number])[] {
    const changes: [number, number][] = [[from, this.offsetAt(from)]]
    // Zones that suspend summer time for Ramadan change twice within five weeks.
    for (let start = from; start < to; start += 7 * dayLength) {
      let [low, high] = [start, start + 7 * dayLength]
      if (this.offsetAt(low) === this.offsetAt(high)) continue
      while (high - low > 1000) {
        const middle = Math.floor((low + high) / 2000) * 1000
        if (this.offsetAt(middle) === this.offsetAt(start)) low = middle
        else high = middle
      }
      changes.push([high, this.offsetAt(high)])
    }
    return changes
  }

  /** The offset of whole days, if they all have the same. */
  #offsetBetween(from: number, to: number): number | null {
    const offset = this.#readOffset(from * dayLength)
    return this.#readOffset(to * dayLength) === offset ? offset : null
  }

  #readOffset(ms: number): number {
    const [, sign, hours = 0, minutes = 0, seconds = 0] =
      offsetForm.exec(this.#format.format(Math.min(Math.max(ms, -farthest), farthest))) ?? []
    const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
    return sign === '-' ? -offset : offset
  }
}

function keep(days: Map<number, number | null>, day: number, offset: number | null): void {
  if (days.size >= maxDays) days.clear()
  days.set(day, offset)
}

/** `+02:00`, with seconds if there are any. */
export function offsetText(offset: number): string {
  const [hours, minutes, seconds] = [3_600_000, 60_000, 1000].map((unit, i) =>
    String(Math.floor((Math.abs(offset) % (i === 0 ? Infinity : unit * 60)) / unit)).padStart(2, '0'),
  )
  return `${offset < 0 ? '-' : '+'}${hours}:${minutes}${seconds === '00' ? '' : `:${seconds}`}`
}
