// Declares the description of a model: all that written types depend on, as plain data, so that it can also be sent by
// HTTP. It does not contain how the model is stored.

/** An attribute with a value of its own. The texts are TypeScript types. */
export interface ValueDescription {
  readonly kind: 'value'
  /** The type of the answered value, without null. */
  readonly answered: string
  /** The type of a value in `data`, without null. */
  readonly input: string
  /** The type of an operand in filters, without null. */
  readonly operand: string
}

/** An attribute that leads to entries of one type. */
export interface RelationDescription {
  readonly kind: 'relation'
  readonly target: string
  readonly isMany: boolean
  /** True: REST answers null instead of an empty list, as v4 does for files and other polymorphic links. */
  readonly isNullOverRest: boolean
}

/** A component, or a list of components. */
export interface ComponentDescription {
  readonly kind: 'component'
  readonly component: string
  readonly isMany: boolean
}

/** A dynamic zone. */
export interface ZoneDescription {
  readonly kind: 'zone'
  readonly components: readonly string[]
}

/** A polymorphic relation, which leads to entries of any type. */
export interface MorphDescription {
  readonly kind: 'morph'
  readonly isMany: boolean
}

/** An attribute whose type or target is missing: it is always empty. */
export interface EmptyDescription {
  readonly kind: 'empty'
  readonly isMany: boolean
  readonly isPopulatable: boolean
}

interface AttributeBase {
  readonly name: string
  /** The attribute type in the schema. */
  readonly type: string
  readonly isRequired: boolean
  readonly isPrivate: boolean
  /** False: values in `data` have no effect. */
  readonly isWritable: boolean
  /** True if a creation without a value sets one. */
  readonly hasDefault: boolean
  readonly description: string | null
}

/** An attribute of a content type or component. */
export type AttributeDescription = AttributeBase &
  (
    | ValueDescription
    | RelationDescription
    | ComponentDescription
    | ZoneDescription
    | MorphDescription
    | EmptyDescription
  )

/** A content type or component. */
export interface TypeDescription {
  readonly uid: string
  readonly kind: 'collectionType' | 'singleType' | 'component'
  /** The name for its types, such as `Article`. */
  readonly name: string
  readonly singularName: string
  readonly pluralName: string
  readonly description: string | null
  /** The values of an entry that may lack required attributes; null if none may. */
  readonly incompleteWith: Readonly<Record<string, unknown>> | null
  readonly attributes: readonly AttributeDescription[]
}

/** A filter operator. */
export interface OperatorDescription {
  readonly name: string
  readonly operand: 'one' | 'list' | 'pair' | 'flag'
  /** True if it compares text, whatever the attribute's type is. */
  readonly isText: boolean
  /** True if a plugin decides what its operand may be. */
  readonly isOfPlugin: boolean
}

/** A query parameter of a plugin, such as `locale`. */
export interface ParameterDescription {
  readonly name: string
  /** The TypeScript type of its value. */
  readonly value: string
}

/** A model. */
export interface ModelDescription {
  /** Sorted by uid. */
  readonly types: readonly TypeDescription[]
  readonly operators: readonly OperatorDescription[]
  readonly parameters: readonly ParameterDescription[]
}
