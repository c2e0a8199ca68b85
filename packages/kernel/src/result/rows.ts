// Fetches the rows of an answer and assigns them to their parents. Transports write them in their own format;
// `toEntries` converts them to plain objects.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Maybe, Rows } from '../connection/session.ts'
import type { Branch } from '../plan/plan.ts'
import type { CompiledBranch, CompiledNode } from '../sql/compile.ts'
import type { AnswerBranch } from './answer-node.ts'
import { metaStatement, type ParentStatement, statementsOf, stepOf } from './branch-statements.ts'
import type { Fetch } from './fetch.ts'
import { continuesBelow, endsFetch, isLeaf, lastBranchOf } from './last-statements.ts'
import type { BranchRows, Member, NodeRows, Row } from './node-rows.ts'
import { readOfParents } from './parent-reads.ts'
import { tooManyEntries } from './size.ts'

type RowBranch = Extract<CompiledBranch, { kind: 'relation' | 'component' }>

/** Above this number of rows, the event loop gets a turn before they are processed. */
const manyRows = 10_000

/** From this number of rows on, it is counted how often each of them is written. */
const severalRows = 1000

/** The number of times that the answer contains each entry, by its id; null if not counted: at least once each. */
type Times = ReadonlyMap<unknown, number> | null

/** The place of rows in a fetch. */
interface Place {
  readonly times: Times
  /** True if nothing is read after what is below these rows, so that the snapshot of the read ends with it. */
  readonly isLast: boolean
}

/**
 * Fetches everything below `rows`, with one statement per branch, and all statements of one node in one batch, as long
 * as no more rows are expected than may be fetched. A promise only if there is something below, or if there are very
 * many rows. Throws ValidationError as soon as there are more rows than the count allows, or many entries and more than
 * the context's limits allow, and SnapshotEndedError if it must begin again without ending its snapshot.
 */
export function fetchBelow(
  fetch: Fetch,
  node: CompiledNode,
  rows: readonly Row[],
  place: Place = { times: null, isLast: fetch.endsSnapshot },
): Maybe<NodeRows> {
  const isLowest = rows.length === 0 || (node.branches.length === 0 && node.meta.length === 0)
  if (isLowest && rows.length <= manyRows) return { node, rows, branches: emptyOf(node), meta: [] }
  return fetchBranches(fetch, node, rows, place)
}

async function fetchBranches(fetch: Fetch, node: CompiledNode, rows: readonly Row[], place: Place): Promise<NodeRows> {
  const { branches, meta } = node
  if (rows.length > manyRows) await nextTurn()
  if (branches.length === 0 && meta.length === 0) return { node, rows, branches: [], meta: [] }
  const ids = branches.length === 0 && meta.every(one => one.mark !== null) ? [] : uniqueIds(rows)
  const statements = branches.map(branch => statementsOf(branch, ids, fetch.values))
  const lists: Map<unknown, unknown[]>[] = []
  const listed: Map<unknown, unknown[]>[] = []
  const ofMeta: ParentStatement[] = []
  for (const member of meta) {
    const { mark } = member
    const groups = new Map<unknown, unknown[]>()
    lists.push(groups)
    const marked = mark === null ? ids : uniqueIds(rows.filter(row => Boolean(row[mark])))
    if (marked.length === 0) continue
    listed.push(groups)
    ofMeta.push(metaStatement(member, marked))
  }
  const isLast = place.isLast && branches.every(endsFetch)
  const answers = await readOfParents(fetch, [...statements.flat(), ...ofMeta], isLast)
  let at = 0
  const answersByBranch: (readonly Rows[])[] = []
  for (const { length } of statements) {
    answersByBranch.push(answers.slice(at, at + length))
    at += length
  }
  const last = place.isLast && !isLast ? lastBranchOf(branches, answersByBranch) : -1
  const fetched: BranchRows[] = []
  for (const [i, branch] of branches.entries())
    fetched.push(await attach(fetch, branch, answersByBranch[i]!, { times: place.times, isLast: i === last }))
  // The rows of a list and of most calculations have one value, that of an average two.
  for (const groups of listed)
    for (const row of answers[at++]!) for (let i = 1; i < row.length; i++) append(groups, row[0], row[i])
  return { node, rows, branches: fetched, meta: lists }
}

/** Counts the rows of a branch, each as often as its parent is written. */
function count(fetch: Fetch, rows: readonly Row[], times: Times): void {
  const { limits } = fetch.context
  if (times === null) fetch.entries += rows.length
  else for (const row of rows) fetch.entries += times.get(row.at(-1)) ?? 1
  // Fewer rows are all counted, so that the error says how many entries there are.
  if (limits !== undefined && fetch.entries > Math.max(limits.maxEntries, manyRows))
    throw tooManyEntries(fetch.entries, limits, 'at least ')
}

/** Counts how often each row of a branch is written. */
function timesBelow({ plan }: RowBranch, groups: ReadonlyMap<unknown, readonly Row[]>, above: Times): Times {
  const times = new Map<unknown, number>()
  for (const [parent, rows] of groups) {
    const written = above?.get(parent) ?? 1
    const last = plan.attribute.many ? rows.length : 1
    for (let i = 0; i < last; i++) times.set(rows[i]![0], (times.get(rows[i]![0]) ?? 0) + written)
  }
  return times
}

/** The branches of a node without rows: all groups are empty. */
function emptyOf(node: CompiledNode): BranchRows[] {
  return node.branches.map(branch => {
    if (branch.kind === 'empty') return { kind: 'empty' }
    if (branch.kind === 'count') return { kind: 'count', groups: new Map() }
    if (branch.kind === 'relation' || branch.kind === 'component') {
      return { kind: 'rows', groups: new Map(), child: { node: branch.child, rows: [], branches: [], meta: [] } }
    }
    return { kind: 'members', groups: new Map() }
  })
}

function uniqueIds(rows: readonly Row[]): unknown[] {
  const ids = new Set<unknown>()
  for (const row of rows) ids.add(row[0])
  return [...ids]
}

function append<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [value])
  else group.push(value)
}

/** Assigns the rows of a branch's statements to their parents, and fetches what is below them. */
async function attach(
  fetch: Fetch,
  branch: CompiledBranch,
  answers: readonly Rows[],
  { times, isLast }: Place,
): Promise<BranchRows> {
  switch (branch.kind) {
    case 'empty':
      return { kind: 'empty' }
    case 'count':
      return { kind: 'count', groups: new Map(answers[0]!.map(([id, count]) => [id, Number(count)])) }
    case 'relation':
    case 'component': {
      const rows = answers[0]!
      if (branch.plan.attribute.many) count(fetch, rows, times)
      const groups = new Map<unknown, Row[]>()
      for (const row of rows) append(groups, row.at(-1), row)
      const isCounted = branch.child.branches.length > 0 && (times !== null || rows.length >= severalRows)
      const below = isCounted ? timesBelow(branch, groups, times) : null
      return { kind: 'rows', groups, child: await fetchBelow(fetch, branch.child, rows, { times: below, isLast }) }
    }
    case 'zone':
      return attachZone(fetch, branch, { answers, isLast })
    case 'morph':
      return attachMorph(fetch, branch, { links: answers[0]!, isLast })
  }
}

async function attachZone(
  fetch: Fetch,
  branch: Extract<CompiledBranch, { kind: 'zone' }>,
  { answers, isLast }: { readonly answers: readonly Rows[]; readonly isLast: boolean },
): Promise<BranchRows> {
  const groups = new Map<unknown, Member[]>()
  const last = isLast ? branch.children.findLastIndex(({ child }, i) => continuesBelow(child, answers[i]!)) : -1
  for (const [i, { child }] of branch.children.entries()) {
    const rows = answers[i]!
    const of = await fetchBelow(fetch, child, rows, { times: null, isLast: i === last })
    for (const row of rows) append(groups, row.at(-1), { row, of })
  }
  // Rows end in order, link id and parent id; the order is common to all components of the zone.
  const place = ({ row }: Member) => [Number(row.at(-3) ?? 0), Number(row.at(-2))] as const
  for (const members of groups.values()) {
    members.sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1])
  }
  return { kind: 'members', groups: cut(groups, branch.plan, fetch.values) } as const
}

/** Applies direction and page of a branch to the members of each parent, which come from several statements. */
function cut(
  groups: Map<unknown, Member[]>,
  { page, reversed }: Pick<Branch, 'page' | 'reversed'>,
  values: readonly unknown[],
): Map<unknown, Member[]> {
  if (page === null && !reversed) return groups
  const start = page === null ? 0 : (values[page.start] as number)
  const limit = page === null ? -1 : (values[page.limit] as number)
  for (const [parent, members] of groups) {
    const directed = reversed ? members.toReversed() : members
    groups.set(parent, directed.slice(start, limit === -1 ? undefined : start + limit))
  }
  return groups
}

async function attachMorph(
  fetch: Fetch,
  branch: Extract<CompiledBranch, { kind: 'morph' }>,
  { links, isLast }: { readonly links: Rows; readonly isLast: boolean },
): Promise<BranchRows> {
  const idsByUid = new Map<string, Set<unknown>>()
  for (const [, id, uid] of links as [unknown, unknown, string][]) {
    if (branch.children.has(uid)) idsByUid.set(uid, (idsByUid.get(uid) ?? new Set()).add(id))
  }
  const children = [...idsByUid.keys()].map(uid => branch.children.get(uid)!)
  const steps = [...idsByUid.values()].map((ids, i) => stepOf(fetch, children[i]!.statement, [...ids]))
  const endsHere = isLast && children.every(({ child }) => isLeaf(child))
  const answers = steps.length === 0 ? [] : await fetch.session.batch(steps, endsHere)
  const last = isLast && !endsHere ? children.findLastIndex(({ child }, i) => continuesBelow(child, answers[i]!)) : -1
  const membersByUid = new Map<string, Map<unknown, Member>>()
  for (const [i, uid] of [...idsByUid.keys()].entries()) {
    const rows = answers[i]!
    const of = await fetchBelow(fetch, children[i]!.child, rows, { times: null, isLast: i === last })
    membersByUid.set(uid, new Map(rows.map(row => [row[0], { row, of }])))
  }
  const groups = new Map<unknown, Member[]>()
  for (const [parent, id, uid] of links) {
    const member = membersByUid.get(uid as string)?.get(id)
    if (member !== undefined) append(groups, parent, member)
  }
  return {
    kind: 'members',
    groups: branch.plan.attribute.many ? cut(groups, branch.plan, fetch.values) : groups,
  } as const
}

/** An entry as code receives it: attributes and populated entries under their names or keys. */
export type Entry = { id: number } & Record<string, unknown>

/**
 * Converts rows to plain objects that contain the populated ones. Members of zones have `__component`, of polymorphic
 * relations `__type`.
 */
export function toEntries(of: NodeRows): Entry[] {
  return of.rows.map(row => toEntry(of, row))
}

/** One row as a plain object. */
export function toEntry(of: NodeRows, row: Row): Entry {
  const { node } = of
  const { attributes } = node.plan
  const entry: Entry = { id: row[0] as number }
  for (let i = 0; i < attributes.length; i++) {
    const raw = row[i + 1]
    entry[attributes[i]!.name] = raw === null || raw === undefined ? null : node.codecs[i]!.decode(raw as never)
  }
  for (const [i, branch] of node.branches.entries()) {
    entry[branch.plan.key] = branchValue(branch, of.branches[i]!, row[0])
  }
  return entry
}

function branchValue(branch: AnswerBranch, rows: BranchRows, id: unknown): unknown {
  if (rows.kind === 'count') return { count: rows.groups.get(id) ?? 0 }
  if (rows.kind === 'empty') return branch.kind === 'empty' && branch.plan.attribute.many ? [] : null
  if (rows.kind === 'rows') {
    const { many } = (branch as Extract<AnswerBranch, { kind: 'relation' | 'component' }>).plan.attribute
    const group = rows.groups.get(id) ?? []
    if (many) return group.map(row => toEntry(rows.child, row))
    return group.length === 0 ? null : toEntry(rows.child, group[0]!)
  }
  const members = (rows.groups.get(id) ?? []).map(({ row, of }) => {
    const { id: memberId, ...rest } = toEntry(of, row)
    const mark = branch.kind === 'zone' ? '__component' : '__type'
    return { id: memberId, [mark]: of.node.plan.type.uid, ...rest }
  })
  return branch.kind === 'morph' && !branch.plan.attribute.many ? (members[0] ?? null) : members
}
