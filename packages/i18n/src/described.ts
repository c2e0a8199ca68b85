// Describes the routes of locales and translations for documents of the API.

import type { ContentType } from '@plinth/kernel'
import type { DescribedOperation, DescribedParameter, JsonSchema, SchemaTools } from '@plinth/server/transport'
import { uid } from './locales.ts'

/** GET /i18n/locales */
export function describeList(tools: SchemaTools): DescribedOperation {
  const locale = {
    type: 'object',
    required: ['id', 'name', 'code', 'createdAt', 'updatedAt', 'isDefault'],
    properties: {
      id: { type: 'integer' },
      name: { type: ['string', 'null'] },
      code: { type: 'string' },
      createdAt: { type: ['string', 'null'], format: 'date-time' },
      updatedAt: { type: ['string', 'null'], format: 'date-time' },
      isDefault: { type: 'boolean' },
    },
  }
  return {
    tag: tools.nameOf(uid),
    summary: 'List the locales',
    answers: { 200: { description: 'OK', schema: { type: 'array', items: tools.named('I18NLocale', locale) } } },
  }
}

const idInPath: DescribedParameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }

/** POST …/localizations */
export function describeTranslation(type: ContentType, tools: SchemaTools): DescribedOperation {
  const name = tools.nameOf(type.uid)
  const required = ['locale']
  const locale = { type: 'object', required, properties: { locale: { type: 'string', description: 'Its locale' } } }
  const source = type.kind === 'singleType' ? `the ${type.singularName}` : `one of the ${type.pluralName}`
  const body = { allOf: [tools.data(type.uid, 'update'), locale] }
  nameTranslations(name, tools.wrapped(type.uid), tools)
  return {
    tag: name,
    summary: `Create a translation of ${source}`,
    description: 'The answer has no outer `data`.',
    ...(type.kind === 'collectionType' && { parameters: [idInPath] }),
    body: { content: { 'application/json': tools.named(`${name}LocalizationRequest`, body) } },
    answers: {
      200: { description: 'OK', schema: tools.entry(type.uid, `${name}LocalizationResponse`) },
    },
  }
}

/** Adds v4's names for the entries of localized types (B-12.4), with which its users have generated code. */
function nameTranslations(name: string, entry: JsonSchema, tools: SchemaTools): void {
  tools.named(`${name}ResponseDataObjectLocalized`, entry)
  const items = tools.named(`${name}ListResponseDataItemLocalized`, entry)
  tools.named(`${name}LocalizationListResponse`, {
    type: 'object',
    required: ['data'],
    properties: { data: { type: 'array', items }, meta: { type: 'object', additionalProperties: true } },
  })
}
