// Converts entries that are objects to the objects that execution needs, because a lifecycle received them and may have
// changed them. Without lifecycles rows.ts converts rows; both give the same answer for the same entries.

import type { AnswerBranch, AnswerNode, Entry } from '@plinth/kernel'
import type { BranchMember, ObjectOutput, UnionOutput } from '../operation/output.ts'
import type { InheritedByNode } from '../operation/question.ts'
import { EntryParts, partsOf } from './parts.ts'
import { addRefused, branchPath, branchRefusal, type RefusedAt } from './refused.ts'
import { responseObject } from './response-object.ts'
import { inheritedOf } from './rows.ts'
import { entrySource, type Source } from './source.ts'
import { scalarValue } from './values.ts'

/** The parts of which an object is made. */
interface EntryScope extends RefusedAt {
  readonly node: AnswerNode
  readonly entry: Entry
  readonly inherited: InheritedByNode
}

/** The object of one entry. Attributes that a lifecycle has added are there for resolvers of extensions. */
export function entryObject(output: ObjectOutput, scope: EntryScope): Source {
  const { node, entry } = scope
  const scalars: Record<string, unknown> = { ...entry }
  // Relations are shown as their fields ask for them.
  for (const { plan } of node.branches) delete scalars[plan.key]
  for (const attribute of node.plan.attributes) {
    if (attribute.name in entry) scalars[attribute.name] = scalarValue(attribute, entry[attribute.name])
  }
  addRefused(output, scalars, scope)
  const fields = new EntryParts(partsOf(output), scope, branchObject)
  return entrySource(output.typeName, { scalars, fields, inherited: inheritedOf(output, scope.inherited) })
}

function branchObject(member: BranchMember, { node, entry, path, ...scope }: EntryScope): unknown {
  const branch = node.branches.find(({ plan }) => plan.key === member.branch)
  const below = { ...scope, path: branchPath(path, member.branch) }
  if (branch === undefined) return branchRefusal(below)
  const value = entry[branch.plan.key]
  if (member.kind === 'union') return unionObjects(member.of, branch, value, below)
  if (branch.kind !== 'relation' && branch.kind !== 'component') return null
  const make = (output: ObjectOutput, one: Entry) => entryObject(output, { ...below, node: branch.child, entry: one })
  if (branch.kind === 'component') return objectsOf(value, one => make(member.of, one))
  const entries = Array.isArray(value)
    ? (value as Entry[])
    : value === null || value === undefined
      ? []
      : [value as Entry]
  return responseObject(member.of, output => entries.map(one => make(output, one)), {
    isList: branch.plan.attribute.many,
  })
}

function unionObjects(
  outputs: UnionOutput,
  branch: AnswerBranch,
  value: unknown,
  { path, ...scope }: Omit<EntryScope, 'node' | 'entry'>,
): unknown {
  if (branch.kind !== 'zone' && branch.kind !== 'morph') return null
  return objectsOf(value, one => {
    const uid = String(one.__component ?? one.__type)
    const child = [...branch.children.values()].find(one => one.child.plan.type.uid === uid)?.child
    const output = outputs.get(uid)
    if (child === undefined || output === undefined) return null
    return entryObject(output, { ...scope, node: child, entry: one, path: `${path}.on.${uid}` })
  })
}

/** A list for a list, an object or null otherwise. */
function objectsOf(value: unknown, make: (entry: Entry) => unknown): unknown {
  if (Array.isArray(value)) return value.map(one => make(one as Entry))
  return value === null || value === undefined ? null : make(value as Entry)
}
