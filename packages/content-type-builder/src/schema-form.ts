// Writes types and components in the form of v4's content-type builder, which Gatsby and generic panels read.

import type { Attribute } from '@plinth/kernel'
import type { VisibleType } from './visible-model.ts'

/** A content type as v4 answers it. */
export function formContentType({ type, attributes }: VisibleType) {
  const { uid, kind, table, info, options, pluginOptions, singularName, pluralName, displayName } = type
  const [, plugin] = /^plugin::([^.]+)\./.exec(uid) ?? []
  const isVisible = pluginOptions['content-type-builder']?.visible !== false
  return {
    uid,
    plugin,
    apiID: modelNameOf(uid),
    schema: {
      ...options,
      draftAndPublish: options.draftAndPublish === true,
      displayName,
      singularName,
      pluralName,
      description: textOf(info.description),
      pluginOptions,
      kind,
      collectionName: table,
      attributes: formAttributes(attributes),
      visible: isVisible,
      restrictRelationsTo: restrictionOf(uid, isVisible),
    },
  }
}

/** A component as v4 answers it. */
export function formComponent({ type, attributes }: VisibleType) {
  const { uid, table, info, pluginOptions, displayName } = type
  return {
    uid,
    category: uid.split('.')[0],
    apiId: modelNameOf(uid),
    schema: {
      displayName,
      description: textOf(info.description),
      icon: info.icon,
      collectionName: table,
      pluginOptions,
      attributes: formAttributes(attributes),
    },
  }
}

const modelNameOf = (uid: string) => uid.slice(uid.lastIndexOf('.') + 1)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The kinds of relations that panels may offer to the type; null for all of them. */
function restrictionOf(uid: string, isVisible: boolean): readonly string[] | null {
  if (uid === 'admin::user') return ['oneWay', 'manyWay']
  return uid.startsWith('admin::') || uid === 'plugin::upload.file' || !isVisible ? [] : null
}

/** Without the attributes that nobody edits, such as those of times, and those whose definition has `visible: false`. */
function formAttributes(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes
      .filter(attribute => !attribute.readonly && attribute.definition.visible !== false)
      .map(attribute => [attribute.name, formAttribute(attribute)]),
  )
}

function formAttribute(attribute: Attribute): Record<string, unknown> {
  const { type, definition, required } = attribute
  const isPrivate = attribute.private
  const configurable = definition.configurable === false ? false : undefined
  const { pluginOptions } = definition
  if (type === 'media') {
    const { multiple, allowedTypes } = definition
    return {
      type,
      multiple: multiple === true,
      required,
      configurable,
      private: isPrivate,
      allowedTypes,
      pluginOptions,
    }
  }
  if (definition.type !== 'relation') return { ...definition }
  const targetAttribute = definition.inversedBy ?? definition.mappedBy ?? null
  return { ...definition, targetAttribute, configurable, private: isPrivate, pluginOptions }
}
