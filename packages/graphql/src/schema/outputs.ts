// The generated object types: attributes, entities, and what wraps them (B-9.30 to B-9.41). They have no
// resolvers: what a field does is in its meaning.

import type { Attribute, ContentType } from '@plinth/kernel'
import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql'
import type { Enumerations } from './attributes.ts'
import type { ExposedModel } from './exposed.ts'
import type { Inputs } from './inputs.ts'
import type { FieldMeaning } from './meaning.ts'
import { describedBy, typeName, zoneName } from './names.ts'
import type { FieldParameters, ParameterTypes } from './parameters.ts'
import { meaning, type SharedTypes } from './shared.ts'

type Fields = GraphQLFieldConfigMap<unknown, unknown>
type Field = GraphQLFieldConfig<unknown, unknown>

/** The parts of which the object types of one schema are made. */
export interface OutputTools {
  readonly exposed: ExposedModel
  readonly shared: SharedTypes
  readonly enumerations: Enumerations
  readonly inputs: Inputs
  readonly parameters: ParameterTypes
}

type Wrapper = 'response' | 'change' | 'collection' | 'relations' | 'entity' | 'attributes'

/** The object types of one schema, each made when something first refers to it. */
export class Outputs {
  readonly #tools: OutputTools
  readonly #types = new Map<string, GraphQLObjectType>()
  readonly #unions = new Map<string, GraphQLUnionType>()

  constructor(tools: OutputTools) {
    this.#tools = tools
  }

  /** The attributes of a content type, or a component. */
  attributesOf(type: ContentType): GraphQLObjectType {
    return this.#make(typeName(type), 'attributes', type, () => {
      const fields: Fields = {}
      if (type.kind === 'component')
        fields.id = { type: new GraphQLNonNull(GraphQLID), extensions: meaning({ kind: 'id' }) }
      for (const one of this.#tools.exposed.outputs(type)) fields[one.name] = this.#field(type, one)
      // A type must have a field.
      if (Object.keys(fields).length === 0) fields.id = { type: GraphQLID, extensions: meaning({ kind: 'id' }) }
      return fields
    })
  }

  /** `{ data }` of one entry. */
  responseOf(type: ContentType): GraphQLObjectType {
    return this.#make(`${typeName(type)}EntityResponse`, 'response', type, () => ({
      data: object(this.#entityOf(type), { kind: 'data' }),
    }))
  }

  /** `{ action, id, data }` of a change of one entry. */
  changeOf(type: ContentType): GraphQLObjectType {
    return this.#make(`${typeName(type)}EntityChange`, 'change', type, () => ({
      action: {
        type: new GraphQLNonNull(this.#tools.shared.changeAction),
        extensions: meaning({ kind: 'changeMember', member: 'action' }),
      },
      id: { type: new GraphQLNonNull(GraphQLID), extensions: meaning({ kind: 'changeMember', member: 'id' }) },
      data: object(this.#entityOf(type), { kind: 'data' }),
    }))
  }

  /** `{ data, meta }` of a list of the root. */
  collectionOf(type: ContentType): GraphQLObjectType {
    return this.#make(`${typeName(type)}EntityResponseCollection`, 'collection', type, () => ({
      data: object(listOf(this.#entityOf(type)), { kind: 'data' }),
      meta: object(new GraphQLNonNull(this.#tools.shared.meta), { kind: 'meta' }),
    }))
  }

  /** `{ data }` of a populated list. */
  relationsOf(type: ContentType): GraphQLObjectType {
    return this.#make(`${typeName(type)}RelationResponseCollection`, 'relations', type, () => ({
      data: object(listOf(this.#entityOf(type)), { kind: 'data' }),
    }))
  }

  #entityOf(type: ContentType): GraphQLObjectType {
    return this.#make(`${typeName(type)}Entity`, 'entity', type, () => ({
      id: { type: GraphQLID, extensions: meaning({ kind: 'id' }) },
      attributes: object(this.attributesOf(type), { kind: 'attributes' }),
    }))
  }

  #make(name: string, kind: Wrapper, type: ContentType, fields: () => Fields): GraphQLObjectType {
    // Two types may have one name, which is a fault of the model.
    const key = `${kind} ${type.uid}`
    const outputType = this.#types.get(key)
    if (outputType !== undefined) return outputType
    // The attributes, whose type has the name of the content type.
    const description = kind === 'attributes' ? describedBy(type.info.description) : {}
    const objectType = new GraphQLObjectType({ name, ...description, extensions: meaning({ kind, type }), fields })
    this.#types.set(key, objectType)
    return objectType
  }

  /** Makes the field of an attribute. A required one is never null (B-9.66), whatever its kind. */
  #field(type: ContentType, attribute: Attribute): Field {
    const field = { ...this.#optionalField(type, attribute), ...describedBy(attribute.definition.description) }
    const isNeverNull = attribute.required && attribute.kind !== 'dormant'
    return isNeverNull ? { ...field, type: new GraphQLNonNull(field.type) } : field
  }

  #optionalField(type: ContentType, attribute: Attribute): Field {
    const { exposed, enumerations } = this.#tools
    switch (attribute.kind) {
      case 'scalar': {
        const scalar = enumerations.typeOf(type, attribute)
        return { type: scalar, extensions: meaning({ kind: 'scalar', attribute }) }
      }
      case 'relation': {
        if (attribute.target === null) {
          const union = this.#anyType()
          return branch(attribute, attribute.many ? new GraphQLList(union) : union)
        }
        const target = exposed.get(attribute.target)!
        if (!attribute.many) return branch(attribute, this.responseOf(target))
        return branch(attribute, this.relationsOf(target), this.#listArguments(target))
      }
      case 'component': {
        const component = exposed.get(attribute.component)!
        const of = this.attributesOf(component)
        return attribute.many
          ? branch(attribute, new GraphQLList(of), this.#listArguments(component))
          : branch(attribute, of)
      }
      case 'zone':
        return branch(attribute, new GraphQLList(this.#zone(type, attribute)))
      case 'dormant':
        return { type: GraphQLString }
    }
  }

  /** The arguments of a populated list (B-9.4). */
  #listArguments(target: ContentType): FieldParameters {
    const { inputs, shared, parameters } = this.#tools
    const added = parameters.at('nested', target)
    return { args: { ...listArguments(inputs, shared, target), ...added.args }, parameters: added.parameters }
  }

  #zone(type: ContentType, attribute: Extract<Attribute, { kind: 'zone' }>): GraphQLUnionType {
    const { exposed, shared } = this.#tools
    return this.#union(zoneName(type, attribute.name), () => [
      ...attribute.components.flatMap(uid => {
        const component = exposed.get(uid)
        return component === null ? [] : [this.attributesOf(component)]
      }),
      shared.error,
    ])
  }

  /** The entries that a polymorphic relation may lead to (B-9.50). */
  #anyType(): GraphQLUnionType {
    return this.#union('GenericMorph', () => this.#tools.exposed.all.map(one => this.attributesOf(one)))
  }

  #union(name: string, types: () => GraphQLObjectType[]): GraphQLUnionType {
    const outputType = this.#unions.get(name)
    if (outputType !== undefined) return outputType
    const unionType = new GraphQLUnionType({ name, types })
    this.#unions.set(name, unionType)
    return unionType
  }
}

/** `filters`, `pagination` and `sort` of a list. Those of a single type's entries have none, as in v4. */
export function listArguments(inputs: Inputs, shared: SharedTypes, target: ContentType): FieldParameters['args'] {
  if (target.kind === 'singleType') return {}
  return {
    filters: { type: inputs.filtersOf(target) },
    pagination: { type: shared.paginationArg, defaultValue: {} },
    sort: { type: new GraphQLList(GraphQLString), defaultValue: [] },
  }
}

function listOf(type: GraphQLObjectType) {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))
}

function object(type: Field['type'], what: Extract<FieldMeaning, { kind: 'data' | 'attributes' | 'meta' }>): Field {
  return { type, extensions: meaning(what) }
}

function branch(
  attribute: Exclude<Attribute, { kind: 'scalar' }>,
  type: Field['type'],
  { args, parameters }: FieldParameters = { args: {}, parameters: [] },
): Field {
  return { type, args, extensions: meaning({ kind: 'branch', attribute, parameters }) }
}
