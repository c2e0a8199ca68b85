// Converts rows to the objects that execution needs, in the same structure as the answer. What the caller may not see is
// an error in the place of the value, so that each of its parents reports it.

import {
  type AnswerBranch,
  type AnswerNode,
  type BranchRows,
  type Entry,
  ForbiddenError,
  type NodeRows,
  type ScalarAttribute,
  type Row,
} from '@plinth/kernel'
import { entryObject } from './entries.ts'
import { type Source, sourceOf } from '../execution/source.ts'
import { Inexpressible } from './inexpressible.ts'
import type { Member, ObjectOutput } from './output.ts'
import { scalarValue } from './values.ts'
import type { PageMembers } from './writer.ts'

/** Why parts of a question were left out, by their paths in its parameters: `populate.author`. */
export type Refusals = ReadonlyMap<string, Error>

/** The result of a field of the root. */
export interface RootRows {
  readonly rows: NodeRows | null
  /** The entries as lifecycles have left them; without lifecycles the rows are the answer. */
  readonly entries?: readonly Entry[] | undefined
  /** The members of `meta.pagination`; null if the field shows no list. */
  readonly page: PageMembers | null
  readonly refusals: Refusals
}

/** The object of a field of the root. */
export function rootObject(output: ObjectOutput, root: RootRows): Source {
  const { page } = root
  const values = new Map<string, unknown>()
  for (const member of output.members) {
    if (member.kind === 'data') {
      const entries = rootEntries(member.of, root)
      values.set(member.key, page === null ? (entries[0] ?? null) : entries)
    } else if (member.kind === 'same') values.set(member.key, pageObject(member.of, page))
  }
  return sourceOf(output.typeName, values)
}

function rootEntries(output: ObjectOutput, { rows, entries, refusals }: RootRows): Source[] {
  if (rows === null) return []
  if (entries === undefined) return rows.rows.map(row => rowObject(output, { of: rows, row, refusals, path: '' }))
  return entries.map(entry => entryObject(output, { node: rows.node, entry, refusals, path: '' }))
}

function pageObject(output: ObjectOutput, page: PageMembers | null): Source {
  const values = new Map<string, unknown>()
  for (const member of output.members) if (member.kind === 'same') values.set(member.key, pageObject(member.of, page))
  return sourceOf(output.typeName, values, { ...page })
}

interface About {
  readonly of: NodeRows
  readonly row: Row
  readonly refusals: Refusals
  /** The path of the node in the parameters of the question; empty at the root. */
  readonly path: string
}

/** The object of one row, with all scalars that were read. */
function rowObject(output: ObjectOutput, about: About): Source {
  const { of, row, refusals, path } = about
  const values = new Map<string, unknown>()
  const scalars = scalarsOf(of.node, row)
  for (const member of output.members) {
    if (member.kind === 'same') values.set(member.key, rowObject(member.of, about))
    else if (member.kind === 'branch' || member.kind === 'union') values.set(member.key, branchObject(member, about))
    else if (member.kind === 'scalar' && !(member.attribute.name in scalars))
      scalars[member.attribute.name] = refusedScalar(refusals, path, member.attribute.name)
  }
  return sourceOf(output.typeName, values, scalars)
}

function scalarsOf(node: AnswerNode, row: Row): Record<string, unknown> {
  const scalars: Record<string, unknown> = { id: row[0] }
  for (const [i, attribute] of node.plan.attributes.entries()) {
    const raw = row[i + 1]
    if (raw === null || raw === undefined) scalars[attribute.name] = null
    else scalars[attribute.name] = readScalar(attribute, node.codecs[i]!.decode(raw as never))
  }
  return scalars
}

/** A value that the schema cannot show is left as it is: the scalar refuses it. */
function readScalar(attribute: ScalarAttribute, value: unknown): unknown {
  try {
    return scalarValue(attribute, value)
  } catch (error) {
    if (error instanceof Inexpressible) return value
    throw error
  }
}

/** An attribute that throws: the default resolver calls functions. */
function thrower(error: Error): () => never {
  return () => {
    throw error
  }
}

/** The value of an attribute that the caller may not read. */
export function refusedScalar(refusals: Refusals, path: string, name: string): () => never {
  const at = path === '' ? 'fields' : `${path}.fields`
  return thrower(refusals.get(`${at}.${name}`) ?? new ForbiddenError())
}

/** Why a branch is missing. */
export function branchRefusal(refusals: Refusals, path: string): Error {
  return refusals.get(path) ?? new ForbiddenError()
}

type BranchMember = Extract<Member, { kind: 'branch' | 'union' }>

function branchObject(member: BranchMember, { of, row, refusals, path }: About): unknown {
  const at = of.node.branches.findIndex(({ plan }) => plan.key === member.branch)
  const below = `${path === '' ? '' : `${path}.`}populate.${member.branch}`
  if (at === -1) return branchRefusal(refusals, below)
  return branchValue(of.node.branches[at]!, of.branches[at]!, member, { id: row[0], refusals, path: below })
}

interface BelowAbout {
  readonly id: unknown
  readonly refusals: Refusals
  readonly path: string
}

function branchValue(branch: AnswerBranch, rows: BranchRows, member: BranchMember, about: BelowAbout): unknown {
  const { id, refusals, path } = about
  if (rows.kind === 'rows' && member.kind === 'branch') {
    const group = rows.groups.get(id) ?? []
    const make = (output: ObjectOutput) =>
      group.map(one => rowObject(output, { of: rows.child, row: one, refusals, path }))
    const many = (branch as Extract<AnswerBranch, { kind: 'relation' | 'component' }>).plan.attribute.many
    if (branch.kind === 'component') return many ? make(member.of) : (make(member.of)[0] ?? null)
    const values = new Map<string, unknown>()
    for (const one of member.of.members)
      if (one.kind === 'data') values.set(one.key, many ? make(one.of) : (make(one.of)[0] ?? null))
    return sourceOf(member.of.typeName, values)
  }
  if (rows.kind === 'members' && member.kind === 'union') {
    const members = (rows.groups.get(id) ?? []).flatMap(one => {
      const { uid } = one.of.node.plan.type
      const output = member.of.get(uid)
      return output === undefined ? [] : [rowObject(output, { ...one, refusals, path: `${path}.on.${uid}` })]
    })
    return branch.kind === 'morph' && !branch.plan.attribute.many ? (members[0] ?? null) : members
  }
  return null
}
