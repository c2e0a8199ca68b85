// Entries as objects into v4's format: for entries that a lifecycle looked at and may have changed. Rows go the short way,
// in serialize.ts; both must give the same answer.

import type { CompiledBranch, CompiledNode, Entry } from '@plinth/kernel'

/** The answered form of a top-level entry. */
export function presentEntry(node: CompiledNode, entry: Entry): unknown {
  const { id, ...attributes } = present(node, entry)
  return { id, attributes, meta: {} }
}

function present(node: CompiledNode, entry: Entry): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...entry }
  for (const branch of node.branches) {
    const { name } = branch.branch
    if (name in shown) shown[name] = presentBranch(branch, shown[name])
  }
  return shown
}

function presentBranch(branch: CompiledBranch, value: unknown): unknown {
  const wrap = (one: Entry, node: CompiledNode) => {
    const { id, ...attributes } = present(node, one)
    return { id, attributes }
  }
  switch (branch.kind) {
    case 'empty':
      return { data: branch.branch.attribute.type === 'media' ? null : value }
    case 'count':
      return { data: { attributes: value } }
    case 'relation': {
      const { many, relation } = branch.branch.attribute
      if (Array.isArray(value)) {
        const isNone = many && relation === 'morphMany' && value.length === 0
        return { data: isNone ? null : value.map(one => wrap(one as Entry, branch.child)) }
      }
      return { data: value === null ? null : wrap(value as Entry, branch.child) }
    }
    case 'component':
      if (Array.isArray(value)) return value.map(one => present(branch.child, one as Entry))
      return value === null ? null : present(branch.child, value as Entry)
    default:
      return value
  }
}
