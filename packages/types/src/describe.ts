// Describes the model of a kernel. Attributes of plugins are described by what their types say (`family`, `valueType`);
// no plugin is known here.

import type { Attribute, ContentType, Kernel, ScalarAttribute } from '@plinth/kernel'
import type { AttributeDescription, ModelDescription, TypeDescription, ValueDescription } from './description.ts'
import { quoted } from './quoted.ts'
import { typeOfSchema } from './schema-type.ts'

type Family = ScalarAttribute['scalar']['family']

type DescribedKernel = Pick<Kernel, 'contentTypes' | 'operators' | 'parameters'>

/** Describes the content types and components of a kernel, those of plugins included. */
export function describeModel({ contentTypes, operators, parameters }: DescribedKernel): ModelDescription {
  const types = contentTypes
    .values()
    .map(describeType)
    .sort((a, b) => (a.uid < b.uid ? -1 : 1))
  return {
    types,
    operators: operators.values().map(({ name, operand, text, sql }) => ({
      name,
      operand,
      isText: text === true,
      isOfPlugin: sql !== undefined,
    })),
    parameters: parameters.values().map(({ name, schema }) => ({ name, value: typeOfSchema(schema) })),
  }
}

/** Describes one content type or component. */
export function describeType(type: ContentType): TypeDescription {
  const { uid, kind, globalId, singularName, pluralName, info, incompleteWith } = type
  const attributes = [...type.attributes.values()].map(describeAttribute)
  const description = textOf(info.description)
  return { uid, kind, name: globalId, singularName, pluralName, description, incompleteWith, attributes }
}

function describeAttribute(attribute: Attribute): AttributeDescription {
  const { name, type, required, definition } = attribute
  const base = {
    name,
    type,
    isRequired: required,
    isPrivate: attribute.private,
    isWritable: !attribute.readonly && definition.writable !== false,
    hasDefault: definition.default !== undefined && definition.default !== null,
    description: textOf(definition.description),
  }
  switch (attribute.kind) {
    case 'scalar':
      return { ...base, ...describeValue(attribute) }
    case 'relation': {
      const { target, many: isMany, relation } = attribute
      if (target === null) return { ...base, kind: 'morph', isMany }
      return { ...base, kind: 'relation', target, isMany, isNullOverRest: isMany && relation === 'morphMany' }
    }
    case 'component':
      return { ...base, kind: 'component', component: attribute.component, isMany: attribute.many }
    case 'zone':
      return { ...base, kind: 'zone', components: attribute.components }
    case 'dormant':
      return { ...base, kind: 'empty', isMany: attribute.many, isPopulatable: attribute.isPopulatable }
  }
}

/** The forms of a value: as it is answered, as it is sent, and as an operand of filters. */
interface ValueForms {
  readonly answered: string
  readonly input: string
  readonly operand: string
}

const same = (type: string): ValueForms => ({ answered: type, input: type, operand: type })

const formsByFamily: Readonly<Record<Exclude<Family, 'enumeration'>, ValueForms>> = {
  text: same('string'),
  integer: same('number'),
  number: same('number'),
  // Beyond 2^53 a number is not exact.
  biginteger: { answered: 'string', input: 'string | number', operand: 'string | number' },
  boolean: same('boolean'),
  date: same('string'),
  time: same('string'),
  datetime: {
    answered: 'string',
    input: 'string | number | globalThis.Date',
    operand: 'string | number | globalThis.Date',
  },
  json: { answered: 'Plinth.Json', input: 'unknown', operand: 'string' },
  blocks: { answered: 'Plinth.Block[]', input: 'readonly Plinth.Block[]', operand: 'string' },
}

function describeValue({ scalar, definition }: ScalarAttribute): ValueDescription {
  const { valueType, family } = scalar
  return { kind: 'value', ...(valueType !== undefined ? same(valueType) : formsOf(family, definition.enum)) }
}

function formsOf(family: Family, words: unknown): ValueForms {
  if (family !== 'enumeration') return formsByFamily[family]
  const isList = Array.isArray(words) && words.length > 0
  return same(isList ? words.map(word => quoted(String(word))).join(' | ') : 'string')
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
