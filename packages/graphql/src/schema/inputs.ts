// The generated inputs: filters and the data of writes (B-9.41, B-9.48 to B-9.51). They depend on no output type.

import { type Attribute, type ContentType, isRecord } from '@plinth/kernel'
import {
  GraphQLError,
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
} from 'graphql'
import { type Enumerations, scalarName } from './attributes.ts'
import type { ExposedModel } from './exposed.ts'
import { describedBy, typeName, zoneName } from './names.ts'
import { containsFile } from './received-files.ts'
import { readLiteral } from './scalars.ts'
import { meaning, type SharedTypes } from './shared.ts'

/** The inputs of one schema. */
export class Inputs {
  readonly #exposed: ExposedModel
  readonly #shared: SharedTypes
  readonly #enumerations: Enumerations
  readonly #filters = new Map<string, GraphQLInputObjectType>()
  readonly #data = new Map<string, GraphQLInputObjectType>()
  readonly #zones = new Map<string, GraphQLScalarType>()

  constructor(exposed: ExposedModel, shared: SharedTypes, enumerations: Enumerations) {
    this.#exposed = exposed
    this.#shared = shared
    this.#enumerations = enumerations
  }

  /** The filters of a content type or component. */
  filtersOf(type: ContentType): GraphQLInputObjectType {
    const cached = this.#filters.get(type.uid)
    if (cached !== undefined) return cached
    const inputType: GraphQLInputObjectType = new GraphQLInputObjectType({
      name: `${typeName(type)}FiltersInput`,
      extensions: meaning({ kind: 'input', types: [type] }),
      fields: () => {
        const fields: GraphQLInputFieldConfigMap = {}
        if (this.#exposed.hasIdFilter(type)) fields.id = { type: this.#shared.filterOf('ID') }
        for (const one of this.#exposed.filters(type)) fields[one.name] = { type: this.#filterOf(one) }
        fields.and = { type: new GraphQLList(inputType) }
        fields.or = { type: new GraphQLList(inputType) }
        fields.not = { type: inputType }
        return fields
      },
    })
    this.#filters.set(type.uid, inputType)
    return inputType
  }

  #filterOf(attribute: Attribute): GraphQLInputObjectType {
    if (attribute.kind === 'scalar') return this.#shared.filterOf(scalarName(attribute))
    const uid = attribute.kind === 'component' ? attribute.component : (attribute as { target: string }).target
    return this.filtersOf(this.#exposed.get(uid)!)
  }

  /** Returns whether there is anything that the data of a type could contain: an input type must have a field. */
  hasData(type: ContentType): boolean {
    return type.kind === 'component' || this.#exposed.inputs(type).length > 0
  }

  /** The data of a content type or component, which has some. */
  dataOf(type: ContentType): GraphQLInputObjectType {
    const cached = this.#data.get(type.uid)
    if (cached !== undefined) return cached
    const inputType = new GraphQLInputObjectType({
      name: `${typeName(type)}Input`,
      extensions: meaning({ kind: 'input', types: [type] }),
      fields: () => {
        const fields: GraphQLInputFieldConfigMap = {}
        if (type.kind === 'component') fields.id = { type: GraphQLID }
        for (const one of this.#exposed.inputs(type)) {
          const input = this.#inputOf(type, one)
          if (input !== null) fields[one.name] = { type: input, ...describedBy(one.definition.description) }
        }
        return fields
      },
    })
    this.#data.set(type.uid, inputType)
    return inputType
  }

  #inputOf(type: ContentType, attribute: Attribute): GraphQLInputType | null {
    switch (attribute.kind) {
      case 'scalar':
        return this.#enumerations.typeOf(type, attribute)
      case 'relation':
        return attribute.many ? new GraphQLList(GraphQLID) : GraphQLID
      case 'component': {
        const of = this.dataOf(this.#exposed.get(attribute.component)!)
        return attribute.many ? new GraphQLList(of) : of
      }
      case 'zone':
        return new GraphQLList(new GraphQLNonNull(this.#zoneInput(type, attribute)))
      case 'dormant':
        return null
    }
  }

  /** The items of a dynamic zone: JSON with the name of the component in `__typename` (B-9.49). */
  #zoneInput(type: ContentType, attribute: Extract<Attribute, { kind: 'zone' }>): GraphQLScalarType {
    const name = `${zoneName(type, attribute.name)}Input`
    const cached = this.#zones.get(name)
    if (cached !== undefined) return cached
    const components = attribute.components.map(uid => this.#exposed.get(uid)).filter(one => one !== null)
    const uids = new Map(components.map(one => [typeName(one), one.uid]))
    const read = (value: unknown): Record<string, unknown> => {
      if (containsFile(value)) throw new TypeError('A component cannot have a file here.')
      const { __typename: componentName, ...item } = isRecord(value) ? value : {}
      const uid = typeof componentName === 'string' ? uids.get(componentName) : undefined
      // A plain Error: the validation adds the expected type and the literal to its message, as v4 does.
      if (uid === undefined) throw new TypeError(`Component not found. expected one of: ${[...uids.keys()].join(', ')}`)
      return { ...item, __component: uid }
    }
    const zoneType = new GraphQLScalarType({
      name,
      extensions: meaning({ kind: 'input', types: components }),
      parseValue: read,
      parseLiteral: (node, variables) => read(readLiteral(node, variables)),
      serialize() {
        throw new GraphQLError(`${name} is only an input`)
      },
    })
    this.#zones.set(name, zoneType)
    return zoneType
  }
}
