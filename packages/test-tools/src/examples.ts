// Reads the examples of a document. Knows neither which documents there are nor what their examples mean.

/** An example: a block between fences. */
export interface Example {
  readonly language: string
  readonly code: string
  /** The line of the fence, counted from 1. */
  readonly line: number
  /** The file that it shows: named behind the fence (`file=src/index.ts`), in its first line (`// config/plugins.ts`), or by itself in the line before the example. */
  readonly path: string | null
}

/** Returns the examples of a document, in order. Those within lists are indented, and are read as well. */
export function examplesIn(document: string): Example[] {
  const examples: Example[] = []
  const lines = document.split('\n')
  for (let start = 0; start < lines.length; start++) {
    const [, indent, fence, language, file] = /^( *)(`{3,})(\w*)(?: file=(\S+))?$/.exec(lines[start]!) ?? []
    if (indent === undefined) continue
    const end = lines.indexOf(`${indent}${fence}`, start + 1)
    if (end < 0) throw new Error(`line ${start + 1}: the example has no end`)
    const code = lines.slice(start + 1, end).map(line => line.slice(indent.length))
    const [, inside] = /^\/\/ (\S+\.\w+)$/.exec(code[0] ?? '') ?? []
    const before = lines.slice(0, start).findLast(line => line !== '')
    const [, above] = /^`(\S+\.\w+)`$/.exec(before ?? '') ?? []
    examples.push({
      language: language!,
      code: code.join('\n'),
      line: start + 1,
      path: file ?? inside ?? above ?? null,
    })
    start = end
  }
  return examples
}
