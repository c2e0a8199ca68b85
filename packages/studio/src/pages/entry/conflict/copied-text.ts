// Writes values as text, for the clipboard.

import type { Attribute } from '../../../model/types.ts'

type Values = Readonly<Record<string, unknown>>

/** Returns the label of each attribute that has a value, and the value below it. Values that are not text are JSON. */
export const copiedText = (attributes: readonly Attribute[], values: Values): string =>
  attributes
    .filter(({ name, isPrivate }) => !isPrivate && values[name] !== undefined)
    .map(({ name, label }) => `${label}\n${textOf(values[name])}\n`)
    .join('\n')

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
