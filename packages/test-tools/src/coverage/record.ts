// Preloaded into every process of a measured test run (`node --import`): records which functions and branches of the
// packages' sources ran, and writes that at exit. Independent of tests and of the use of the notes.

import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { findSourceMap } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/** Lines of a source, from 1, of which some code did not run, by the URL of the source. */
export type Notes = Readonly<Record<string, readonly number[]>>

/** Counts of one function as V8 reports them: its own range first, then those of its branches. */
export interface FunctionRanges {
  readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[]
}

const sources = /\/packages\/[^/]+\/src\/(?!.*\.test\.ts$)/

/** The ranges that did not run. Ranges are nested, and the innermost one decides. */
export function unrun(functions: readonly FunctionRanges[]): [start: number, end: number][] {
  const ranges = functions.flatMap(one => one.ranges)
  // An outer range comes before inner ones; of two that begin at the same offset, the longer one is the outer.
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const unrunRanges: [number, number][] = []
  const open: typeof ranges = []
  let at = 0
  const reach = (offset: number) => {
    const inner = open.at(-1)
    const last = unrunRanges.at(-1)
    if (inner?.count === 0 && offset > at) {
      if (last !== undefined && last[1] === at) last[1] = offset
      else unrunRanges.push([at, offset])
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
  return unrunRanges
}

/** Maps a line and a column of the executed code, both from 0, to a line of the source; null if there is none. */
export type Locate = (line: number, column: number) => number | null

/**
 * The lines of the source with a word in one of the ranges of `code`, which are in order and do not overlap. Without
 * `locate`, the lines of the code are those of the source. Every process of a test run does this at its end for all
 * sources it loaded, so each character is looked at once at most.
 */
export function linesIn(
  code: string,
  parts: readonly (readonly [start: number, end: number])[],
  locate?: Locate,
): number[] {
  const lines = new Set<number>()
  const word = /\b\w/g
  let line = 0
  let start = 0
  let next = endOf(code, 0)
  for (const [from, to] of parts) {
    word.lastIndex = from
    while (true) {
      const at = word.exec(code)?.index ?? to
      if (at >= to) break
      while (at >= next) {
        line++
        start = next
        next = endOf(code, next)
      }
      const number = locate === undefined ? line + 1 : locate(line, at - start)
      if (number !== null) lines.add(number)
      if (locate === undefined) word.lastIndex = next
    }
  }
  return [...lines]
}

/** The offset at which the line behind the one with `from` begins. */
function endOf(code: string, from: number): number {
  const end = code.indexOf('\n', from)
  return end === -1 ? Number.POSITIVE_INFINITY : end + 1
}

/** Code that tap compiles has a source map; code whose types Node strips has the lines of its source. */
function locator(url: string): Locate | undefined {
  const map = findSourceMap(fileURLToPath(url))
  if (map === undefined) return undefined
  return (line, column) => {
    const entry = map.findEntry(line, column)
    return 'originalLine' in entry ? entry.originalLine + 1 : null
  }
}

const folder = process.env.PLINTH_COVERAGE
// The test runner itself is not recorded.
const isTool = /\/(?:node_modules|\.bin)\//.test(process.argv[1] ?? '')
if (folder !== undefined && isMainThread && !isTool) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  // Records whether code ran, not how often, so that V8 can still optimize it.
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  process.once('exit', () => {
    session.post('Profiler.takePreciseCoverage', (error, coverage) => {
      if (error !== null) throw error
      const notes: Record<string, readonly number[]> = {}
      session.post('Debugger.enable')
      for (const { url, scriptId, functions } of coverage.result.filter(one => sources.test(one.url))) {
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
