// Writes rows as the JSON text of a GraphQL answer. A writer is composed from closures once per output and plan, so
// writing a row builds no object and looks up no name (law 5). It writes only what has no error: for everything else it
// throws Inexpressible.

import type { AnswerBranch, AnswerNode, BranchRows, Member as MemberRows, NodeRows, Row } from '@plinth/kernel'
import type { pageMembers } from '../operation/page.ts'
import { Inexpressible } from './inexpressible.ts'
import type { Member, ObjectOutput, UnionOutput } from './output.ts'
import { scalarWriter } from './values.ts'

/** Writes an object about one row. */
type WriteRow = (row: Row, of: NodeRows) => string

/** The members of `meta.pagination`. */
export type PageMembers = ReturnType<typeof pageMembers>

const rowWriters = new WeakMap<ObjectOutput, WeakMap<AnswerNode, WriteRow>>()

/** The writer of an object about a row, which is composed once per output and plan. */
function rowWriter(output: ObjectOutput, node: AnswerNode): WriteRow {
  let byNode = rowWriters.get(output)
  if (byNode === undefined) {
    byNode = new WeakMap()
    rowWriters.set(output, byNode)
  }
  const known = byNode.get(node)
  if (known !== undefined) return known
  const made = composeObject(output.members.map(member => composeRowMember(member, output, node)))
  byNode.set(node, made)
  return made
}

interface Part<Write> {
  readonly key: string
  readonly write: Write
}

function composeObject(parts: readonly Part<WriteRow>[]): WriteRow {
  const heads = parts.map(({ key }, i) => `${i === 0 ? '{' : ','}${JSON.stringify(key)}:`)
  const writes = parts.map(one => one.write)
  if (parts.length === 0) return () => '{}'
  return (row, of) => {
    let text = ''
    for (let i = 0; i < heads.length; i++) text += heads[i]! + writes[i]!(row, of)
    return `${text}}`
  }
}

function composeRowMember(member: Member, { typeName }: ObjectOutput, node: AnswerNode): Part<WriteRow> {
  const { key } = member
  switch (member.kind) {
    case 'typename': {
      const text = JSON.stringify(typeName)
      return { key, write: () => text }
    }
    case 'id':
      return { key, write: row => `"${row[0] as number}"` }
    case 'same':
      return { key, write: rowWriter(member.of, node) }
    case 'scalar': {
      const { attribute } = member
      const at = node.plan.attributes.findIndex(one => one.name === attribute.name)
      if (at === -1) throw new Inexpressible()
      const write = scalarWriter(attribute, node.codecs[at]!) as (raw: unknown) => string
      const column = at + 1
      if (attribute.required)
        return {
          key,
          write: row => {
            const raw = row[column]
            if (raw === null || raw === undefined) throw new Inexpressible()
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
      // The caller may not see it: null, and an error for each parent.
      if (at === -1) throw new Inexpressible()
      const write = composeBranch(node.branches[at]!, member)
      return { key, write: (row, of) => write(row[0], of.branches[at]!) }
    }
    default:
      throw new Inexpressible()
  }
}

type WriteBranch = (id: unknown, rows: BranchRows) => string
type BranchMember = Extract<Member, { kind: 'branch' | 'union' }>

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
      throw new Inexpressible()
  }
}

function objectOf(member: BranchMember): ObjectOutput {
  if (member.kind === 'branch') return member.of
  throw new Inexpressible()
}

function unionOf(member: BranchMember): UnionOutput {
  if (member.kind === 'union') return member.of
  throw new Inexpressible()
}

type RelationBranch = Extract<AnswerBranch, { kind: 'relation' }>
type Grouped = Extract<BranchRows, { kind: 'rows' }>

/** `{ data }` around the entries of a relation. */
function composeRelation({ child, plan }: RelationBranch, output: ObjectOutput): WriteBranch {
  const { many } = plan.attribute
  const parts = output.members.map((member): Part<WriteBranch> => {
    if (member.kind === 'typename') {
      const text = JSON.stringify(output.typeName)
      return { key: member.key, write: () => text }
    }
    if (member.kind !== 'data') throw new Inexpressible()
    const write = rowWriter(member.of, child)
    return { key: member.key, write: many ? listWriter(write) : firstWriter(write) }
  })
  const heads = parts.map(({ key }, i) => `${i === 0 ? '{' : ','}${JSON.stringify(key)}:`)
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
    const { groups, child } = rows as Grouped
    const group = groups.get(id)
    return group === undefined ? '[]' : writeAll(group, row => write(row, child))
  }
}

function firstWriter(write: WriteRow): WriteBranch {
  return (id, rows) => {
    const { groups, child } = rows as Grouped
    const group = groups.get(id)
    return group === undefined ? 'null' : write(group[0]!, child)
  }
}

function composeMembers(outputs: UnionOutput, many: boolean): WriteBranch {
  const write = ({ row, of }: MemberRows) => {
    const output = outputs.get(of.node.plan.type.uid)
    if (output === undefined) throw new Inexpressible()
    return rowWriter(output, of.node)(row, of)
  }
  return (id, rows) => {
    const members = (rows as Extract<BranchRows, { kind: 'members' }>).groups.get(id) ?? []
    if (many) return writeAll(members, write)
    return members.length === 0 ? 'null' : write(members[0]!)
  }
}

function writeAll<T>(items: readonly T[], write: (item: T) => string): string {
  if (items.length === 0) return '[]'
  let text = '['
  for (let i = 0; i < items.length; i++) text += i === 0 ? write(items[i]!) : `,${write(items[i]!)}`
  return `${text}]`
}

/** Writes the answer of a field of the root: `{ data }` of one entry, or `{ data, meta }` of a list. */
export function writeRoot(output: ObjectOutput, rows: NodeRows | null, page: PageMembers | null): string {
  let text = ''
  for (const member of output.members) {
    text += `${text === '' ? '{' : ','}${JSON.stringify(member.key)}:${writeRootMember(member, output, rows, page)}`
  }
  return text === '' ? '{}' : `${text}}`
}

function writeRootMember(
  member: Member,
  { typeName }: ObjectOutput,
  rows: NodeRows | null,
  page: PageMembers | null,
): string {
  switch (member.kind) {
    case 'typename':
      return JSON.stringify(typeName)
    case 'data': {
      if (rows === null) return 'null'
      const write = rowWriter(member.of, rows.node)
      if (page !== null) return writeAll(rows.rows, row => write(row, rows))
      return rows.rows.length === 0 ? 'null' : write(rows.rows[0]!, rows)
    }
    case 'same':
      return writePage(member.of, page)
    default:
      throw new Inexpressible()
  }
}

/** `meta` and what is in it. */
function writePage({ typeName, members }: ObjectOutput, page: PageMembers | null): string {
  const texts = members.map(member => {
    const head = `${JSON.stringify(member.key)}:`
    if (member.kind === 'typename') return head + JSON.stringify(typeName)
    if (member.kind === 'same') return head + writePage(member.of, page)
    if (member.kind !== 'page' || page === null) throw new Inexpressible()
    return head + String(page[member.member])
  })
  return `{${texts.join(',')}}`
}
