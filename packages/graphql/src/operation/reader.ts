// Reads the selection of an operation: fields, fragments and directives become one question per field of the root, and
// the output that shows its answer. Both ways of answering use it, so they ask the same questions.

import type { ContentType } from '@plinth/kernel'
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  isUnionType,
  type OperationDefinitionNode,
} from 'graphql'
// The rules for merging fields, fragments and directives are those of execution.
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js'
import { type FieldMeaning, meaningOfField, meaningOfType } from '../schema/meaning.ts'
import { isOwn, isOwnLeaf } from '../schema/own-leaf.ts'
import { isAuthorizedByConfig, isChecked, isWrapped } from '../schema/wrapped.ts'
import { type ArgumentSource, argumentsOf, type Variables } from './arguments.ts'
import { NodeSelection } from './node-selection.ts'
import type { BranchMember, Member, ObjectOutput } from './output.ts'
import type { OperationSelection, OtherRoot, RootSelection } from './selection.ts'

/** An operation with the fragments of its document. */
export interface OperationSource {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
}

/** The selection of an operation; only variables of `@skip` and `@include` matter. */
export function readOperation(source: OperationSource, variables: Variables): OperationSelection {
  return new SelectionReader(source, variables).read()
}

/** The selection below a field that code resolves. */
export interface ReadResponse {
  readonly node: NodeSelection
  readonly output: ObjectOutput
}

/** Reads what a field with the type `{ data }` of a content type selects; null if it is another type. */
export function readResponse(
  source: OperationSource,
  variables: Variables,
  field: { readonly type: GraphQLObjectType; readonly nodes: FieldNodes },
): ReadResponse | null {
  return new SelectionReader(source, variables).readResponse(field.type, field.nodes)
}

type FieldNodes = readonly FieldNode[]

class SelectionReader {
  readonly #source: OperationSource
  readonly #variables: Variables
  #isGenerated = true
  #isWritable = true
  #isCounted = false

  readonly #isShallow: boolean

  constructor(source: OperationSource, variables: Variables, isShallow = false) {
    this.#source = source
    this.#variables = variables
    this.#isShallow = isShallow
  }

  read(): OperationSelection {
    const { schema, operation, fragments } = this.#source
    const type = schema.getRootType(operation.operation)!
    const fields = collectFields(schema, fragments, this.#variables, type, operation.selectionSet)
    const roots: (RootSelection | OtherRoot)[] = []
    for (const [key, nodes] of fields) roots.push(this.#readRoot(type, key, nodes))
    const generated = roots.filter(one => one.kind === 'generated')
    return { roots, generated, isGenerated: this.#isGenerated, isWritable: this.#isWritable }
  }

  readResponse(type: GraphQLObjectType, nodes: FieldNodes): ReadResponse | null {
    const meaning = meaningOfType(type)
    if (meaning?.kind !== 'response') return null
    const node = new NodeSelection(meaning.type)
    return { node, output: this.#readObject(type, nodes, node) }
  }

  #readRoot(parent: GraphQLObjectType, key: string, nodes: FieldNodes): RootSelection | OtherRoot {
    const name = nodes[0]!.name.value
    const label = `${JSON.stringify(key)}:`
    if (name === '__typename') return { kind: 'typename', key, label, text: JSON.stringify(parent.name) }
    const field = parent.getFields()[name]
    const meaning = field === undefined ? null : meaningOfField(field)
    if (field === undefined || meaning?.kind !== 'root') {
      this.#needExecution()
      return { kind: 'own', key }
    }
    const node = new NodeSelection(meaning.type)
    const checked = isChecked(field) ? { parent, field, nodes } : null
    if (checked !== null) this.#isGenerated = false
    else if (isWrapped(field)) {
      this.#needExecution()
      // Middlewares receive the entries.
      node.isWhole = true
    }
    this.#isCounted = false
    const output = this.#readObject(objectTypeOf(field), nodes, node)
    const args = argumentsOf(field, nodes[0]!)
    const isAuthorized = isAuthorizedByConfig(field)
    const isCounted = this.#isCounted
    const parentName = parent.name
    return { kind: 'generated', key, label, meaning, parentName, args, node, output, checked, isAuthorized, isCounted }
  }

  /** The members of an object. `node` is the question to which they belong. */
  #readObject(type: GraphQLObjectType, nodes: FieldNodes, node: NodeSelection): ObjectOutput {
    const { schema, fragments } = this.#source
    const fields = [...collectSubfields(schema, fragments, this.#variables, type, nodes)]
    const members = fields.map(([key, fieldNodes]) => this.#readMember(type, key, fieldNodes, node))
    const kind = meaningOfType(type)?.kind
    return { typeName: type.name, node: kind === 'entity' || kind === 'attributes' ? node : null, members }
  }

  #readMember(type: GraphQLObjectType, key: string, nodes: FieldNodes, node: NodeSelection): Member {
    const name = nodes[0]!.name.value
    if (name === '__typename') return { kind: 'typename', key }
    const field = type.getFields()[name]!
    const meaning = meaningOfField(field)
    if (meaning === null || isOwn(field)) {
      const leaf = isOwnLeaf(type, field) ? { parent: type, field, nodes } : null
      if (leaf === null) this.#needExecution()
      this.#isGenerated = false
      // Code receives the entry, and may look at any of its attributes.
      if (meaningOfType(type) !== null) node.isWhole = true
      if (meaning?.kind !== 'scalar') return { kind: 'own', key, attribute: null, leaf }
      // The right to read it is checked all the same.
      node.fields.add(meaning.attribute.name)
      return { kind: 'own', key, attribute: meaning.attribute, leaf }
    }
    switch (meaning.kind) {
      case 'id':
        return { kind: 'id', key }
      case 'scalar':
        node.fields.add(meaning.attribute.name)
        return { kind: 'scalar', key, attribute: meaning.attribute }
      case 'data':
        return { kind: 'data', key, of: this.#readObject(objectTypeOf(field), nodes, node) }
      case 'page':
        if (meaning.member === 'total' || meaning.member === 'pageCount') this.#isCounted = true
        return { kind: 'page', key, member: meaning.member }
      case 'changeMember':
        return { kind: 'change', key, member: meaning.member }
      case 'attributes':
      case 'meta':
      case 'pagination':
        return { kind: 'same', key, of: this.#readObject(objectTypeOf(field), nodes, node) }
      case 'branch':
        if (this.#isShallow) {
          node.isWhole = true
          return { kind: 'own', key, attribute: null, leaf: null }
        }
        return this.#readBranch({ field, meaning, key, nodes }, node)
      case 'root':
        throw new Error(`${type.name}.${name} is an operation below the root`)
    }
  }

  #needExecution(): void {
    this.#isGenerated = false
    this.#isWritable = false
  }

  /** The question about one field of entries, which are asked for it alone. */
  readField({ field, meaning, key, nodes }: BranchField, args: ArgumentSource, parent: ContentType): FieldSelection {
    const node = new NodeSelection(parent)
    const member = this.#readBranch({ field, meaning, key, nodes }, node, field.args.length === 0 ? null : args)
    return { node, member }
  }

  #readBranch(
    { field, meaning, key, nodes }: BranchField,
    node: NodeSelection,
    args: ArgumentSource | null = field.args.length === 0 ? null : argumentsOf(field, nodes[0]!),
  ): BranchMember {
    const { attribute, parameters } = meaning
    const { name } = attribute
    const namedType = getNamedType(field.type)
    if (isUnionType(namedType)) {
      const on = new Map<string, NodeSelection>()
      const branch = node.branch(name, args, { node: null, on, parameters })
      const of = new Map<string, ObjectOutput>()
      for (const type of this.#source.schema.getPossibleTypes(namedType)) {
        const member = meaningOfType(type)
        if (member?.kind !== 'attributes') continue
        const selection = nodeOf(branch.on!, member.type)
        of.set(member.type.uid, this.#readObject(type, nodes, selection))
      }
      return { kind: 'union', key, branch: branch.key, name, of }
    }
    const target = meaningOfType(namedType as GraphQLObjectType) as { readonly type: ContentType }
    const branch = node.branch(name, args, { node: new NodeSelection(target.type), on: null, parameters })
    return {
      kind: 'branch',
      key,
      branch: branch.key,
      name,
      of: this.#readObject(namedType as GraphQLObjectType, nodes, branch.node!),
    }
  }
}

/** The selection of one field of entries, and its output. */
export interface FieldSelection {
  readonly node: NodeSelection
  readonly member: BranchMember
}

/** A field that is asked for alone. */
export interface FieldRequest {
  readonly field: GraphQLField<unknown, unknown>
  readonly meaning: Extract<FieldMeaning, { kind: 'branch' }>
  readonly nodes: readonly FieldNode[]
  readonly args: ArgumentSource
  /** The type of the entries. */
  readonly parent: ContentType
  /** True if the selection below the entries that it leads to is left out, because it is read by itself. */
  readonly isShallow: boolean
}

/** The selection of one field of entries; only variables of `@skip` and `@include` matter. */
export function readField(source: OperationSource, variables: Variables, request: FieldRequest): FieldSelection {
  const { field, meaning, nodes, args, parent, isShallow } = request
  return new SelectionReader(source, variables, isShallow).readField({ field, meaning, key: '', nodes }, args, parent)
}

interface BranchField {
  readonly field: GraphQLField<unknown, unknown>
  readonly meaning: Extract<FieldMeaning, { kind: 'branch' }>
  readonly key: string
  readonly nodes: FieldNodes
}

function nodeOf(on: Map<string, NodeSelection>, type: ContentType): NodeSelection {
  const selection = on.get(type.uid) ?? new NodeSelection(type)
  on.set(type.uid, selection)
  return selection
}

function objectTypeOf(field: GraphQLField<unknown, unknown>): GraphQLObjectType {
  const namedType = getNamedType(field.type)
  if (!isObjectType(namedType)) throw new Error(`The field "${field.name}" is not an object`)
  return namedType
}
