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
import {
  entrySource,
  joinedSource,
  Part,
  type ResponseInfo,
  responseSource,
  type Source,
  type Values,
} from '../execution/source.ts'
import type { Inherited, InheritedByNode } from '../operation/question.ts'
import { Inexpressible } from './inexpressible.ts'
import type { BranchMember, Member, ObjectOutput, UnionOutput } from './output.ts'
import { scalarValue } from './values.ts'
import type { EntryChange, PageMembers } from './writer.ts'

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
  /** The parameters that hold for its nodes. */
  readonly inherited: InheritedByNode
  /** The change that the field reports; absent in queries and mutations. */
  readonly change?: EntryChange
}

/** The object of a field of the root. `info` is what code of extensions receives about it. */
export function rootObject(output: ObjectOutput, root: RootRows, info?: ResponseInfo): Source {
  const { page, change } = root
  const about = { isList: page !== null, page, ...(info && { info }) }
  const source = responseObject(output, one => rootEntries(one, root), about)
  return change === undefined ? source : { ...source, action: change.action, id: change.id }
}

function rootEntries(output: ObjectOutput, { rows, entries, refusals, inherited }: RootRows): Source[] {
  if (rows === null) return []
  const about = { refusals, inherited, path: '' }
  if (entries === undefined) return rows.rows.map(row => rowObject(output, { ...about, of: rows, row }))
  return entries.map(entry => entryObject(output, { ...about, node: rows.node, entry }))
}

/** What a response says beside its entries. */
interface ResponseAbout {
  readonly isList: boolean
  readonly page?: PageMembers | null
  readonly info?: ResponseInfo
}

/** A field may show the entries of a response more than once, with other members each time. */
export function responseObject(
  output: ObjectOutput,
  make: (output: ObjectOutput) => readonly Source[],
  { isList, ...more }: ResponseAbout,
): Source {
  const [first, ...repeated] = output.members.filter(one => one.kind === 'data')
  const others = repeated.map(one => [one.key, make(one.of)] as const)
  const entries = make(first?.of ?? nothing)
  const nodes =
    others.length === 0
      ? entries
      : entries.map((entry, i) => joinedSource(entry, new Map(others.map(([key, more]) => [key, more[i]!]))))
  return responseSource(output.typeName, isList ? { nodes } : { value: nodes[0] ?? null }, more)
}

/** The entries of responses whose entries are not shown: code of extensions receives them all the same. */
const nothing: ObjectOutput = { typeName: '', node: null, members: [] }

interface About {
  readonly of: NodeRows
  readonly row: Row
  readonly refusals: Refusals
  readonly inherited: InheritedByNode
  /** The path of the node in the parameters of the question; empty at the root. */
  readonly path: string
}

/** The object of one row, with all scalars that were read. */
function rowObject(output: ObjectOutput, about: About): Source {
  const { node } = about.of
  const scalars = scalarsOf(node, about.row)
  if (!isComplete(output, node)) addRefused(output, scalars, about)
  const values = new EntryValues(output, member => branchObject(member, about))
  return entrySource(output.typeName, { scalars, values, inherited: inheritedOf(output, about.inherited) })
}

/** The parameters that hold for an entry. */
export function inheritedOf({ node }: ObjectOutput, inherited: InheritedByNode): Inherited | undefined {
  return inherited.size === 0 || node === null ? undefined : inherited.get(node)
}

/** The fields of one entry that are objects. They are made when they are asked for, which is once. */
export class EntryValues implements Values {
  readonly #members: ReadonlyMap<string, ObjectMember>
  readonly #branch: (member: BranchMember) => unknown

  /** `branch` makes the value of a populated attribute. */
  constructor(output: ObjectOutput, branch: (member: BranchMember) => unknown) {
    this.#members = objectMembersOf(output)
    this.#branch = branch
  }

  has(key: string): boolean {
    return this.#members.has(key)
  }

  get(key: string): unknown {
    const member = this.#members.get(key)
    if (member === undefined) return undefined
    if (member.kind === 'same') return new Part(member.of.typeName, new EntryValues(member.of, this.#branch))
    return this.#branch(member)
  }
}

type ObjectMember = Extract<Member, { readonly kind: 'same' | 'branch' | 'union' }>

const objectMembers = new WeakMap<ObjectOutput, ReadonlyMap<string, ObjectMember>>()

/** The members that are objects, by their names in the answer. */
function objectMembersOf(output: ObjectOutput): ReadonlyMap<string, ObjectMember> {
  let members = objectMembers.get(output)
  if (members === undefined) {
    const objects = output.members.filter(one => one.kind === 'same' || one.kind === 'branch' || one.kind === 'union')
    members = new Map(objects.map(one => [one.key, one]))
    objectMembers.set(output, members)
  }
  return members
}

/** The attributes that an object shows of its entry. */
function* attributesOf(output: ObjectOutput): Generator<{ readonly name: string; readonly isOwn: boolean }> {
  for (const member of output.members) {
    if (member.kind === 'same') yield* attributesOf(member.of)
    else if ((member.kind === 'scalar' || member.kind === 'own') && member.attribute !== null)
      yield { name: member.attribute.name, isOwn: member.kind === 'own' }
  }
}

/** The node of whose rows it is known whether they have all attributes that an object shows. */
const completeness = new WeakMap<ObjectOutput, { readonly node: AnswerNode; readonly isComplete: boolean }>()

/** Whether rows of a node have all attributes that an object shows. */
function isComplete(output: ObjectOutput, node: AnswerNode): boolean {
  const known = completeness.get(output)
  if (known?.node === node) return known.isComplete
  const names = new Set(node.plan.attributes.map(({ name }) => name))
  const isComplete = [...attributesOf(output)].every(({ name }) => names.has(name))
  completeness.set(output, { node, isComplete })
  return isComplete
}

/**
 * Adds the attributes that the caller may not read. Code around a field asks the default resolver, which calls functions;
 * a field without code is read as a property, where an error is a refusal for compiled functions, too.
 */
export function addRefused(
  output: ObjectOutput,
  scalars: Record<string, unknown>,
  { refusals, path }: Pick<About, 'refusals' | 'path'>,
): void {
  for (const { name, isOwn } of attributesOf(output)) {
    if (name in scalars) continue
    const error = scalarRefusal(refusals, path, name)
    scalars[name] = isOwn ? thrower(error) : error
  }
}

function scalarsOf(node: AnswerNode, row: Row): Record<string, unknown> {
  const scalars: Record<string, unknown> = { id: row[0] }
  const { attributes } = node.plan
  for (let i = 0; i < attributes.length; i++) {
    const attribute = attributes[i]!
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

/** Why the caller may not read an attribute. */
function scalarRefusal(refusals: Refusals, path: string, name: string): Error {
  const at = path === '' ? 'fields' : `${path}.fields`
  return refusals.get(`${at}.${name}`) ?? new ForbiddenError()
}

/** Why a branch is missing. */
export function branchRefusal(refusals: Refusals, path: string): Error {
  return refusals.get(path) ?? new ForbiddenError()
}

function branchObject(member: BranchMember, about: About): unknown {
  const { of, row, path } = about
  return branchOf(of, member, {
    ...about,
    id: row[0],
    path: `${path === '' ? '' : `${path}.`}populate.${member.branch}`,
  })
}

/** What is asked about a populated attribute of one entry; `path` is that of the branch. */
interface BelowAbout extends Omit<About, 'of' | 'row'> {
  readonly id: unknown
  readonly info?: ResponseInfo
}

/** A populated attribute of the entry with the id; an error if the caller may not see it. */
export function branchOf(of: NodeRows, member: BranchMember, about: BelowAbout): unknown {
  const at = of.node.branches.findIndex(({ plan }) => plan.key === member.branch)
  if (at === -1) return branchRefusal(about.refusals, about.path)
  const branch = of.node.branches[at]!
  const rows = of.branches[at]!
  if (member.kind === 'union') return rows.kind === 'members' ? unionValue(branch, rows, member.of, about) : null
  return rows.kind === 'rows' ? rowsValue(branch, rows, member.of, about) : null
}

function rowsValue(
  branch: AnswerBranch,
  rows: Extract<BranchRows, { kind: 'rows' }>,
  output: ObjectOutput,
  { id, info, ...about }: BelowAbout,
): unknown {
  const group = rows.groups.get(id) ?? []
  const make = (one: ObjectOutput) => group.map(row => rowObject(one, { ...about, of: rows.child, row }))
  const { many } = (branch as Extract<AnswerBranch, { kind: 'relation' | 'component' }>).plan.attribute
  if (branch.kind === 'component') return many ? make(output) : (make(output)[0] ?? null)
  return responseObject(output, make, { isList: many, ...(info && { info }) })
}

function unionValue(
  branch: AnswerBranch,
  rows: Extract<BranchRows, { kind: 'members' }>,
  outputs: UnionOutput,
  { id, path, ...about }: BelowAbout,
): unknown {
  const members = (rows.groups.get(id) ?? []).flatMap(one => {
    const { uid } = one.of.node.plan.type
    const output = outputs.get(uid)
    return output === undefined ? [] : [rowObject(output, { ...about, ...one, path: `${path}.on.${uid}` })]
  })
  return branch.kind === 'morph' && !branch.plan.attribute.many ? (members[0] ?? null) : members
}
