// Writes the answers of the fields of the root as JSON text: what is around the entries, which row-writer.ts writes. It
// knows no statements and no errors.

import type { NodeRows } from '@plinth/kernel'
import type { Member, ObjectOutput } from '../operation/output.ts'
import type { PageMembers } from '../operation/page.ts'
import { constant, headsOf, rowWriter, unplanned, type WriteRow, writeRows } from './row-writer.ts'

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

/** Returns the writers of the entries of a field: one for each time that it shows them. */
export function entryWriters({ members }: ObjectOutput, { node }: NodeRows): WriteRow[] {
  return members.flatMap(member => (member.kind === 'data' ? [rowWriter(member.of, node)] : []))
}

let written: ReadonlyMap<WriteRow, WriteRow> | null = null

/** Runs `work`, in which entries of lists are written by other writers than their own: those that know their texts. */
export function withWritten(writers: ReadonlyMap<WriteRow, WriteRow>, work: () => string): string {
  written = writers
  try {
    return work()
  } finally {
    written = null
  }
}

/** Composes the writer of an object that is about no single entry. */
function composeAround({ typeName, members }: ObjectOutput, compose: (member: Member) => WriteRoot): WriteRoot {
  if (members.length === 0) return () => '{}'
  const heads = headsOf(members)
  const writes = members.map(member => {
    if (member.kind !== 'typename') return compose(member)
    return constant(JSON.stringify(typeName))
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
  if (member.kind !== 'data') throw unplanned(member.key)
  return (rows, page) => {
    if (rows === null) return 'null'
    const own = rowWriter(member.of, rows.node)
    const write = written?.get(own) ?? own
    if (page !== null) return writeRows(rows.rows, write, rows)
    return rows.rows.length === 0 ? 'null' : write(rows.rows[0]!, rows)
  }
}

function composeChangeMember(name: 'action' | 'id'): WriteRoot {
  return (_rows, _page, change) => {
    if (change === null) throw unplanned(name)
    return name === 'id' ? `"${change.id}"` : `"${change.action.toUpperCase()}"`
  }
}

/** `meta` and what is in it. */
function composePageMember(member: Member): WriteRoot {
  if (member.kind === 'same') return composeAround(member.of, composePageMember)
  if (member.kind !== 'page') throw unplanned(member.key)
  const name = member.member
  return (_rows, page) => {
    if (page === null) throw unplanned(name)
    return String(page[name])
  }
}
