// Finds the schemas of content types and components among the examples of documents, and the files to which they belong. Makes
// no model of them.

import { type Placed, valuesIn } from '@plinth/test-tools/documents'

/** Where the schema belongs that follows a path within a sentence. */
const extension = 'src/extensions/users-permissions/content-types/user/schema.json'

/** A file with a schema. */
export interface SchemaFile {
  readonly path: string
  readonly code: string
  readonly place: string
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether all members are attributes of a schema. */
const areAttributes = (value: Readonly<Record<string, unknown>>) =>
  Object.values(value).every(one => isObject(one) && typeof one.type === 'string')

/** Returns the schema of a type with these attributes. */
export const typeWith = (name: string, attributes: object) => ({
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
})

const pathOf = (name: string) => `src/api/${name}/content-types/${name}/schema.json`

/** Returns the file of an example with a schema, or with attributes alone; null for other examples. */
export function schemaFileOf(example: Placed): SchemaFile | null {
  const { language, code, path, place } = example
  if (language === 'ts' && path !== null && /^src\/(?:api\/.*\/schema|components\/.*)\.ts$/.test(path))
    return { path, code, place }
  if (language !== 'json' && language !== 'jsonc') return null
  const [value, more] = valuesIn(example)
  if (!isObject(value) || more !== undefined) return null
  if (isObject(value.attributes) && isObject(value.info)) {
    const { collectionName, info } = value
    const name = String((info as { singularName?: unknown }).singularName)
    const own = collectionName === 'up_users' ? extension : pathOf(name)
    return { path: path?.replace(/^apps\/\w+\//, '') ?? own, code: JSON.stringify(value), place }
  }
  if (Object.keys(value).length === 0 || !areAttributes(value)) return null
  return { path: pathOf('note'), code: JSON.stringify(typeWith('note', value)), place }
}

/** The uid that a file has by its path. */
export function uidOf(path: string): string {
  const [folder, first, name, last] = path
    .replace(/^src\//, '')
    .replace(/(?:\/schema)?\.\w+$/, '')
    .split('/') as string[]
  return folder === 'components' ? `${first}.${name}` : `${folder === 'api' ? 'api' : 'plugin'}::${first}.${last}`
}
