// Goes through the entries that an answer shows, and calls their own fields, in the order in which row-writer.ts writes
// them. What depends only on the output and the plan is composed once. Parts of an answer without own fields are skipped.

import type { AnswerBranch, AnswerNode, BranchRows, NodeRows, Row } from '@plinth/kernel'
import type { BranchMember, Member, ObjectOutput } from '../operation/output.ts'
import type { RootRows } from './objects.ts'
import type { OwnFields } from './own-fields.ts'
import { noRefusals } from './refused.ts'
import type { Path } from './resolver-calls.ts'
import { rowObjects } from './rows.ts'
import type { Source } from './source.ts'

/** The values that are the same for all entries of a field of the root. */
interface RootScope {
  readonly fields: OwnFields
  readonly inherited: RootRows['inherited']
}

/** A row that an answer shows, and where. */
interface RowPlace {
  readonly row: Row
  readonly of: NodeRows
  readonly path: Path
}

type VisitRow = (place: RowPlace, scope: RootScope) => void

/** Calls the own fields of the entries of a field of the root, whose plan has all that it shows. */
export function callOwnFields(output: ObjectOutput, path: Path, root: RootRows, fields: OwnFields): void {
  const { rows, page, inherited } = root
  if (rows === null) return
  for (const { key, visit } of dataVisits(output, rows.node)) {
    const at = pathOf(path, key, output)
    if (page !== null) visitRows(rows.rows, visit, { of: rows, path: at }, { fields, inherited })
    else if (rows.rows.length > 0) visit({ row: rows.rows[0]!, of: rows, path: at }, { fields, inherited })
  }
}

function pathOf(prev: Path, key: string, { typeName }: ObjectOutput): Path {
  return { prev, key, typename: typeName }
}

function visitRows(rows: readonly Row[], visit: VisitRow, { of, path }: Omit<RowPlace, 'row'>, scope: RootScope): void {
  for (let i = 0; i < rows.length; i++) {
    visit({ row: rows[i]!, of, path: { prev: path, key: i, typename: undefined } }, scope)
  }
}

/** Finds the fields of a response that show entries with own fields. */
function dataVisits({ members }: ObjectOutput, node: AnswerNode) {
  return members.flatMap(member => {
    const visit = member.kind === 'data' ? rowVisit(member.of, node) : null
    return visit === null ? [] : [{ key: member.key, visit }]
  })
}

const rowVisits = new WeakMap<ObjectOutput, WeakMap<AnswerNode, VisitRow | null>>()

/** Composes what calls the own fields of a row and of what is below it, once per output and plan; null if it has none. */
function rowVisit(output: ObjectOutput, node: AnswerNode): VisitRow | null {
  let byNode = rowVisits.get(output)
  if (byNode === undefined) {
    byNode = new WeakMap()
    rowVisits.set(output, byNode)
  }
  let visit = byNode.get(node)
  if (visit === undefined) {
    const visits = memberVisits(output, node)
    visit =
      visits.length === 0
        ? null
        : ({ row, of, path }, scope) => {
            const entry = new ShownEntry({ row, of, path }, output, scope)
            for (const one of visits) one(entry, path)
          }
    byNode.set(node, visit)
  }
  return visit
}

/** A row, which becomes an object if a resolver needs it. Attributes are the same object as their entry. */
class ShownEntry {
  readonly row: Row
  readonly of: NodeRows
  readonly scope: RootScope
  readonly #output: ObjectOutput
  #source: Source | null = null

  constructor({ row, of }: RowPlace, output: ObjectOutput, scope: RootScope) {
    this.row = row
    this.of = of
    this.scope = scope
    this.#output = output
  }

  get source(): Source {
    // Nothing is refused of what has all that it shows.
    const scope = { refusals: noRefusals, inherited: this.scope.inherited, path: '' }
    this.#source ??= rowObjects(this.#output, [this.row], { of: this.of, scope })[0]!
    return this.#source
  }
}

/** Calls the own fields of a member of an object that has the path. */
type VisitMember = (entry: ShownEntry, path: Path) => void

function memberVisits(output: ObjectOutput, node: AnswerNode): VisitMember[] {
  return output.members.flatMap(member => memberVisit(member, output, node) ?? [])
}

function memberVisit(member: Member, output: ObjectOutput, node: AnswerNode): VisitMember | null {
  const { key } = member
  switch (member.kind) {
    case 'own': {
      const { leaf } = member
      if (leaf === null) return null
      return (entry, path) =>
        entry.scope.fields.call({ called: leaf, source: entry.source, path: pathOf(path, key, output) })
    }
    case 'same': {
      const visits = memberVisits(member.of, node)
      if (visits.length === 0) return null
      return (entry, path) => {
        const below = pathOf(path, key, output)
        for (const one of visits) one(entry, below)
      }
    }
    case 'branch':
    case 'union': {
      const at = node.branches.findIndex(({ plan }) => plan.key === member.branch)
      const visit = at === -1 ? null : branchVisit(node.branches[at]!, member)
      if (visit === null) return null
      return (entry, path) => visit(entry, { rows: entry.of.branches[at]!, path: pathOf(path, key, output) })
    }
    default:
      return null
  }
}

/** The rows of a branch of an entry, and the path of the branch. */
interface BranchPlace {
  readonly rows: BranchRows
  readonly path: Path
}

type VisitBranch = (entry: ShownEntry, place: BranchPlace) => void

function branchVisit(branch: AnswerBranch, member: BranchMember): VisitBranch | null {
  if (member.kind === 'union') return unionVisit(branch, member)
  if (branch.kind !== 'relation' && branch.kind !== 'component') return null
  const { many } = branch.plan.attribute
  const visitGroup = (visit: VisitRow, entry: ShownEntry, { rows, path }: BranchPlace) => {
    const { groups, child } = rows as Extract<BranchRows, { kind: 'rows' }>
    const group = groups.get(entry.row[0])
    if (group === undefined) return
    if (many) visitRows(group, visit, { of: child, path }, entry.scope)
    else visit({ row: group[0]!, of: child, path }, entry.scope)
  }
  if (branch.kind === 'component') {
    const visit = rowVisit(member.of, branch.child)
    return visit === null ? null : (entry, place) => visitGroup(visit, entry, place)
  }
  const visits = dataVisits(member.of, branch.child)
  if (visits.length === 0) return null
  return (entry, { rows, path }) => {
    for (const { key, visit } of visits) visitGroup(visit, entry, { rows, path: pathOf(path, key, member.of) })
  }
}

function unionVisit(
  branch: AnswerBranch,
  { of: outputs }: Extract<BranchMember, { kind: 'union' }>,
): VisitBranch | null {
  if (branch.kind !== 'zone' && branch.kind !== 'morph') return null
  const children = [...branch.children.values()].map(one => one.child)
  const visitOf = (node: AnswerNode) => {
    const output = outputs.get(node.plan.type.uid)
    return output === undefined ? null : rowVisit(output, node)
  }
  if (children.every(child => visitOf(child) === null)) return null
  const isList = branch.kind === 'zone' || branch.plan.attribute.many
  return (entry, { rows, path }) => {
    const members = (rows as Extract<BranchRows, { kind: 'members' }>).groups.get(entry.row[0]) ?? []
    for (const [i, { row, of }] of (isList ? members : members.slice(0, 1)).entries()) {
      const at = isList ? { prev: path, key: i, typename: undefined } : path
      visitOf(of.node)?.({ row, of, path: at }, entry.scope)
    }
  }
}
