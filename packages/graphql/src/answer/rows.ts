// Converts rows to the objects that execution needs. What depends only on the output and the plan is found once.

import type { AnswerBranch, AnswerNode, BranchRows, NodeRows, Row } from '@plinth/kernel'
import type { BranchMember, ObjectOutput, UnionOutput } from '../operation/output.ts'
import type { Inherited, InheritedByNode } from '../operation/question.ts'
import { EntryParts, partsOf } from './parts.ts'
import { addRefused, attributesOf, branchPath, branchRefusal, type RefusedAt } from './refused.ts'
import { responseObject } from './response-object.ts'
import { entrySource, type ResponseInfo, type Source } from './source.ts'
import { type ReadScalar, scalarReader } from './values.ts'

/** The values that are the same for all rows of a node. */
interface RowScope extends RefusedAt {
  readonly inherited: InheritedByNode
}

/** The rows of a node with everything below it, and their scope. */
interface ReadNode {
  readonly of: NodeRows
  readonly scope: RowScope
}

/** The objects of rows, with all scalars that were read. */
export function rowObjects(output: ObjectOutput, rows: readonly Row[], { of, scope }: ReadNode): Source[] {
  const reader = readerOf(output, of.node)
  const parts = partsOf(output)
  const inherited = inheritedOf(output, scope.inherited)
  const objects: Source[] = []
  for (const row of rows) {
    const scalars = readScalars(reader, row)
    if (!reader.isComplete) addRefused(output, scalars, scope)
    const fields = new EntryParts(parts, { of, row, scope }, branchOfRow)
    objects.push(entrySource(output.typeName, { scalars, fields, inherited }))
  }
  return objects
}

/** The parameters that hold for an entry. */
export function inheritedOf({ node }: ObjectOutput, inherited: InheritedByNode): Inherited | undefined {
  return inherited.size === 0 || node === null ? undefined : inherited.get(node)
}

/** Reads the scalars of the rows of a node, which are there under their names. */
interface RowReader {
  readonly node: AnswerNode
  readonly names: readonly string[]
  /** Parallel to the names. */
  readonly reads: readonly ReadScalar[]
  /** True if the rows have all attributes that the object shows. */
  readonly isComplete: boolean
}

const readers = new WeakMap<ObjectOutput, RowReader>()

function readerOf(output: ObjectOutput, node: AnswerNode): RowReader {
  const cached = readers.get(output)
  if (cached?.node === node) return cached
  const { attributes } = node.plan
  const names = attributes.map(({ name }) => name)
  const reads = attributes.map((attribute, i) => scalarReader(attribute, node.codecs[i]!))
  const isComplete = [...attributesOf(output)].every(name => names.includes(name))
  const reader = { node, names, reads, isComplete }
  readers.set(output, reader)
  return reader
}

function readScalars({ names, reads }: RowReader, row: Row): Record<string, unknown> {
  const scalars: Record<string, unknown> = { id: row[0] }
  for (let i = 0; i < names.length; i++) {
    const raw = row[i + 1]
    scalars[names[i]!] = raw === null || raw === undefined ? null : reads[i]!(raw as never)
  }
  return scalars
}

interface ReadRow extends ReadNode {
  readonly row: Row
}

function branchOfRow(member: BranchMember, { of, row, scope }: ReadRow): unknown {
  return branchOf(of, member, { id: row[0], scope: branchScope(scope, member) })
}

/** Returns the scope of a branch. The path is needed only to find refusals. */
function branchScope(scope: RowScope, { branch }: BranchMember): RowScope {
  return scope.refusals.size === 0 ? scope : { ...scope, path: branchPath(scope.path, branch) }
}

/** The entry whose populated attribute is asked for. */
interface BranchRequest {
  readonly id: unknown
  /** The scope of the branch, with its path. */
  readonly scope: RowScope
  readonly info?: ResponseInfo | undefined
}

/** A populated attribute of the entry with the id; an error if the caller may not see it. */
export function branchOf(of: NodeRows, member: BranchMember, request: BranchRequest): unknown {
  const at = of.node.branches.findIndex(({ plan }) => plan.key === member.branch)
  if (at === -1) return branchRefusal(request.scope)
  const branch = of.node.branches[at]!
  const rows = of.branches[at]!
  if (member.kind === 'union') return rows.kind === 'members' ? unionValue(branch, rows, member.of, request) : null
  return rows.kind === 'rows' ? rowsValue(branch, rows, member.of, request) : null
}

function rowsValue(
  branch: AnswerBranch,
  rows: Extract<BranchRows, { kind: 'rows' }>,
  output: ObjectOutput,
  { id, info, scope }: BranchRequest,
): unknown {
  const group = rows.groups.get(id) ?? []
  const make = (one: ObjectOutput) => rowObjects(one, group, { of: rows.child, scope })
  const { many: isList } = (branch as Extract<AnswerBranch, { kind: 'relation' | 'component' }>).plan.attribute
  if (branch.kind !== 'component') return responseObject(output, make, { isList, info })
  return isList ? make(output) : (make(output)[0] ?? null)
}

function unionValue(
  branch: AnswerBranch,
  rows: Extract<BranchRows, { kind: 'members' }>,
  outputs: UnionOutput,
  { id, scope }: BranchRequest,
): unknown {
  const members = (rows.groups.get(id) ?? []).flatMap(({ of, row }) => {
    const { uid } = of.node.plan.type
    const output = outputs.get(uid)
    const own = { ...scope, path: `${scope.path}.on.${uid}` }
    return output === undefined ? [] : rowObjects(output, [row], { of, scope: own })
  })
  return branch.kind === 'morph' && !branch.plan.attribute.many ? (members[0] ?? null) : members
}
