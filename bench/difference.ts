// Compares two JSON values, including the order of keys, and describes the first difference.

type Members = Record<string, unknown>

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** The first difference between Plinth's answer and the limit's, or null. */
export function findDifference(plinth: unknown, limit: unknown, path = ''): string | null {
  if (!isMembers(plinth) || !isMembers(limit)) {
    return plinth === limit ? null : `${path}: Plinth ${JSON.stringify(plinth)}, limit ${JSON.stringify(limit)}`
  }
  const plinthKeys = Object.keys(plinth)
  const limitKeys = Object.keys(limit)
  if (plinthKeys.join() !== limitKeys.join()) return `${path}: keys: Plinth ${plinthKeys}, limit ${limitKeys}`
  for (const key of plinthKeys) {
    const difference = findDifference(plinth[key], limit[key], `${path}.${key}`)
    if (difference !== null) return difference
  }
  return null
}

/** Plinth may add `meta` beside `id` and `attributes` of an entry, which the limit server does not. */
export function withoutEntryMeta(value: unknown): unknown {
  return mapDeep(value, members => {
    if (!('id' in members && 'attributes' in members && 'meta' in members)) return members
    const { meta: _, ...entry } = members
    return entry
  })
}

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const NOW_MILLISECONDS = 60_000

/** The response to a write contains the time of the write, which differs each time. */
export function withoutNow(value: unknown): unknown {
  return mapDeep(value, members => {
    for (const [key, text] of Object.entries(members)) {
      if (typeof text !== 'string' || !DATETIME.test(text)) continue
      if (Date.now() - Date.parse(text) < NOW_MILLISECONDS) members[key] = 'now'
    }
    return members
  })
}

function mapDeep(value: unknown, map: (members: Members) => Members): unknown {
  if (Array.isArray(value)) return value.map(element => mapDeep(element, map))
  if (!isMembers(value)) return value
  const members: Members = {}
  for (const [key, member] of Object.entries(value)) members[key] = mapDeep(member, map)
  return map(members)
}
