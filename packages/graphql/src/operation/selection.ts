// Declares what an operation selects: for each field of the root the question to the kernel, as far as it does not
// depend on variables, and the output. reader.ts makes selections, question.ts gives them values.

import type { ContentType } from '@plinth/kernel'
import type { ObjectOutput } from '../answer/output.ts'
import type { FieldMeaning, ParameterArgument } from '../schema/meaning.ts'
import type { ArgumentSource } from './arguments.ts'

/** What is asked of the entries of one type at one place of an operation. */
export class NodeSelection {
  readonly type: ContentType
  readonly fields = new Set<string>()
  readonly branches: BranchSelection[] = []
  /** Whether all readable scalars are asked for, because code of an extension receives the entry. */
  isWhole = false

  constructor(type: ContentType) {
    this.type = type
  }

  /** The branch of an attribute with these arguments; several fields with the same arguments share it. */
  branch(name: string, args: ArgumentSource | null, about: BranchAbout): BranchSelection {
    const text = args?.text ?? ''
    const known = this.branches.find(one => one.name === name && one.text === text)
    if (known !== undefined) return known
    const made: BranchSelection = { name, text, key: this.#keyFor(name), args, ...about }
    this.branches.push(made)
    return made
  }

  /** The name of the attribute itself, if no branch has it yet. */
  #keyFor(name: string): string {
    const isTaken = (key: string) => this.branches.some(one => one.key === key)
    if (!isTaken(name)) return name
    let number = 2
    while (isTaken(`${name}__${number}`) || this.type.attributes.has(`${name}__${number}`)) number++
    return `${name}__${number}`
  }
}

/** What a branch leads to. */
export interface BranchAbout {
  /** The type that it leads to; null for dynamic zones and polymorphic relations. */
  readonly node: NodeSelection | null
  /** The types of a dynamic zone or a polymorphic relation, by uid. */
  readonly on: Map<string, NodeSelection> | null
  readonly parameters: readonly ParameterArgument[]
}

/** A populated attribute. */
export interface BranchSelection extends BranchAbout {
  readonly name: string
  /** The name of the branch in the question; the same attribute may be populated twice. */
  readonly key: string
  /** The arguments as they are written. */
  readonly text: string
  readonly args: ArgumentSource | null
}

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
  readonly args: ArgumentSource
  readonly node: NodeSelection
  readonly output: ObjectOutput
  /** Whether its `auth` takes the place of the usual right. */
  readonly isAuthorized: boolean
  /** Whether the answer shows how many entries there are. */
  readonly isCounted: boolean
}

/** A field of the root that is `__typename`, or that code resolves. */
export type OtherRoot =
  /** `text` is the JSON text of the name of the type. */
  | { readonly kind: 'typename'; readonly key: string; readonly label: string; readonly text: string }
  | { readonly kind: 'own'; readonly key: string }

/** What an operation selects. */
export interface OperationSelection {
  readonly roots: readonly (RootSelection | OtherRoot)[]
  /** The generated ones of them. */
  readonly generated: readonly RootSelection[]
  /** Whether nothing of it is resolved by code, so that it can be answered without executing it. */
  readonly isGenerated: boolean
}
