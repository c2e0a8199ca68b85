// Writes rows as the JSON text of a GraphQL answer. A writer is composed from closures once per output and plan, so
// writing a row builds no object and looks up no name (law 5). It writes only plans that have all that the output shows
// (completeness.ts), and values without an error: for others it throws NeedsExecution. It calls no code of extensions, whose
// values are texts already (own-texts.ts). Its length is checked as it grows (text-bound.ts): fields can be repeated under
// other names, so few rows can become any amount of text.

import type { AnswerBranch, AnswerNode, BranchRows, Member as MemberRows, NodeRows, Row } from '@plinth/kernel'
import type { BranchMember, Member, ObjectOutput, UnionOutput } from '../operation/output.ts'
import { NeedsExecution } from './needs-execution.ts'
import { takeOwnText } from './own-texts.ts'
import { checkLength } from './text-bound.ts'
import { scalarWriter } from './values.ts'

/** Writes an object about one row. */
export type WriteRow = (row: Row, of: NodeRows) => string

const rowWriters = new WeakMap<ObjectOutput, WeakMap<AnswerNode, WriteRow>>()

/** Composes the writer of an object about a row, once per output and plan. */
export function rowWriter(output: ObjectOutput, node: AnswerNode): WriteRow {
  let byNode = rowWriters.get(output)
  if (byNode === undefined) {
    byNode = new WeakMap()
    rowWriters.set(output, byNode)
  }
  const cached = byNode.get(node)
  if (cached !== undefined) return cached
  const writer = composeObject(output.members.map(member => composeRowMember(member, output, node)))
  byNode.set(node, writer)
  return writer
}

interface Part<Write> {
  readonly key: string
  readonly write: Write
}

function composeObject(parts: readonly Part<WriteRow>[]): WriteRow {
  const heads = headsOf(parts)
  const writes = parts.map(one => one.write)
  if (parts.length === 0) return () => '{}'
  return (row, of) => {
    let text = ''
    for (let i = 0; i < heads.length; i++) {
      text += heads[i]! + writes[i]!(row, of)
      checkLength(text.length)
    }
    return `${text}}`
  }
}

export const constant = (text: string) => () => text

/** Makes the texts before the values of the members of an object. They are joined because V8 keeps what `+` adds in parts. */
export function headsOf(members: readonly { readonly key: string }[]): string[] {
  return members.map(({ key }, i) => [i === 0 ? '{' : ',', JSON.stringify(key), ':'].join(''))
}

function composeRowMember(member: Member, { typeName }: ObjectOutput, node: AnswerNode): Part<WriteRow> {
  const { key } = member
  switch (member.kind) {
    case 'typename':
      return { key, write: constant(JSON.stringify(typeName)) }
    case 'id':
      return { key, write: row => `"${row[0] as number}"` }
    case 'same':
      return { key, write: rowWriter(member.of, node) }
    case 'own':
      if (member.leaf === null) throw unplanned(key)
      return { key, write: takeOwnText }
    case 'scalar': {
      const { attribute } = member
      const at = node.plan.attributes.findIndex(one => one.name === attribute.name)
      if (at === -1) throw unplanned(attribute.name)
      const write = scalarWriter(attribute, node.codecs[at]!) as (raw: unknown) => string
      const column = at + 1
      if (attribute.required)
        return {
          key,
          write: row => {
            const raw = row[column]
            if (raw === null || raw === undefined) throw new NeedsExecution()
            return write(raw)
          },
        }
      return {
        key,
        write: row => {
          const raw = row[column]
          return raw === null || raw === undefined ? 'null' : write(raw)
        },
      }
    }
    case 'branch':
    case 'union': {
      const at = node.branches.findIndex(({ plan }) => plan.key === member.branch)
      const branch = node.branches[at]
      if (branch === undefined) throw unplanned(member.branch)
      const write = composeBranch(branch, member)
      if (!branch.plan.attribute.required) return { key, write: (row, of) => write(row[0], of.branches[at]!) }
      return {
        key,
        write: (row, of) => {
          const text = write(row[0], of.branches[at]!)
          if (text === 'null') throw new NeedsExecution()
          return text
        },
      }
    }
    default:
      throw unplanned(key)
  }
}

/** The error of a writer that is composed for a plan without what it writes. */
export function unplanned(name: string): Error {
  return new Error(`The answer cannot be written as text: its plan lacks "${name}"`)
}

type WriteBranch = (id: unknown, rows: BranchRows) => string

function composeBranch(branch: AnswerBranch, member: BranchMember): WriteBranch {
  switch (branch.kind) {
    case 'relation':
      return composeRelation(branch, objectOf(member))
    case 'component':
      return composeComponent(branch, objectOf(member))
    case 'zone':
      return composeMembers(unionOf(member), true)
    case 'morph':
      return composeMembers(unionOf(member), branch.plan.attribute.many)
    default:
      throw unplanned(member.branch)
  }
}

function objectOf(member: BranchMember): ObjectOutput {
  if (member.kind === 'branch') return member.of
  throw unplanned(member.branch)
}

function unionOf(member: BranchMember): UnionOutput {
  if (member.kind === 'union') return member.of
  throw unplanned(member.branch)
}

type RelationBranch = Extract<AnswerBranch, { kind: 'relation' }>
type GroupedRows = Extract<BranchRows, { kind: 'rows' }>

/** `{ data }` around the entries of a relation. */
function composeRelation({ child, plan }: RelationBranch, output: ObjectOutput): WriteBranch {
  const { many } = plan.attribute
  const parts = output.members.map((member): Part<WriteBranch> => {
    if (member.kind === 'typename') return { key: member.key, write: constant(JSON.stringify(output.typeName)) }
    if (member.kind !== 'data') throw unplanned(member.key)
    const write = rowWriter(member.of, child)
    return { key: member.key, write: many ? listWriter(write) : firstWriter(write) }
  })
  const heads = headsOf(parts)
  // All its fields may be skipped.
  if (parts.length === 0) return () => '{}'
  return (id, rows) => {
    let text = ''
    for (let i = 0; i < heads.length; i++) text += heads[i]! + parts[i]!.write(id, rows)
    return `${text}}`
  }
}

function composeComponent(branch: Extract<AnswerBranch, { kind: 'component' }>, output: ObjectOutput): WriteBranch {
  const write = rowWriter(output, branch.child)
  return branch.plan.attribute.many ? listWriter(write) : firstWriter(write)
}

function listWriter(write: WriteRow): WriteBranch {
  return (id, rows) => {
    const { groups, child } = rows as GroupedRows
    const group = groups.get(id)
    return group === undefined ? '[]' : writeRows(group, write, child)
  }
}

function firstWriter(write: WriteRow): WriteBranch {
  return (id, rows) => {
    const { groups, child } = rows as GroupedRows
    const group = groups.get(id)
    return group === undefined ? 'null' : write(group[0]!, child)
  }
}

function composeMembers(outputs: UnionOutput, many: boolean): WriteBranch {
  const write = ({ row, of }: MemberRows) => {
    const output = outputs.get(of.node.plan.type.uid)
    if (output === undefined) throw unplanned(of.node.plan.type.uid)
    return rowWriter(output, of.node)(row, of)
  }
  return (id, rows) => {
    const members = (rows as Extract<BranchRows, { kind: 'members' }>).groups.get(id) ?? []
    if (many) return `[${members.map(write).join(',')}]`
    return members.length === 0 ? 'null' : write(members[0]!)
  }
}

/** Writes a list of rows. */
export function writeRows(rows: readonly Row[], write: WriteRow, of: NodeRows): string {
  if (rows.length === 0) return '[]'
  let text = ''
  for (let i = 0; i < rows.length; i++) {
    text += (i === 0 ? '[' : ',') + write(rows[i]!, of)
    checkLength(text.length)
  }
  return `${text}]`
}
