// Makes the schemas of a document, each when something first refers to it, so that types may lead to each other. It knows
// the forms of entries, and not which routes answer them.

import type { Attribute, ContentType, Kernel } from '@plinth/kernel'
import type { DescribedParameter, JsonSchema, QueryAction, SchemaTools } from '@plinth/server/transport'
import { errorSchema } from './errors.ts'
import { SchemaNames, wishedName } from './names.ts'
import { queryParameters } from './parameters.ts'
import { answeredValue, orNull, sentValue } from './values.ts'

/** The form of an entry in an answer: `wrapped` has a member `attributes` at each level, `flat` has none. */
type Form = 'wrapped' | 'flat'

type DocumentedKernel = Pick<Kernel, 'contentTypes' | 'parameters'>

/** The schemas of one document. */
export class Schemas implements SchemaTools {
  readonly error: JsonSchema
  readonly #kernel: DocumentedKernel
  readonly #names = new SchemaNames()
  readonly #typeNames = new Map<string, string>()
  /** Names of schemas by what they describe. */
  readonly #chosen = new Map<string, string>()
  readonly #schemas = new Map<string, JsonSchema>()
  readonly #entryNames: Map<string, string>
  readonly #hasDrafts: boolean

  /**
   * `entryNames` takes the names that routes give the entries of types. What was learnt by one document is given to the
   * next one: a type may be referred to before its routes say how it is called.
   */
  constructor(kernel: DocumentedKernel, entryNames: Map<string, string>) {
    this.#kernel = kernel
    this.#entryNames = entryNames
    this.error = this.named('Error', errorSchema)
    const types = [...kernel.contentTypes.values()]
    this.#hasDrafts = types.some(one => one.incompleteWith !== null)
    // The application's own types have the first choice of names.
    for (const type of types.toSorted((a, b) => rankOf(a) - rankOf(b)))
      this.#typeNames.set(type.uid, this.#names.take(wishedName(type)))
  }

  /** All schemas, in the order of their names. */
  get all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  nameOf(uid: string): string {
    return this.#typeNames.get(this.#type(uid).uid)!
  }

  named(name: string, schema: JsonSchema): JsonSchema {
    return this.#once(
      `named ${name}`,
      () => this.#names.take(name),
      () => schema,
    )
  }

  parameters(uid: string, action: QueryAction): readonly DescribedParameter[] {
    return queryParameters(this.#kernel, this.#type(uid), action)
  }

  wrapped(uid: string): JsonSchema {
    const choose = () => this.#names.take(`${this.nameOf(uid)}ResponseDataObject`)
    return this.#once(`wrapped ${uid}`, choose, () => ({
      type: 'object',
      required: ['id', 'attributes'],
      properties: {
        id: { type: 'integer' },
        attributes: this.attributes(uid),
        meta: { type: 'object', description: 'Of entries that are not populated', additionalProperties: true },
      },
    }))
  }

  attributes(uid: string): JsonSchema {
    const type = this.#type(uid)
    const name = this.nameOf(uid)
    // The name alone is for the form in which the routes of the type answer.
    const choose = () => (type.hasOwnRoutes ? this.#names.take(`${name}Attributes`) : name)
    return this.#once(`attributes ${uid}`, choose, () => this.#answered(type, 'wrapped'))
  }

  entry(uid: string, name?: string): JsonSchema {
    const type = this.#type(uid)
    if (name !== undefined) this.#entryNames.set(uid, name)
    const own = this.nameOf(uid)
    const wished = this.#entryNames.get(uid) ?? (type.hasOwnRoutes ? own : `${own}Entry`)
    const isOwn = wished === own && type.hasOwnRoutes
    const choose = () => (isOwn ? own : this.#names.take(wished))
    return this.#once(`entry ${uid}`, choose, () => this.#answered(type, 'flat'))
  }

  data(uid: string, use: 'create' | 'update'): JsonSchema {
    const type = this.#type(uid)
    const choose = () => this.#names.take(`${this.nameOf(uid)}${use === 'create' ? 'Data' : 'UpdateData'}`)
    return this.#once(`${use} ${uid}`, choose, () => this.#sent(type, use))
  }

  #type(uid: string): ContentType {
    return this.#kernel.contentTypes.require(uid)
  }

  /** A reference to the schema with this key, which is made at the first call. */
  #once(key: string, choose: () => string, make: () => JsonSchema): JsonSchema {
    let name = this.#chosen.get(key)
    if (name === undefined) {
      name = choose()
      // Before it is made, because it may refer to itself.
      this.#chosen.set(key, name)
      this.#schemas.set(name, {})
      this.#schemas.set(name, make())
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Returns whether entries may lack values that are required. */
  #mayLack({ kind, incompleteWith }: ContentType): boolean {
    return incompleteWith !== null || (kind === 'component' && this.#hasDrafts)
  }

  #answered(type: ContentType, form: Form): JsonSchema {
    const hasId = form === 'flat' || type.kind === 'component'
    const properties: Record<string, JsonSchema> = hasId ? { id: { type: 'integer' } } : {}
    for (const attribute of type.attributes.values()) {
      const schema = this.#answeredAttribute(type, attribute, form)
      if (schema !== null) properties[attribute.name] = described(schema, attribute.definition.description)
    }
    return described({ type: 'object', ...(hasId && { required: ['id'] }), properties }, type.info.description)
  }

  /** An attribute in answers; null if it is never in one. */
  #answeredAttribute(type: ContentType, attribute: Attribute, form: Form): JsonSchema | null {
    if (attribute.private) return null
    switch (attribute.kind) {
      case 'scalar': {
        if (attribute.scalar.secret === true) return null
        return answeredValue(attribute, !attribute.required || this.#mayLack(type))
      }
      case 'relation':
        return this.#answeredRelation(attribute, form)
      case 'component': {
        const of = this.#component(attribute.component, form)
        return attribute.many ? { type: 'array', items: of } : orNull(of)
      }
      case 'zone':
        return zoneOf(attribute.components, uid => this.#component(uid, form))
      case 'dormant': {
        if (!attribute.isPopulatable) return null
        const nothing = { type: attribute.many && attribute.type !== 'media' ? 'array' : 'null' }
        return form === 'flat' ? nothing : dataOf(nothing)
      }
    }
  }

  #component(uid: string, form: Form): JsonSchema {
    return form === 'wrapped' ? this.attributes(uid) : this.entry(uid)
  }

  #answeredRelation(attribute: Extract<Attribute, { kind: 'relation' }>, form: Form): JsonSchema {
    const { target, many, relation } = attribute
    if (target === null) {
      const any = form === 'wrapped' && !many ? anyEntry : { ...anyEntry, required: ['id', '__type'] }
      return many ? { type: 'array', items: any } : orNull(any)
    }
    const of = form === 'flat' ? this.entry(target) : this.wrapped(target)
    const list = { type: 'array', items: of }
    // Lists of files that are empty are null, as in v4 (B-3.33).
    const value = !many ? orNull(of) : relation === 'morphMany' ? orNull(list) : list
    return form === 'flat' ? value : dataOf(value)
  }

  #sent(type: ContentType, use: 'create' | 'update'): JsonSchema {
    const properties: Record<string, JsonSchema> = type.kind === 'component' ? { id: idValue } : {}
    const required: string[] = []
    for (const attribute of type.attributes.values()) {
      const { name, readonly, definition } = attribute
      if (readonly || definition.writable === false || attribute.kind === 'dormant') continue
      properties[name] = described(this.#sentAttribute(type, attribute, use), definition.description)
      const hasDefault = definition.default !== undefined && definition.default !== null
      if (use === 'create' && attribute.required && !hasDefault && !this.#mayLack(type)) required.push(name)
    }
    return { type: 'object', ...(required.length > 0 && { required }), properties }
  }

  #sentAttribute(
    type: ContentType,
    attribute: Exclude<Attribute, { kind: 'dormant' }>,
    use: 'create' | 'update',
  ): JsonSchema {
    switch (attribute.kind) {
      case 'scalar':
        return sentValue(attribute, !attribute.required || this.#mayLack(type))
      case 'relation':
        return { oneOf: [...(attribute.many ? manyLinks : oneLink)] }
      case 'component': {
        const of = this.data(attribute.component, use)
        return attribute.many ? { type: 'array', items: of } : orNull(of)
      }
      case 'zone':
        return zoneOf(attribute.components, uid => this.data(uid, use))
    }
  }
}

const rankOf = ({ uid, kind }: ContentType) => (uid.startsWith('api::') ? 0 : kind === 'component' ? 1 : 2)

/** A list of components that say what they are. */
function zoneOf(uids: readonly string[], schemaOf: (uid: string) => JsonSchema): JsonSchema {
  const items = uids.map(uid => ({
    allOf: [schemaOf(uid), { type: 'object', required: ['__component'], properties: { __component: { const: uid } } }],
  }))
  return { type: 'array', items: items.length === 0 ? { not: {} } : { anyOf: items } }
}

const dataOf = (data: JsonSchema): JsonSchema => ({ type: 'object', required: ['data'], properties: { data } })

/** An entry of any type, which a polymorphic relation leads to. */
const anyEntry: JsonSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, __type: { type: 'string', description: 'The type of the entry' } },
  additionalProperties: true,
}

const idValue: JsonSchema = { oneOf: [{ type: 'integer' }, { type: 'string' }] }

/** An entry in a link: its id, and where it stands. */
const linkItem: JsonSchema = {
  oneOf: [
    ...(idValue.oneOf as readonly JsonSchema[]),
    { type: 'object', required: ['id'], properties: { id: idValue }, additionalProperties: true },
  ],
}

/** Changes of links. */
const change: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    ['set', 'connect', 'disconnect'].map(name => [name, { type: 'array', items: linkItem }]),
  ),
  additionalProperties: true,
}

const oneLink: readonly JsonSchema[] = [
  { type: 'integer' },
  { type: 'string' },
  change,
  { type: 'array', items: linkItem },
  { type: 'null' },
]
const manyLinks: readonly JsonSchema[] = [
  { type: 'array', items: linkItem },
  change,
  { type: 'integer' },
  { type: 'string' },
  { type: 'null' },
]

/** The schema with the description that a schema file gives. A reference may have one beside it. */
function described(schema: JsonSchema, description: unknown): JsonSchema {
  return typeof description === 'string' && description !== '' ? { ...schema, description } : schema
}
