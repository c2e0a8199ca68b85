// Counts the fields, roots and levels of an operation with its fragments expanded, before it is validated: validation
// takes quadratic time for some documents (security.md rows 70 to 73). The time of the count depends on the length of
// the document alone.

import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

/** The limits of one operation. */
export interface SizeLimits {
  readonly fields: number
  readonly roots: number
  readonly depth: number
}

/** The size of a selection. */
interface Size {
  readonly fields: number
  readonly depth: number
}

/** Throws GraphQLError for a document with an operation that is too large, or with a cycle of fragments. */
export function checkSizes(document: DocumentNode, limits: SizeLimits): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const operations: OperationDefinitionNode[] = []
  for (const one of document.definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one)
    else if (one.kind === Kind.OPERATION_DEFINITION) operations.push(one)
  }
  const counter = new Counter(fragments)
  let most = 0
  for (const operation of operations) {
    const roots = counter.roots(operation.selectionSet)
    if (roots > limits.roots) throw tooMany('root fields', roots, limits.roots)
    const { fields, depth } = counter.sizeOf(operation.selectionSet)
    if (fields > limits.fields) throw tooMany('fields', fields, limits.fields)
    if (depth > limits.depth) throw tooMany('levels', depth, limits.depth)
    most = Math.max(most, fields)
  }
  // Fragments that no operation uses are validated, too.
  for (const fragment of fragments.values()) {
    const { fields, depth } = counter.sizeOf(fragment.selectionSet)
    if (fields > limits.fields) throw tooMany('fields', fields, limits.fields)
    if (depth > limits.depth) throw tooMany('levels', depth, limits.depth)
  }
  return most
}

function tooMany(what: string, count: number, limit: number): GraphQLError {
  return new GraphQLError(`The operation has ${count} ${what}, and at most ${limit} are allowed`)
}

/** Counts each fragment once, so that fragments of fragments take no exponential time. */
class Counter {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #known = new Map<string, Size>()
  readonly #open = new Set<string>()

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#fragments = fragments
  }

  sizeOf({ selections }: SelectionSetNode): Size {
    let fields = 0
    let depth = 0
    for (const one of selections) {
      let size: Size
      if (one.kind === Kind.FIELD) {
        const below = one.selectionSet === undefined ? { fields: 0, depth: 0 } : this.sizeOf(one.selectionSet)
        size = { fields: below.fields + 1, depth: below.depth + 1 }
      } else if (one.kind === Kind.INLINE_FRAGMENT) size = this.sizeOf(one.selectionSet)
      else size = this.#sizeOfFragment(one.name.value)
      fields += size.fields
      depth = Math.max(depth, size.depth)
    }
    return { fields, depth }
  }

  #sizeOfFragment(name: string): Size {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const fragment = this.#fragments.get(name)
    // Validation names unknown fragments.
    if (fragment === undefined) return { fields: 0, depth: 0 }
    if (this.#open.has(name)) throw new GraphQLError(`Cannot spread fragment "${name}" within itself.`)
    this.#open.add(name)
    const size = this.sizeOf(fragment.selectionSet)
    this.#open.delete(name)
    this.#known.set(name, size)
    return size
  }

  /** The fields of the root; those of fragments are counted at each use. */
  roots({ selections }: SelectionSetNode, open: ReadonlySet<string> = new Set()): number {
    let count = 0
    for (const one of selections) {
      if (one.kind === Kind.FIELD) count++
      else if (one.kind === Kind.INLINE_FRAGMENT) count += this.roots(one.selectionSet, open)
      else {
        const name = one.name.value
        const fragment = this.#fragments.get(name)
        if (fragment === undefined) continue
        if (open.has(name)) throw new GraphQLError(`Cannot spread fragment "${name}" within itself.`)
        count += this.roots(fragment.selectionSet, new Set([...open, name]))
      }
    }
    return count
  }
}
