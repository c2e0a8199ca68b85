// Preloaded into every process of a measured test run (`node --import`): notes which functions and branches of the
// packages' sources ran, and writes that at the end. It knows nothing of tests and of what is made of the notes.

import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { findSourceMap } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/** Lines of a source, from 1, with a part that did not run, by the URL of the source. */
export type Notes = Readonly<Record<string, readonly number[]>>

/** Counts of one function as V8 gives them: its own range first, then those of its branches. */
export interface FunctionRanges {
  readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[]
}

const sources = /\/packages\/[^/]+\/src\/(?!.*\.test\.ts$)/

/** The parts without a run. Ranges are nested, and the innermost decides. */
export function unrun(functions: readonly FunctionRanges[]): [start: number, end: number][] {
  const ranges = functions.flatMap(one => one.ranges)
  // An outer range comes before what is inside it; of two that begin together, the longer one is the outer.
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const found: [number, number][] = []
  const open: typeof ranges = []
  let at = 0
  const reach = (offset: number) => {
    const inner = open.at(-1)
    const last = found.at(-1)
    if (inner?.count === 0 && offset > at) {
      if (last !== undefined && last[1] === at) last[1] = offset
      else found.push([at, offset])
    }
    at = Math.max(at, offset)
  }
  for (const range of ranges) {
    while (open.length > 0 && open.at(-1)!.endOffset <= range.startOffset) {
      reach(open.at(-1)!.endOffset)
      open.pop()
    }
    reach(range.startOffset)
    open.push(range)
  }
  while (open.length > 0) {
    reach(open.at(-1)!.endOffset)
    open.pop()
  }
  return found
}

/** The line of the source for a line and a column of what ran, both from 0; null where it comes from no line. */
export type Locate = (line: number, column: number) => number | null

/** The lines of the source with a word in one of the parts of `code`. */
export function linesIn(
  code: string,
  parts: readonly (readonly [start: number, end: number])[],
  locate: Locate,
): number[] {
  const found = new Set<number>()
  let start = 0
  for (const [i, line] of code.split('\n').entries()) {
    for (const { index } of line.matchAll(/\b\w/g)) {
      const at = start + index
      const number = parts.some(([from, to]) => from <= at && at < to) ? locate(i, index) : null
      if (number !== null) found.add(number)
    }
    start += line.length + 1
  }
  return [...found]
}

/** What tap compiles has a source map; what Node strips of its types has the lines of its source. */
function locator(url: string): Locate {
  const map = findSourceMap(fileURLToPath(url))
  if (map === undefined) return line => line + 1
  return (line, column) => {
    const entry = map.findEntry(line, column)
    return 'originalLine' in entry ? entry.originalLine + 1 : null
  }
}

const folder = process.env.PLINTH_COVERAGE
// The runner itself has nothing to note.
const isTool = /\/(?:node_modules|\.bin)\//.test(process.argv[1] ?? '')
if (folder !== undefined && isMainThread && !isTool) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  // Whether, and not how often: V8 may then optimize what has run.
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  process.once('exit', () => {
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error
      const notes: Record<string, readonly number[]> = {}
      session.post('Debugger.enable')
      for (const { url, scriptId, functions } of taken.result.filter(one => sources.test(one.url))) {
        session.post('Debugger.getScriptSource', { scriptId }, (error, { scriptSource }) => {
          if (error !== null) throw error
          notes[url] = linesIn(scriptSource, unrun(functions), locator(url))
        })
      }
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${process.pid}-${Date.now()}.json`), JSON.stringify(notes satisfies Notes))
    })
  })
}
