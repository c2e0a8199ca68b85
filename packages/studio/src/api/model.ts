// Reads the model, the rights of the user and the settings of the application, and builds what the panel works with.

import { buildModel, type Schema, type TypeSettings } from '../model/build.ts'
import type { Model } from '../model/types.ts'
import { askBody } from './http.ts'
import { readRights } from './rights.ts'

interface WireType {
  readonly uid: string
  readonly category?: string
  readonly schema: {
    readonly displayName: string
    readonly singularName?: string
    readonly pluralName?: string
    readonly kind?: 'collectionType' | 'singleType'
    readonly draftAndPublish?: boolean
    readonly visible?: boolean
    readonly icon?: string
    readonly pluginOptions?: { readonly i18n?: { readonly localized?: boolean } }
    readonly attributes: Schema['attributes']
  }
}

interface Data<Value> {
  readonly data: Value
}

const schemaOf = ({ uid, category, schema }: WireType): Schema => ({
  uid,
  ...(category !== undefined && { category }),
  ...schema,
  isLocalized: schema.pluginOptions?.i18n?.localized === true,
})

export async function readModel(): Promise<Model> {
  const [types, components, settings, rights] = await Promise.all([
    askBody<Data<readonly WireType[]>>({ path: '/content-type-builder/content-types' }),
    askBody<Data<readonly WireType[]>>({ path: '/content-type-builder/components' }),
    askBody<Data<Readonly<Record<string, TypeSettings>>>>({ path: '/studio/settings' }),
    readRights(),
  ])
  return buildModel({
    types: types.data.map(schemaOf),
    components: components.data.map(schemaOf),
    rights: rights.types,
    componentRights: rights.components,
    actions: rights.actions,
    settings: settings.data,
  })
}
