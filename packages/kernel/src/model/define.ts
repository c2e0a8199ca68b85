// Provides typed equivalents of schema files, for models that are written in code.

import type { ComponentInput, ContentTypeInput, Strict } from './input.ts'

/**
 * Defines a content type in TypeScript, and keeps the literal types of its attributes. Misspelt options do not compile.
 */
export function defineContentType<const Schema extends ContentTypeInput>(
  schema: Schema & Strict<Schema, ContentTypeInput>,
): Schema {
  return schema
}

/** Defines a component in TypeScript. */
export function defineComponent<const Schema extends ComponentInput>(
  schema: Schema & Strict<Schema, ComponentInput>,
): Schema {
  return schema
}
