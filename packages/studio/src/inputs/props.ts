// The properties of all inputs, including those of third-party plugins. They do not see the library that holds the values.

import type { ComponentType } from 'react'
import type { Attribute } from '../model/types.ts'

/** The properties of an input. `Value` is what the API answers and takes for the attribute. */
export interface InputProps<Value = unknown> {
  /** The path of the value in the form: `title`, `sections.0.heading`. */
  readonly name: string
  /** Undefined as long as nobody has touched a value that is not answered, such as a password. */
  readonly value: Value | null | undefined
  readonly onChange: (value: Value | null) => void
  /** The fault of the value, in the words of the server. */
  readonly error: string | null
  readonly required: boolean
  readonly disabled: boolean
  readonly attribute: Attribute
  /** The locale of the entry; null where its type has none. */
  readonly locale: string | null
}

// Each input knows the type of its values; the registry does not.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type InputComponent = ComponentType<InputProps<any>>

/** Returns the properties of an input that the fields of the panel's own inputs show. */
export function fieldTexts({ attribute, error, required, disabled, name }: Omit<InputProps, 'value' | 'onChange'>) {
  return { label: attribute.label, description: attribute.description, error, required, disabled, name }
}
