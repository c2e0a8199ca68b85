// Converts entries that are objects to v4's format, because a lifecycle received them and may have changed them.
// Without lifecycles, serialize.ts writes rows directly; both must give the same answer.

import type { AnswerBranch, AnswerLimits, AnswerNode, Entry, NodeRows } from '@plinth/kernel'
import type { Share } from '@plinth/server/transport'
import { metaText, type Written } from './serialize.ts'
import { TextBuffer } from './text-buffer.ts'
import { TimeSlice } from './time-slice.ts'

/** The options by which an answer is presented: its limits, and whether each entry has a `meta`, also an empty one. */
export interface PresentOptions {
  readonly limits: AnswerLimits
  readonly isMetaAlways: boolean
  /** Counts the bytes of the answer while it is written; null if nobody does. */
  readonly share: Share | null
}

/** The `data` of a list. Throws ValidationError if it exceeds the limits. */
export async function presentList(rows: NodeRows, entries: readonly Entry[], how: PresentOptions): Promise<Written> {
  const buffer = new TextBuffer(how.limits, true, how.share)
  const slice = new TimeSlice()
  let text = ''
  for (const entry of entries) {
    text += (text === '' ? '[' : ',') + JSON.stringify(presentEntry(rows, entry, how))
    if (text.length > buffer.longest) text = buffer.cut(text)
    if (buffer.isFull) await buffer.room()
    if (slice.isOver) await slice.next()
  }
  return buffer.finish(text === '' ? '[]' : `${text}]`)
}

/** The `data` of one entry; `null` if there is none. Throws ValidationError if it exceeds the limits. */
export function presentOne(rows: NodeRows, [entry]: readonly Entry[], how: PresentOptions): Written {
  const text = entry === undefined ? 'null' : JSON.stringify(presentEntry(rows, entry, how))
  return new TextBuffer(how.limits, true).finish(text)
}

/** A top-level entry in v4's format. */
function presentEntry(rows: NodeRows, entry: Entry, { isMetaAlways }: PresentOptions): unknown {
  const { id, ...attributes } = present(rows.node, entry)
  if (!isMetaAlways && rows.node.meta.length === 0) return { id, attributes }
  return { id, attributes, meta: JSON.parse(`{${metaText(entry.id, rows)}}`) }
}

function present(node: AnswerNode, entry: Entry): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...entry }
  for (const branch of node.branches) {
    const { name } = branch.plan
    if (name in copy) copy[name] = presentBranch(branch, copy[name])
  }
  return copy
}

function presentBranch(branch: AnswerBranch, value: unknown): unknown {
  const wrap = (one: Entry, node: AnswerNode) => {
    const { id, ...attributes } = present(node, one)
    return { id, attributes }
  }
  switch (branch.kind) {
    case 'empty':
      return { data: branch.plan.attribute.type === 'media' ? null : value }
    case 'count':
      return { data: { attributes: value } }
    case 'relation': {
      const { many, relation } = branch.plan.attribute
      if (Array.isArray(value)) {
        const isNone = many && relation === 'morphMany' && value.length === 0
        return { data: isNone ? null : value.map(one => wrap(one as Entry, branch.child)) }
      }
      return { data: value === null ? null : wrap(value as Entry, branch.child) }
    }
    case 'component':
      if (Array.isArray(value)) return value.map(one => present(branch.child, one as Entry))
      return value === null ? null : present(branch.child, value as Entry)
    case 'zone':
      return (value as Entry[]).map(one => presentMember(branch, one, one.__component))
    case 'morph': {
      // Members of a list carry their type; a single one does not (B-3.31, B-3.32).
      const members = Array.isArray(value) ? (value as Entry[]) : value === null ? [] : [value as Entry]
      const items = members.map(one => {
        const { __type, ...rest } = presentMember(branch, one, one.__type)
        return branch.plan.attribute.many ? { __type, ...rest } : rest
      })
      return branch.plan.attribute.many ? items : (items[0] ?? null)
    }
  }
}

/** A component of a zone, or an entry of any type, presented with the node it was read with. */
function presentMember(
  branch: Extract<AnswerBranch, { kind: 'zone' | 'morph' }>,
  entry: Entry,
  uid: unknown,
): Record<string, unknown> {
  const branchOfType = [...branch.children.values()].find(({ child }) => child.plan.type.uid === uid)
  return branchOfType === undefined ? { ...entry } : present(branchOfType.child, entry)
}
