// Rows into JSON text in v4's format (B-3). One writer per plan, composed once from closures: no object is built for a row,
// and nothing is looked up by name.

import type { BranchRows, CompiledBranch, CompiledNode, CompiledPlan, Member, NodeRows, Row } from '@plinth/kernel'

/** Writes one row's members without the braces: `"title":"x","author":{…}`. */
type WriteMembers = (row: Row, of: NodeRows) => string

const writers = new WeakMap<CompiledNode, WriteMembers>()

/** The writer of a node, made once. */
function membersOf(node: CompiledNode): WriteMembers {
  const known = writers.get(node)
  if (known !== undefined) return known
  const made = composeMembers(node)
  writers.set(node, made)
  return made
}

function composeMembers(node: CompiledNode): WriteMembers {
  const { attributes } = node.node
  const keys = attributes.map((attribute, i) => `${i === 0 ? '' : ','}${JSON.stringify(attribute.name)}:`)
  const codecs = node.codecs.map(codec => codec.json as (raw: unknown) => string)
  const branches = node.branches.map(composeBranch)
  const names = node.branches.map(
    ({ branch }, i) => `${i === 0 && keys.length === 0 ? '' : ','}${JSON.stringify(branch.name)}:`,
  )
  return (row, of) => {
    let text = ''
    for (let i = 0; i < keys.length; i++) {
      const raw = row[i + 1]
      text += keys[i]! + (raw === null || raw === undefined ? 'null' : codecs[i]!(raw))
    }
    for (let i = 0; i < branches.length; i++) text += names[i]! + branches[i]!(row[0], of.branches[i]!)
    return text
  }
}

type WriteBranch = (id: unknown, rows: BranchRows) => string

function composeBranch(compiled: CompiledBranch): WriteBranch {
  switch (compiled.kind) {
    case 'empty': {
      // A list of media without media is null in v4, of other relations empty (B-3.26, suite zones-write).
      const isList = compiled.branch.attribute.many && compiled.branch.attribute.type !== 'media'
      const text = isList ? '{"data":[]}' : '{"data":null}'
      return () => text
    }
    case 'count':
      return (id, rows) =>
        `{"data":{"attributes":{"count":${(rows as BranchRows & { kind: 'count' }).groups.get(id) ?? 0}}}}`
    case 'relation': {
      const { many, relation } = compiled.branch.attribute
      // v4 answers null for a morphMany without rows (B-3.33).
      const none = many && relation !== 'morphMany' ? '{"data":[]}' : '{"data":null}'
      return composeRows(compiled.child, many, writeEntry, text => `{"data":${text}}`, none)
    }
    case 'component': {
      const { many } = compiled.branch.attribute
      return composeRows(compiled.child, many, writeComponent, text => text, many ? '[]' : 'null')
    }
    case 'zone':
      return (id, rows) => {
        const members = (rows as BranchRows & { kind: 'members' }).groups.get(id) ?? []
        return `[${members.map(writeZoneMember).join(',')}]`
      }
    case 'morph': {
      const { many } = compiled.branch.attribute
      return (id, rows) => {
        const members = (rows as BranchRows & { kind: 'members' }).groups.get(id) ?? []
        // Polymorphic targets stand as they are, without wrapping (B-3.31, B-3.32).
        if (many) return `[${members.map(writeMorphMember).join(',')}]`
        return members.length === 0 ? 'null' : writeComponent(members[0]!.row, members[0]!.of)
      }
    }
  }
}

function composeRows(
  child: CompiledNode,
  many: boolean,
  write: (row: Row, of: NodeRows, members: WriteMembers) => string,
  wrap: (text: string) => string,
  none: string,
): WriteBranch {
  const members = membersOf(child)
  return (id, rows) => {
    const { groups, child: of } = rows as BranchRows & { kind: 'rows' }
    const group = groups.get(id)
    if (group === undefined) return none
    if (!many) return wrap(write(group[0]!, of, members))
    let text = ''
    for (let i = 0; i < group.length; i++) text += (i === 0 ? '[' : ',') + write(group[i]!, of, members)
    return wrap(`${text}]`)
  }
}

function writeEntry(row: Row, of: NodeRows, members: WriteMembers): string {
  return `{"id":${row[0] as number},"attributes":{${members(row, of)}}}`
}

function writeComponent(row: Row, of: NodeRows, members: WriteMembers = membersOf(of.node)): string {
  const text = members(row, of)
  return text === '' ? `{"id":${row[0] as number}}` : `{"id":${row[0] as number},${text}}`
}

function writeZoneMember({ row, of }: Member): string {
  const text = membersOf(of.node)(row, of)
  const head = `{"id":${row[0] as number},"__component":${JSON.stringify(of.node.node.type.uid)}`
  return text === '' ? `${head}}` : `${head},${text}}`
}

function writeMorphMember({ row, of }: Member): string {
  const text = membersOf(of.node)(row, of)
  const head = `{"__type":${JSON.stringify(of.node.node.type.uid)},"id":${row[0] as number}`
  return text === '' ? `${head}}` : `${head},${text}}`
}

/** A top-level entry carries its own `meta` (service.md, "Entry"). */
function writeRootEntry(row: Row, of: NodeRows, members: WriteMembers, tail: (id: unknown) => string): string {
  return `{"id":${row[0] as number},"attributes":{${members(row, of)}}${tail(row[0])}`
}

/** What closes an entry: its own `meta`, a constant where no entry of the list has anything in it. */
function metaTail(of: NodeRows): (id: unknown) => string {
  const write = (id: unknown) => `,"meta":{${metaText(id, of)}}}`
  if (of.meta.some(list => list.size > 0)) return write
  const empty = write(null)
  return () => empty
}

/** The members of an entry's own `meta`. */
export function metaText(id: unknown, of: NodeRows): string {
  const { meta } = of.node
  let text = ''
  for (let i = 0; i < meta.length; i++) {
    const { name, codec } = meta[i]!
    const values = (of.meta[i]?.get(id) ?? []).filter(raw => raw !== null).map(raw => codec.json(raw as never))
    text += `${i === 0 ? '' : ','}${JSON.stringify(name)}:[${values.join(',')}]`
  }
  return text
}

/** The `data` of a list. */
export function serializeList(compiled: CompiledPlan, rows: NodeRows): string {
  const members = membersOf(compiled.root)
  const tail = metaTail(rows)
  let text = '['
  for (let i = 0; i < rows.rows.length; i++)
    text += (i === 0 ? '' : ',') + writeRootEntry(rows.rows[i]!, rows, members, tail)
  return `${text}]`
}

/** The `data` of one entry; `null` where there is none. */
export function serializeOne(compiled: CompiledPlan, rows: NodeRows): string {
  if (rows.rows.length === 0) return 'null'
  return writeRootEntry(rows.rows[0]!, rows, membersOf(compiled.root), metaTail(rows))
}
