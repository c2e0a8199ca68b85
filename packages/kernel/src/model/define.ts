// Typed twins of schema files, for models written in code.

import type { ComponentInput, ContentTypeInput, Strict } from './input.ts'

/** A content type written in TypeScript; keeps the literal types of its attributes. Misspelt options do not compile. */
export function defineContentType<const Schema extends ContentTypeInput>(
  schema: Schema & Strict<Schema, ContentTypeInput>,
): Schema {
  return schema
}

/** A component written in TypeScript. */
export function defineComponent<const Schema extends ComponentInput>(
  schema: Schema & Strict<Schema, ComponentInput>,
): Schema {
  return schema
}
