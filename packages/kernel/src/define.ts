// Typed twins of schema files, for models written in code.

import type { ComponentSchema, ContentTypeSchema } from './model/schema.ts'

/** A content type written in TypeScript; keeps the literal types of its attributes. */
export function defineContentType<const Schema extends ContentTypeSchema>(schema: Schema): Schema {
  return schema
}

/** A component written in TypeScript. */
export function defineComponent<const Schema extends ComponentSchema>(schema: Schema): Schema {
  return schema
}
