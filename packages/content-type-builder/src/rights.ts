// Finds what a caller may do, by asking the kernel as requests would: which actions, which attributes are answered and
// which are written, and which values of parameters may be sent. Knows neither roles nor plugins.

import { setImmediate } from 'node:timers/promises'
import {
  type AnswerNode,
  type ContentType,
  type Context,
  type Kernel,
  type Operation,
  PlinthError,
  withMaxCost,
} from '@plinth/kernel'

type Names = readonly string[]

/** Attributes by the operation in which they can be used. An operation that the caller may not do is missing. */
type ByOperation = Readonly<Partial<Record<Operation, Names>>>

/** The rights of a caller to the attributes of a content type or of a component. */
interface AttributeRights {
  /** Attributes that are answered, by `find` and `findOne`. */
  readonly readable: ByOperation
  /** Attributes that are written, by `create` and `update`. */
  readonly writable: ByOperation
  /** Attributes that rules forbid to send, by `create` and `update`: a write that names one is answered 403. */
  readonly closed: ByOperation
}

/** The rights of a caller to the entries of a content type. */
interface TypeRights extends AttributeRights {
  /** Its operations, such as `find`, and the last words of its other actions, such as `createLocalization`. */
  readonly actions: Names
  /** The values that may be sent for parameters, such as `publicationState` and `locale`. */
  readonly parameters: Readonly<Record<string, Names>>
}

/** The rights of a caller. */
export interface Rights {
  /** By uid; content types with which the caller may do nothing are missing. */
  readonly contentTypes: Readonly<Record<string, TypeRights>>
  /** By uid: the components that these content types lead to. */
  readonly components: Readonly<Record<string, AttributeRights>>
  /** All actions that the caller may do, by their whole names. */
  readonly actions: Names
}

const operationsOf = ({ kind }: ContentType): readonly Operation[] =>
  kind === 'singleType' ? ['find', 'update', 'delete'] : ['find', 'findOne', 'create', 'update', 'delete']

const isRead = (operation: Operation): operation is 'find' | 'findOne' =>
  operation === 'find' || operation === 'findOne'
const isChange = (operation: Operation): operation is 'create' | 'update' =>
  operation === 'create' || operation === 'update'

/** More content types and components than one entry leads to. */
const maxCost = 100_000

/** Milliseconds after which other requests have their turn: of a large model, the first plans for a role take 200. */
const turn = 5

/** Finds what the caller of a context may do. */
export async function findRights(kernel: Kernel, context: Context): Promise<Rights> {
  const contentTypes: Record<string, TypeRights> = {}
  const components = new Map<string, AttributeCollector>()
  let began = performance.now()
  for (const type of kernel.contentTypes.values()) {
    if (type.kind === 'component') continue
    const rights = rightsTo({ kernel, type, context }, components)
    if (rights !== null) contentTypes[type.uid] = rights
    if (performance.now() - began < turn) continue
    await setImmediate()
    began = performance.now()
  }
  return {
    contentTypes,
    components: Object.fromEntries(
      kernel.contentTypes.values().flatMap(type => {
        const collected = components.get(type.uid)
        return collected === undefined ? [] : [[type.uid, collected.inOrderOf(type)]]
      }),
    ),
    actions: kernel.actions.names.filter(name => mayDo(kernel, name, context)),
  }
}

function mayDo({ actions }: Kernel, name: string, { access }: Context): boolean {
  return actions.needs(name).every(scope => access.can(scope))
}

/** A search for the rights of a caller to a content type. */
interface Question {
  readonly kernel: Kernel
  readonly type: ContentType
  readonly context: Context
}

/** The rights to one content type; null if there are none. Adds those to its components to `components`. */
function rightsTo(question: Question, components: Map<string, AttributeCollector>): TypeRights | null {
  const { kernel, type, context } = question
  const { actions } = kernel
  const own = new AttributeCollector()
  const collectedOf = (uid: string) => {
    if (uid === type.uid) return own
    const collected = components.get(uid) ?? new AttributeCollector()
    components.set(uid, collected)
    return collected
  }
  const operations = operationsOf(type).filter(operation => {
    const name = actions.of(type.uid, operation)
    // Internal types have no actions of callers.
    if (!actions.has(name) || !mayDo(kernel, name, context)) return false
    return isPossible(() => {
      if (isRead(operation)) collectReadable(question, operation, collectedOf)
      else if (isChange(operation)) collectWritable(question, operation, collectedOf)
    })
  })
  const operationNames = new Set(operationsOf(type).map(operation => actions.of(type.uid, operation)))
  const others = actions.names.filter(
    name => name.startsWith(`${type.uid}.`) && !operationNames.has(name) && mayDo(kernel, name, context),
  )
  if (operations.length === 0 && others.length === 0) return null
  return {
    actions: [...operations, ...others.map(name => name.slice(type.uid.length + 1))],
    ...own.inOrderOf(type),
    parameters: parametersOf(question, operations),
  }
}

/** Returns whether work succeeds: false if a hook of a plugin refuses the caller. Throws what is not a refusal. */
function isPossible(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (error instanceof PlinthError && error.status < 500) return false
    throw error
  }
}

type CollectedOf = (uid: string) => AttributeCollector

/** Plans a query of everything that an entry shows, and collects what is left of it. */
function collectReadable(question: Question, operation: 'find' | 'findOne', collectedOf: CollectedOf): void {
  const { kernel, type, context } = question
  const params = withMaxCost({ populate: populateOf(kernel, type, new Set()) }, maxCost)
  // With entries that are known already, neither parameters nor lifecycles of reads change what is asked.
  const request = { uid: type.uid, action: operation, params, entries: { ids: [] }, isAuthorized: true } as const
  const { node } = kernel.reader.prepare(request, context)
  collectNode(node!, operation, collectedOf)
}

function collectNode(node: AnswerNode, operation: Operation, collectedOf: CollectedOf): void {
  const { type, attributes } = node.plan
  const names = [...attributes.map(one => one.name), ...node.branches.map(branch => branch.plan.name)]
  collectedOf(type.uid).add('readable', operation, names)
  for (const branch of node.branches) {
    if (branch.kind === 'component') collectNode(branch.child, operation, collectedOf)
    if (branch.kind === 'zone') for (const { child } of branch.children) collectNode(child, operation, collectedOf)
  }
}

/** A populate of all that a type shows: linked entries by their ids, and components with all that is in them. */
function populateOf(kernel: Kernel, type: ContentType, above: ReadonlySet<string>): Record<string, unknown> {
  const within = new Set([...above, type.uid])
  const below = (uid: string) => ({ populate: populateOf(kernel, kernel.contentTypes.require(uid), within) })
  const populate: Record<string, unknown> = {}
  for (const attribute of type.attributes.values()) {
    const { kind, name } = attribute
    if (kind === 'relation' || kind === 'dormant') populate[name] = { fields: ['id'] }
    else if (kind === 'component') populate[name] = within.has(attribute.component) ? true : below(attribute.component)
    else if (kind === 'zone')
      populate[name] = {
        on: Object.fromEntries(attribute.components.map(uid => [uid, within.has(uid) ? true : below(uid)])),
      }
  }
  return populate
}

/** Collects what may be sent of an entry. */
function collectWritable(question: Question, operation: 'create' | 'update', collectedOf: CollectedOf): void {
  const { kernel, type, context } = question
  const attributesByUid = kernel.writer.entries.writableAttributes({ uid: type.uid, action: operation, context })
  for (const [uid, { writable, refused }] of attributesByUid) {
    collectedOf(uid).add('writable', operation, writable)
    collectedOf(uid).add('closed', operation, refused)
  }
}

/** The values of parameters that the caller may send with one of the operations. */
function parametersOf({ kernel, type, context }: Question, operations: readonly Operation[]) {
  // An id names the entry that is changed or deleted, so parameters say nothing then.
  const acting = operations.filter(operation => isRead(operation) || type.kind === 'singleType')
  return Object.fromEntries(
    kernel.parameters.values().flatMap(({ name, actions, choices, for: concerns }) => {
      const acts = choices !== undefined && concerns(type) && acting.some(operation => actions.includes(operation))
      return acts ? [[name, [...choices(context)]]] : []
    }),
  )
}

/** Collects the attributes of one content type or component. */
class AttributeCollector {
  readonly #names = { readable: new Map(), writable: new Map(), closed: new Map() } as Readonly<
    Record<keyof AttributeRights, Map<Operation, Set<string>>>
  >

  add(right: keyof AttributeRights, operation: Operation, names: Names): void {
    const all = this.#names[right].get(operation) ?? new Set()
    for (const name of names) all.add(name)
    this.#names[right].set(operation, all)
  }

  /** The rights, with the attributes in the order of the schema. */
  inOrderOf({ attributes }: ContentType): AttributeRights {
    const inOrder = (right: keyof AttributeRights): ByOperation =>
      Object.fromEntries(
        [...this.#names[right]].map(([operation, names]) => [
          operation,
          [...attributes.keys()].filter(name => names.has(name)),
        ]),
      )
    return { readable: inOrder('readable'), writable: inOrder('writable'), closed: inOrder('closed') }
  }
}
