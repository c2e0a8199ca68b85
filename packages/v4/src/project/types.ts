// The content types of a project: what routes and guards need of their schemas (B-13.4).

import { memberOf, textOf, type Value, valueOfJson } from '../syntax/values.ts'
import type { Operation, ServedRoute, TypeOfProject } from './model.ts'
import type { Sources } from './sources.ts'

const operations: readonly Operation[] = ['find', 'findOne', 'create', 'update', 'delete']
const ofSingle: readonly Operation[] = ['find', 'update', 'delete']

/** The built-in actions of a type. */
export const operationsOf = ({ isSingle }: Pick<TypeOfProject, 'isSingle'>): readonly Operation[] =>
  isSingle ? ofSingle : operations

/** The routes that `createCoreRouter` makes for a type (B-13.27). */
export function coreRoutes(type: TypeOfProject, prefix = ''): readonly ServedRoute[] {
  const { isSingle, singularName, pluralName } = type
  const base = `${prefix}/${isSingle ? singularName : pluralName}`
  const methods = { find: 'GET', findOne: 'GET', create: 'POST', update: 'PUT', delete: 'DELETE' } as const
  return operationsOf(type).map(operation => ({
    operation,
    method: methods[operation],
    path: isSingle || operation === 'find' || operation === 'create' ? base : `${base}/:id`,
  }))
}

/** The content types of `src/api`. */
export function typesOf(sources: Sources): readonly TypeOfProject[] {
  return sources.folders('src/api').flatMap(api => {
    const folder = `src/api/${api}/content-types`
    return sources.folders(folder).flatMap(name => typeIn(sources, api, `${folder}/${name}`, name))
  })
}

function typeIn(sources: Sources, api: string, folder: string, name: string): readonly TypeOfProject[] {
  const file = sources.locate(`${folder}/schema`) ?? sources.locate(`${folder}/index`)
  if (file === null) return []
  const whole = schemaIn(sources, file)
  const schema = memberOf(whole, 'schema') ?? whole
  const info = memberOf(schema, 'info')
  const attributes = memberOf(schema, 'attributes')
  const relations = [...(attributes?.kind === 'object' ? attributes.members : [])].flatMap(([attribute, value]) => {
    const target = textOf(memberOf(value, 'target'))
    return target === null ? [] : [{ attribute, target }]
  })
  const singularName = textOf(memberOf(info, 'singularName')) ?? name
  return [
    {
      uid: `api::${api}.${singularName}`,
      api,
      name,
      isSingle: textOf(memberOf(schema, 'kind')) === 'singleType',
      singularName,
      pluralName: textOf(memberOf(info, 'pluralName')) ?? `${name}s`,
      attributes: attributes?.kind === 'object' && attributes.isWhole ? [...attributes.members.keys()] : null,
      isLocalized: isTrue(memberOf(memberOf(memberOf(schema, 'pluginOptions'), 'i18n'), 'localized')),
      relations,
      file,
    },
  ]
}

const isTrue = (value: Value | undefined) => value?.kind === 'literal' && value.value === true

function schemaIn(sources: Sources, file: string): Value | undefined {
  if (!file.endsWith('.json')) return sources.module(file)?.exported()
  try {
    return valueOfJson(JSON.parse(sources.text(file)))
  } catch {
    // The loader of schemas reports it.
    return undefined
  }
}
