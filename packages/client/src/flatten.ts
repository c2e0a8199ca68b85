// Makes flat entries of those in v4's form. It follows what was populated, so that a JSON value that looks like a relation
// stays as it is. Knows no type.

import { isRecord, type Values } from './record.ts'

/** Returns what is populated below an attribute, for the entry or component that the attribute contains. */
type Below = (member: Values) => unknown

/** Returns the entry, or the list of entries, without the wrappers `attributes` and `data`, where `populate` reaches. */
export function flatten(value: unknown, populate: unknown): unknown {
  return flattenLinked(value, () => populate)
}

function flattenLinked(value: unknown, below: Below): unknown {
  if (Array.isArray(value)) return value.map(one => flattenLinked(one, below))
  if (!isRecord(value)) return value
  return isWrapped(value) ? flattenLinked(value.data, below) : flattenMember(value, below)
}

/** Returns whether a value is a relation in v4's form: an object with `data` alone, which has entries or their count. */
function isWrapped(value: Values): boolean {
  if (Object.keys(value).join() !== 'data') return false
  const { data } = value
  return Array.isArray(data) ? data.every(isEntry) : data === null || isEntry(data)
}

const namesOfEntry = ['id', 'attributes', 'meta']

/** Returns whether a value is an entry in v4's form, and not a component that has an attribute `attributes`. */
function isEntry(value: unknown): value is Values & { readonly attributes: Values } {
  return isRecord(value) && isRecord(value.attributes) && Object.keys(value).every(name => namesOfEntry.includes(name))
}

function flattenMember(member: Values, below: Below): Values {
  const { id } = member
  const flat: Record<string, unknown> = isEntry(member)
    ? { ...(id === undefined ? {} : { id }), ...member.attributes }
    : { ...member }
  const populate = below(member)
  for (const name of Object.keys(flat)) {
    const linked = belowOf(populate, name)
    if (linked !== null) flat[name] = flattenLinked(flat[name], linked)
  }
  return flat
}

/** Returns what is populated below an attribute; null if the attribute itself is not populated. */
function belowOf(populate: unknown, name: string): Below | null {
  if (populate === true) return () => null
  if (typeof populate === 'string')
    // Of plugins, such as deep: at all depths.
    return /^deep\b/.test(populate) ? () => populate : belowPaths(populate.split(','), name)
  if (Array.isArray(populate)) return belowPaths(populate, name)
  const options = isRecord(populate) ? populate[name] : null
  if (options === true) return () => null
  if (!isRecord(options)) return null
  const { on } = options
  if (!isRecord(on)) return () => options.populate
  return ({ __component, __type }) => {
    const chosen = on[String(__component ?? __type)]
    return isRecord(chosen) ? chosen.populate : null
  }
}

function belowPaths(paths: readonly string[], name: string): Below | null {
  const rests = paths.flatMap(path => {
    const [head, ...rest] = path.trim().split('.')
    return head === name || head === '*' ? [rest.join('.')] : []
  })
  return rests.length === 0 ? null : () => rests.filter(rest => rest !== '')
}
