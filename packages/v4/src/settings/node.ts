// The syntax tree as the interpreter of settings reads it.

/** A node of the syntax tree, with the members of all kinds that are read here. */
export interface Node {
  readonly type: string
  readonly name: string
  readonly value: unknown
  readonly operator: string
  readonly computed: boolean
  readonly id: Node
  readonly init: Node | null
  readonly key: Node
  readonly local: Node
  readonly imported: Node
  readonly exported: Node
  readonly source: Node
  readonly argument: Node | null
  readonly expression: Node
  readonly moduleReference: Node
  readonly declaration: Node | null
  readonly callee: Node
  readonly object: Node
  readonly property: Node
  readonly left: Node
  readonly right: Node
  readonly test: Node
  readonly consequent: Node
  readonly alternate: Node | null
  readonly declarations: readonly Node[]
  readonly specifiers: readonly Node[]
  readonly properties: readonly Node[]
  readonly params: readonly Node[]
  readonly arguments: readonly Node[]
  readonly elements: readonly (Node | null)[]
  readonly expressions: readonly Node[]
  readonly quasis: readonly { readonly value: { readonly cooked: string } }[]
  readonly body: Node | readonly Node[]
}
