// Declares what an operation selects: for each field of the root the question to the kernel, as far as it does not
// depend on variables, and the output. reader.ts makes selections, question.ts gives them values.

import type { FieldMeaning } from '../schema/meaning.ts'
import type { ArgumentSource } from './arguments.ts'
import type { NodeSelection } from './node-selection.ts'
import type { CalledField, ObjectOutput } from './output.ts'

/** The meaning of a generated field of the root. */
export type RootMeaning = Extract<FieldMeaning, { kind: 'root' }>

/** A generated field of the root. */
export interface RootSelection {
  readonly kind: 'generated'
  /** Its name in the answer. */
  readonly key: string
  /** The name as the answer begins with it: JSON text and a colon. */
  readonly label: string
  readonly meaning: RootMeaning
  /** The name of the type of the root. */
  readonly parentName: string
  readonly args: ArgumentSource
  readonly node: NodeSelection
  readonly output: ObjectOutput
  /** The field with the checks of code around it; null if there are none, or if the answer must be executed. */
  readonly checked: CalledField | null
  /** True if its `auth` takes the place of the usual right. */
  readonly isAuthorized: boolean
  /** True if the answer shows the number of entries. */
  readonly isCounted: boolean
}

/** A field of the root that is `__typename`, or that code resolves. */
export type OtherRoot =
  /** `text` is the JSON text of the name of the type. */
  | { readonly kind: 'typename'; readonly key: string; readonly label: string; readonly text: string }
  | { readonly kind: 'own'; readonly key: string }

/** The selection of an operation. */
export interface OperationSelection {
  readonly roots: readonly (RootSelection | OtherRoot)[]
  /** The generated ones of them. */
  readonly generated: readonly RootSelection[]
  /** True if code resolves no part of it. */
  readonly isGenerated: boolean
  /** True if code only checks fields of the root and resolves fields of entries that have no fields below them. */
  readonly isWritable: boolean
}
