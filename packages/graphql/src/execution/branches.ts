// Asks for relations, components and zones of entries that their own question did not contain, because code of an
// extension runs around the field or has made the entry. All entries that need the same field with the same arguments in
// one turn share one question.

import {
  type Attribute,
  type ContentType,
  type Context,
  ForbiddenError,
  type Kernel,
  type NodeRows,
  withRights,
} from '@plinth/kernel'
import type { GraphQLResolveInfo } from 'graphql'
import { branchPath, type Refusals, refusalsOf } from '../answer/refused.ts'
import { branchOf } from '../answer/rows.ts'
import { inheritedBy } from '../answer/source.ts'
import { fixedArguments, type Variables } from '../operation/arguments.ts'
import type { BranchMember } from '../operation/output.ts'
import { fieldQuestion, type Inherited, type InheritedByNode, type QuestionRules } from '../operation/question.ts'
import { readField } from '../operation/reader.ts'
import { type FieldMeaning, meaningOfField, meaningOfType } from '../schema/meaning.ts'
import { isAuthorizedByConfig } from '../schema/wrapped.ts'

type Arguments = Readonly<Record<string, unknown>>
type BranchMeaning = Extract<FieldMeaning, { kind: 'branch' }>

/** A field of one type of entries, as one resolver of the operation is called for it. */
interface BranchField {
  readonly meaning: BranchMeaning
  readonly parent: ContentType
  readonly args: Arguments
  readonly info: GraphQLResolveInfo
  readonly isAuthorized: boolean
  readonly inherited: Inherited
}

/** Entries that need the same field in the same turn. */
interface Group {
  readonly field: BranchField
  readonly ids: Set<number>
  readonly values: Promise<ValueOf>
}

type ValueOf = (id: number) => unknown

interface Tools {
  readonly kernel: Kernel
  readonly rules: QuestionRules
}

/** Maximum number of questions that run side by side; each may take a connection. */
const concurrency = 4

/** The fields of one operation that are asked for by themselves. */
export class BranchLoader {
  readonly #tools: Tools
  readonly #context: Context
  readonly #variables: Variables
  readonly #groups = new Map<string, Group>()
  readonly #turns = new Turns(concurrency)

  constructor(tools: Tools, context: Context, variables: Variables) {
    this.#tools = tools
    this.#context = context
    this.#variables = variables
  }

  /** The value of a field of an entry. An entry without an id has none. Rejects with ForbiddenError. */
  async load(source: Readonly<Record<string, unknown>>, args: Arguments, info: GraphQLResolveInfo): Promise<unknown> {
    const field = this.#fieldOf(args, info, inheritedBy(source))
    const id = Number(source.id)
    if (!Number.isSafeInteger(id) || source.id === null) return emptyOf(field)
    const group = this.#groupOf(field)
    group.ids.add(id)
    const value = (await group.values)(id)
    if (value instanceof Error) throw value
    return value
  }

  /** A value that code has put into an entry, in the form that the resolvers below expect. Throws ForbiddenError. */
  adopt(value: unknown, args: Arguments, info: GraphQLResolveInfo): unknown {
    const { meaning, isAuthorized } = this.#fieldOf(args, info, new Map())
    const { attribute } = meaning
    if (attribute.kind !== 'relation' || attribute.target === null) return value
    if (!isAuthorized && !this.#canFind(attribute)) throw new ForbiddenError()
    const response = { info: { args, resourceUID: attribute.target } }
    if (attribute.many) return Array.isArray(value) ? { nodes: value, ...response } : value
    const isEntry = value === null || (typeof value === 'object' && 'id' in value)
    return isEntry ? { value, ...response } : value
  }

  /** Returns whether the caller may find the target of a relation (B-9.76). */
  #canFind(attribute: Extract<Attribute, { kind: 'relation' }>): boolean {
    if (attribute.isShownWithEntry) return true
    const { actions } = this.#tools.kernel
    const needs = actions.needs(actions.of(attribute.target!, 'find'))
    return needs.every(one => this.#context.access.can(one))
  }

  #fieldOf(args: Arguments, info: GraphQLResolveInfo, inherited: Inherited): BranchField {
    const { parentType, fieldName } = info
    const field = parentType.getFields()[fieldName]!
    const meaning = meaningOfField(field)
    const of = meaningOfType(parentType)
    if (meaning?.kind !== 'branch' || of === null || !('type' in of))
      throw new Error(`${parentType.name}.${fieldName} is not an attribute`)
    return { meaning, parent: of.type, args, info, isAuthorized: isAuthorizedByConfig(field), inherited }
  }

  /** The group of this turn, which asks its question when all resolvers of the turn have been called. */
  #groupOf(field: BranchField): Group {
    const key = keyOf(field)
    const group = this.#groups.get(key)
    if (group !== undefined) return group
    const ids = new Set<number>()
    const values = endOfTurn().then(() => {
      this.#groups.delete(key)
      return this.#turns.run(() => this.#ask(field, [...ids]))
    })
    const added = { field, ids, values }
    this.#groups.set(key, added)
    return added
  }

  async #ask({ meaning, parent, args, info, isAuthorized, inherited }: BranchField, ids: number[]): Promise<ValueOf> {
    const { kernel, rules } = this.#tools
    const { target, context } = this.#openFor(meaning, isAuthorized)
    const selection = readField(info, this.#variables, {
      field: info.parentType.getFields()[info.fieldName]!,
      meaning,
      nodes: info.fieldNodes,
      args: fixedArguments(args),
      parent,
      isShallow: isAuthorized,
    })
    const question = fieldQuestion(selection.node, { variables: this.#variables, rules, inherited, action: 'find' })
    const asks = { uid: parent.uid, action: 'find', params: question.params, entries: { ids } } as const
    const prepared = kernel.reader.prepare({ ...asks, isAuthorized: true, isPartial: true }, context)
    const { rows } = await kernel.reader.run(prepared, context)
    const result = { rows, refusals: refusalsOf(prepared.refused), inherited: question.inherited, args, target }
    return id => populated(selection.member, id, result)
  }

  /**
   * The context of a question. A field whose `auth` was checked opens its own step only (security.md row 78): its entries
   * may be found, and what is below them is asked for with the rights of the caller.
   */
  #openFor({ attribute }: BranchMeaning, isAuthorized: boolean) {
    const target = attribute.kind === 'relation' ? attribute.target : null
    if (!isAuthorized || target === null) return { target, context: this.#context }
    const { actions } = this.#tools.kernel
    const needs = actions.needs(actions.of(target, 'find'))
    return { target, context: withRights(this.#context, needs) }
  }
}

interface LoadedBranch {
  readonly rows: NodeRows
  readonly refusals: Refusals
  readonly inherited: InheritedByNode
  readonly args: Arguments
  readonly target: string | null
}

function populated(member: BranchMember, id: number, result: LoadedBranch): unknown {
  const { rows, refusals, inherited, args, target } = result
  return branchOf(rows, member, {
    id,
    scope: { refusals, inherited, path: branchPath('', member.branch) },
    info: target === null ? undefined : { args, resourceUID: target },
  })
}

/** Equal for calls that one question answers. */
function keyOf({ args, info, parent, inherited }: BranchField): string {
  let path = ''
  for (let at: GraphQLResolveInfo['path'] | undefined = info.path; at !== undefined; at = at.prev)
    if (typeof at.key === 'string') path = `${at.key}.${path}`
  return `${path} ${parent.uid} ${JSON.stringify(args)} ${JSON.stringify([...inherited])}`
}

function emptyOf({ meaning: { attribute } }: BranchField): unknown {
  if (attribute.kind !== 'relation' || attribute.target === null)
    return 'many' in attribute && attribute.many ? [] : null
  return attribute.many ? { nodes: [], info: {} } : { value: null, info: {} }
}

/** Resolves when the promises that are settled already have run their callbacks. */
function endOfTurn(): Promise<void> {
  return new Promise(resolve => {
    void Promise.resolve().then(() => process.nextTick(resolve))
  })
}

/** Runs work side by side, up to a number at a time. */
class Turns {
  readonly #width: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(width: number) {
    this.#width = width
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#width) await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }
}
