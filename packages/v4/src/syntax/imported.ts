// Finds the files that a program imports, in any form. Knows no folder.

import { type Call, type Node, nameOf, walk } from './tree.ts'

/** The relative sources of `import`, `export … from`, `require()` and `import()`. */
export function importedBy(program: readonly Node[]): readonly string[] {
  const sources: string[] = []
  walk(program, node => {
    const { source, expression } = node as Node & { readonly source?: Node | null; readonly expression?: Node }
    const isDeclaration = /^(?:Import|Export(?:Named|All))Declaration$|^ImportExpression$/.test(node.type)
    const isRequired = node.type === 'TSExternalModuleReference'
    const specifier = isDeclaration
      ? source
      : isRequired
        ? expression
        : node.type === 'CallExpression'
          ? calledFor(node)
          : null
    const text = specifier ? nameOf(specifier, true) : null
    if (text?.startsWith('.')) sources.push(text)
  })
  return sources
}

/** The argument of `require()` and `import()`; null for other calls. */
function calledFor(node: Node): Node | null {
  const { callee, arguments: values } = node as Call
  const isImport = callee.type === 'Import' || (callee.type === 'Identifier' && callee.name === 'require')
  return isImport ? ((values[0] as Node | undefined) ?? null) : null
}
