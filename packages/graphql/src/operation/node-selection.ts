// Declares what an operation selects of the entries of one type, as far as it does not depend on variables: attributes, and
// branches with their arguments. It knows neither the fields of the root nor the form of the answer.

import type { ContentType } from '@plinth/kernel'
import type { ParameterArgument } from '../schema/meaning.ts'
import type { ArgumentSource } from './arguments.ts'

/** The selection for the entries of one type at one place of an operation. */
export class NodeSelection {
  readonly type: ContentType
  readonly fields = new Set<string>()
  readonly branches: BranchSelection[] = []
  /** True if all readable scalars are selected, because code of an extension receives the entry. */
  isWhole = false

  constructor(type: ContentType) {
    this.type = type
  }

  /** The branch of an attribute with these arguments; several fields with the same arguments share it. */
  branch(name: string, args: ArgumentSource | null, target: BranchTarget): BranchSelection {
    const text = args?.text ?? ''
    const existing = this.branches.find(one => one.name === name && one.text === text)
    if (existing !== undefined) return existing
    const branch: BranchSelection = { name, text, key: this.#keyFor(name), args, ...target }
    this.branches.push(branch)
    return branch
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

/** The target of a branch. */
export interface BranchTarget {
  /** The type that it leads to; null for dynamic zones and polymorphic relations. */
  readonly node: NodeSelection | null
  /** The types of a dynamic zone or a polymorphic relation, by uid. */
  readonly on: Map<string, NodeSelection> | null
  readonly parameters: readonly ParameterArgument[]
}

/** A populated attribute. */
export interface BranchSelection extends BranchTarget {
  readonly name: string
  /** The name of the branch in the question; the same attribute may be populated twice. */
  readonly key: string
  /** The arguments as they are written. */
  readonly text: string
  readonly args: ArgumentSource | null
}
