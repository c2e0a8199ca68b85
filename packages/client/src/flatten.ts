// Makes flat entries of those in v4's form. It follows what was populated, so that a JSON value that looks like a relation
// stays as it is. Knows no type.

import { isRecord, type Values } from './record.ts'

/** What is populated below an attribute, given the entry or component there. */
type Below = (member: Values) => unknown

/** The entry, or the list of entries, with `attributes` and `data` dissolved where `populate` reaches. */
export function flatten(value: unknown, populate: unknown): unknown {
  return flattenLinked(value, () => populate)
}

function flattenLinked(value: unknown, below: Below): unknown {
  if (Array.isArray(value)) return value.map(one => flattenLinked(one, below))
  if (!isRecord(value)) return value
  return isWrapped(value) ? flattenLinked(value.data, below) : flattenMember(value, below)
}

/** Whether it is what v4 answers for a relation: nothing but `data`, with entries, or the count of them. */
function isWrapped(value: Values): boolean {
  if (Object.keys(value).join() !== 'data') return false
  const { data } = value
  return Array.isArray(data) ? data.every(isEntry) : data === null || isEntry(data)
}

const namesOfEntry = ['id', 'attributes', 'meta']

/** Whether it is an entry in v4's form, and not a component that has an attribute of that name. */
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

/** What is populated below the attribute; null if it is not populated itself. */
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
