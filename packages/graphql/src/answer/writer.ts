// Writes rows as the JSON text of a GraphQL answer. A writer is composed from closures once per output and plan, so
// writing a row builds no object and looks up no name (law 5). It writes only what has no error: for everything else it
// throws Inexpressible, and TooLong where the text becomes longer than an answer may be: fields can be repeated under
// other names, so few rows can become any amount of text.

import type { AnswerBranch, AnswerNode, BranchRows, Member as MemberRows, NodeRows, Row } from '@plinth/kernel'
import type { pageMembers } from '../operation/page.ts'
import { Inexpressible } from './inexpressible.ts'
import type { Member, ObjectOutput, UnionOutput } from './output.ts'
import { answerLimits, TooLong } from './too-long.ts'
import { scalarWriter } from './values.ts'

const maxLength = answerLimits.maxBytes

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
  const heads = headsOf(parts)
  const writes = parts.map(one => one.write)
  if (parts.length === 0) return () => '{}'
  return (row, of) => {
    let text = ''
    for (let i = 0; i < heads.length; i++) {
      text += heads[i]! + writes[i]!(row, of)
      if (text.length > maxLength) throw new TooLong(text.length)
    }
    return `${text}}`
  }
}

/** The texts before the values of the members of an object. They are joined because V8 keeps what `+` adds in parts. */
function headsOf(members: readonly { readonly key: string }[]): string[] {
  return members.map(({ key }, i) => [i === 0 ? '{' : ',', JSON.stringify(key), ':'].join(''))
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
      const branch = node.branches[at]!
      const write = composeBranch(branch, member)
      if (!branch.plan.attribute.required) return { key, write: (row, of) => write(row[0], of.branches[at]!) }
      return {
        key,
        write: (row, of) => {
          const text = write(row[0], of.branches[at]!)
          if (text === 'null') throw new Inexpressible()
          return text
        },
      }
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
    const { groups, child } = rows as Grouped
    const group = groups.get(id)
    return group === undefined ? '[]' : writeRows(group, write, child)
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
    if (many) return `[${members.map(write).join(',')}]`
    return members.length === 0 ? 'null' : write(members[0]!)
  }
}

function writeRows(rows: readonly Row[], write: WriteRow, of: NodeRows): string {
  if (rows.length === 0) return '[]'
  let text = ''
  for (let i = 0; i < rows.length; i++) {
    text += (i === 0 ? '[' : ',') + write(rows[i]!, of)
    if (text.length > maxLength) throw new TooLong(text.length)
  }
  return `${text}]`
}

/** Writes the answer of a field of the root. */
type WriteRoot = (rows: NodeRows | null, page: PageMembers | null, change: EntryChange | null) => string

const rootWriters = new WeakMap<ObjectOutput, WriteRoot>()

/** The members of an event beside the entry. */
export interface EntryChange {
  readonly action: 'create' | 'update' | 'delete'
  readonly id: number
}

/**
 * Writes the answer of a field of the root: `{ data }` of one entry, `{ data, meta }` of a list, or
 * `{ action, id, data }` of a change.
 */
export function writeRoot(
  output: ObjectOutput,
  rows: NodeRows | null,
  page: PageMembers | null,
  change: EntryChange | null = null,
): string {
  let write = rootWriters.get(output)
  if (write === undefined) {
    write = composeAround(output, composeRootMember)
    rootWriters.set(output, write)
  }
  return write(rows, page, change)
}

/** The writer of an object that is about no single entry. */
function composeAround({ typeName, members }: ObjectOutput, compose: (member: Member) => WriteRoot): WriteRoot {
  if (members.length === 0) return () => '{}'
  const heads = headsOf(members)
  const writes = members.map(member => {
    if (member.kind !== 'typename') return compose(member)
    const text = JSON.stringify(typeName)
    return () => text
  })
  return (rows, page, change) => {
    let text = ''
    for (let i = 0; i < heads.length; i++) text += heads[i]! + writes[i]!(rows, page, change)
    return `${text}}`
  }
}

function composeRootMember(member: Member): WriteRoot {
  if (member.kind === 'same') return composeAround(member.of, composePageMember)
  if (member.kind === 'change') return composeChangeMember(member.member)
  if (member.kind !== 'data') throw new Inexpressible()
  return (rows, page) => {
    if (rows === null) return 'null'
    const write = rowWriter(member.of, rows.node)
    if (page !== null) return writeRows(rows.rows, write, rows)
    return rows.rows.length === 0 ? 'null' : write(rows.rows[0]!, rows)
  }
}

function composeChangeMember(name: 'action' | 'id'): WriteRoot {
  return (_rows, _page, change) => {
    if (change === null) throw new Inexpressible()
    return name === 'id' ? `"${change.id}"` : `"${change.action.toUpperCase()}"`
  }
}

/** `meta` and what is in it. */
function composePageMember(member: Member): WriteRoot {
  if (member.kind === 'same') return composeAround(member.of, composePageMember)
  if (member.kind !== 'page') throw new Inexpressible()
  const name = member.member
  return (_rows, page) => {
    if (page === null) throw new Inexpressible()
    return String(page[name])
  }
}
