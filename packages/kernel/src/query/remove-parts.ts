// Removes refused parts from the parameters of a query. The parameters belong to the caller and are not modified.

import { isPlainRecord } from '../record.ts'
import { type PopulateOptions, Under, under } from './populate-options.ts'
import type { CollectedPart, Keys, RefusedParts } from './refused-parts.ts'
import type { Params } from './request.ts'

/** The parameters without the parts. Throws the error of a part that the parameters do not name. */
export function removeParts(params: Params, refused: RefusedParts): Params {
  let left = params
  for (const { keys, error } of outermost(refused.parts)) {
    const removed = removePart(left, keys)
    if (removed === null) throw error
    // One selection may stand for all types of a zone, and then they are removed together.
    if (removed.keys.length < keys.length) refused.add(removed.keys, error)
    left = removed.params
  }
  return left
}

/** The parts that are in no other refused part. */
function outermost(parts: readonly CollectedPart[]): CollectedPart[] {
  return parts.filter(({ path }) => !parts.some(other => path.startsWith(`${other.path}.`)))
}

/** The options of a node, whether or not it has a key of its own. */
const optionsOf = (node: unknown): unknown => (node instanceof Under ? node.options : node)

/** The same node with other options. */
const withOptions = (node: unknown, options: Params): Params =>
  node instanceof Under ? (under(node.name, options as PopulateOptions) as unknown as Params) : options

interface RemovedPart {
  readonly params: Params
  /** The keys of the removed part. */
  readonly keys: Keys
}

/** Removes a part, or the innermost branch around it that the parameters name; null if they name none. */
function removePart(node: unknown, keys: Keys): RemovedPart | null {
  const options = optionsOf(node)
  const [clause, name, ...below] = keys
  if (!isPlainRecord(options) || clause === undefined || name === undefined) return null
  const members = options[clause]
  if (clause === 'fields') {
    if (!Array.isArray(members) || !members.includes(name)) return null
    return { keys, params: withOptions(node, { ...options, fields: members.filter(one => one !== name) }) }
  }
  if (!isPlainRecord(members) || !Object.hasOwn(members, name)) return null
  const inner = below.length === 0 ? null : removePart(members[name], below)
  if (inner !== null) {
    const changed = { ...options, [clause]: { ...members, [name]: inner.params } }
    return { keys: [clause, name, ...inner.keys], params: withOptions(node, changed) }
  }
  // The types of a union are not parts.
  if (clause === 'on') return null
  const { [name]: _removed, ...others } = members
  return { keys: [clause, name], params: withOptions(node, { ...options, [clause]: others }) }
}
