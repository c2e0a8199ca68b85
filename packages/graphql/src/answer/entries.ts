// Converts entries that are objects to the objects that execution needs, because a lifecycle received them and may have
// changed them. Without lifecycles objects.ts converts rows; both give the same answer for the same entries.

import type { AnswerBranch, AnswerNode, Entry } from '@plinth/kernel'
import { type Source, sourceOf } from '../execution/source.ts'
import type { Member, ObjectOutput, UnionOutput } from './output.ts'
import { branchRefusal, type Refusals, refusedScalar } from './objects.ts'
import { scalarValue } from './values.ts'

/** What an object is made from. */
interface About {
  readonly node: AnswerNode
  readonly entry: Entry
  readonly refusals: Refusals
  readonly path: string
}

/** The object of one entry. Attributes that a lifecycle has added are there for resolvers of extensions. */
export function entryObject(output: ObjectOutput, about: About): Source {
  const { node, entry, refusals, path } = about
  const values = new Map<string, unknown>()
  const scalars: Record<string, unknown> = { ...entry }
  for (const attribute of node.plan.attributes) {
    if (attribute.name in entry) scalars[attribute.name] = scalarValue(attribute, entry[attribute.name])
  }
  for (const member of output.members) {
    if (member.kind === 'same') values.set(member.key, entryObject(member.of, about))
    else if (member.kind === 'branch' || member.kind === 'union') values.set(member.key, branchObject(member, about))
    else if (member.kind === 'scalar' && !(member.attribute.name in scalars))
      scalars[member.attribute.name] = refusedScalar(refusals, path, member.attribute.name)
  }
  return sourceOf(output.typeName, values, scalars)
}

type BranchMember = Extract<Member, { kind: 'branch' | 'union' }>

function branchObject(member: BranchMember, { node, entry, refusals, path }: About): unknown {
  const branch = node.branches.find(({ plan }) => plan.key === member.branch)
  const below = `${path === '' ? '' : `${path}.`}populate.${member.branch}`
  if (branch === undefined) return branchRefusal(refusals, below)
  const value = entry[branch.plan.key]
  const about = { refusals, path: below }
  if (member.kind === 'union') return unionObjects(member.of, branch, value, about)
  if (branch.kind !== 'relation' && branch.kind !== 'component') return null
  const make = (output: ObjectOutput) =>
    objectsOf(value, one => entryObject(output, { node: branch.child, entry: one, ...about }))
  if (branch.kind === 'component') return make(member.of)
  const values = new Map<string, unknown>()
  for (const one of member.of.members) if (one.kind === 'data') values.set(one.key, make(one.of))
  return sourceOf(member.of.typeName, values)
}

function unionObjects(
  outputs: UnionOutput,
  branch: AnswerBranch,
  value: unknown,
  { refusals, path }: Pick<About, 'refusals' | 'path'>,
): unknown {
  if (branch.kind !== 'zone' && branch.kind !== 'morph') return null
  return objectsOf(value, one => {
    const uid = String(one.__component ?? one.__type)
    const child = [...branch.children.values()].find(found => found.child.plan.type.uid === uid)?.child
    const output = outputs.get(uid)
    if (child === undefined || output === undefined) return null
    return entryObject(output, { node: child, entry: one, refusals, path: `${path}.on.${uid}` })
  })
}

/** A list for a list, an object or null otherwise. */
function objectsOf(value: unknown, make: (entry: Entry) => unknown): unknown {
  if (Array.isArray(value)) return value.map(one => make(one as Entry))
  return value === null || value === undefined ? null : make(value as Entry)
}
