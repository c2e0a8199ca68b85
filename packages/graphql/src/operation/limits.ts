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

/** The size of a selection: all fields, those of its first level, and its levels. */
export interface Size {
  readonly fields: number
  readonly roots: number
  readonly depth: number
}

/**
 * The sizes of the operations of a document. Throws GraphQLError for an operation or a fragment that is too large, and
 * for a cycle of fragments.
 */
export function measure(document: DocumentNode, limits: SizeLimits): ReadonlyMap<OperationDefinitionNode, Size> {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const sizes = new Map<OperationDefinitionNode, Size>()
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one)
  const counter = new Counter(fragments)
  for (const one of document.definitions) {
    if (one.kind === Kind.OPERATION_DEFINITION) {
      const size = counter.sizeOf(one.selectionSet)
      checkCount('root fields', size.roots, limits.roots)
      checkSize(size, limits)
      sizes.set(one, size)
      // Fragments that no operation uses are validated, too.
    } else if (one.kind === Kind.FRAGMENT_DEFINITION) checkSize(counter.sizeOf(one.selectionSet), limits)
  }
  return sizes
}

function checkSize({ fields, depth }: Size, limits: SizeLimits): void {
  checkCount('fields', fields, limits.fields)
  checkCount('levels', depth, limits.depth)
}

function checkCount(what: string, count: number, limit: number): void {
  if (count <= limit) return
  // Fragments of fragments may have more fields than a number can express.
  const countText = Number.isSafeInteger(count) ? String(count) : `more than ${Number.MAX_SAFE_INTEGER}`
  throw new GraphQLError(`The operation has ${countText} ${what}, and at most ${limit} are allowed`)
}

const nothing: Size = { fields: 0, roots: 0, depth: 0 }

/** Counts each fragment once, so that fragments of fragments take no exponential time. */
class Counter {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #sizes = new Map<string, Size>()
  readonly #open = new Set<string>()

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#fragments = fragments
  }

  sizeOf({ selections }: SelectionSetNode): Size {
    let { fields, roots, depth } = nothing
    for (const one of selections) {
      let size: Size
      if (one.kind === Kind.FIELD) {
        const below = one.selectionSet === undefined ? nothing : this.sizeOf(one.selectionSet)
        size = { fields: below.fields + 1, roots: 1, depth: below.depth + 1 }
      } else if (one.kind === Kind.INLINE_FRAGMENT) size = this.sizeOf(one.selectionSet)
      else size = this.#sizeOfFragment(one.name.value)
      fields += size.fields
      roots += size.roots
      depth = Math.max(depth, size.depth)
    }
    return { fields, roots, depth }
  }

  #sizeOfFragment(name: string): Size {
    const cached = this.#sizes.get(name)
    if (cached !== undefined) return cached
    const fragment = this.#fragments.get(name)
    // Validation names unknown fragments.
    if (fragment === undefined) return nothing
    if (this.#open.has(name)) throw new GraphQLError(`Cannot spread fragment "${name}" within itself.`)
    this.#open.add(name)
    const size = this.sizeOf(fragment.selectionSet)
    this.#open.delete(name)
    this.#sizes.set(name, size)
    return size
  }
}
