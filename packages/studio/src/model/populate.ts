// Decides what is asked for beside the attributes of an entry: for a form everything that it edits, for a list the names
// that its cells show.

import { mayDo } from './build.ts'
import type { Parameter } from './query-string.ts'
import { isPolymorphic, namingFields } from './relations.ts'
import type { Attribute, Component, ContentType, Model } from './types.ts'

type Populate = { readonly [name: string]: Parameter }

/** Deeper components are not asked for: a component may contain itself. */
const maxDepth = 8

/** The parameter `populate` for the form of an entry. */
export const populateForForm = (type: ContentType, model: Model): Populate => ({
  ...populateOf(type.attributes, model, 0),
  ...(type.isLocalized && { localizations: populateNames(type) }),
})

function populateOf(attributes: readonly Attribute[], model: Model, depth: number): Populate {
  if (depth > maxDepth) return {}
  return Object.fromEntries(
    attributes
      .filter(({ isPrivate }) => !isPrivate)
      .flatMap(attribute => {
        const value = populateAttribute(attribute, model, depth)
        return value === null ? [] : [[attribute.name, value] as const]
      }),
  )
}

function populateAttribute({ type, options }: Attribute, model: Model, depth: number): Parameter {
  switch (type) {
    case 'relation':
      return populateRelation(options, model)
    case 'media':
      return true
    case 'component':
      return populateComponent(model.components.get(String(options.component)), model, depth)
    case 'dynamiczone':
      return {
        on: Object.fromEntries(
          (options.components as readonly string[]).map(uid => [
            uid,
            populateComponent(model.components.get(uid), model, depth),
          ]),
        ),
      }
    default:
      return null
  }
}

function populateComponent(component: Component | undefined, model: Model, depth: number): Parameter {
  if (component === undefined) return true
  const inner = populateOf(component.attributes, model, depth + 1)
  return Object.keys(inner).length === 0 ? true : { populate: inner }
}

/** Of linked entries, what names them. */
function populateRelation({ target, relation }: Attribute['options'], model: Model): Parameter {
  if (isPolymorphic({ relation, target })) {
    const types = model.types.filter(type => mayDo(type, 'find') || mayDo(type, 'findOne'))
    return { on: Object.fromEntries(types.map(type => [type.uid, populateNames(type)])) }
  }
  const type = model.typesByUid.get(String(target))
  if (type === undefined) return null
  return populateNames(type)
}

/** The names and states of entries, drafts included. */
const populateNames = (type: ContentType): Populate => ({
  fields: namingFields(type),
  ...(type.hasDrafts && type.rights.seesDrafts && { publicationState: 'preview' }),
})

/** The parameter `populate` for the cells of a list: media whole, relations by name. */
export function populateForList(type: ContentType, model: Model, columns: readonly string[]): Populate {
  const attributes = type.attributes.filter(
    ({ name, type: valueType }) => columns.includes(name) && /^(?:relation|media)$/.test(valueType),
  )
  return populateOf(attributes, model, 0)
}
