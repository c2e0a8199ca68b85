// Which lines count as run.

import t from 'tap'
import { measure } from '../src/coverage/lines.ts'
import { type FunctionRanges, linesIn, unrun } from '../src/coverage/record.ts'

const range = (startOffset: number, endOffset: number, count: number) => ({ startOffset, endOffset, count })
const of = (...ranges: FunctionRanges['ranges'][number][]): FunctionRanges => ({ ranges })

t.test('the innermost range decides', async t => {
  t.same(unrun([of(range(0, 100, 1))]), [])
  t.same(unrun([of(range(0, 100, 1)), of(range(20, 40, 0))]), [[20, 40]])
  t.same(unrun([of(range(0, 100, 1)), of(range(20, 60, 0)), of(range(30, 40, 1))]), [
    [20, 30],
    [40, 60],
  ])
  t.same(unrun([of(range(0, 100, 1), range(10, 20, 0)), of(range(20, 30, 0))]), [[10, 30]], 'neighbours are one')
})

const source = `// A comment.
interface Typed {
  readonly a: string
}
function run(a: Typed) {
  if (a) return 1
  throw new Error('b')
}
`

t.test('lines', async t => {
  const numbers = (notes: number[][]) => measure(source, notes).missed.map(line => line.number)
  t.equal(measure(source, [[]]).lines, 3, 'types, comments and braces are no code')
  t.same(numbers([]), [5, 6, 7], 'it was not loaded')
  t.same(numbers([[]]), [])
  t.same(
    numbers([
      [6, 7],
      [5, 6],
    ]),
    [6],
    'what one process missed, another may have run',
  )
})

t.test('measured lines are lines of the source', async t => {
  const at = source.indexOf('return 1')
  t.same(linesIn(source, [[at, at + 8]]), [6])
  t.same(
    linesIn(source, [[at, at + 8]], line => line + 3),
    [8],
    'as its source map says',
  )
  t.same(
    linesIn(source, [[at, at + 8]], () => null),
    [],
    'what the compiler added has none',
  )
})

t.test('each line with a word in a part that did not run, once', async t => {
  const parts = [...source.matchAll(/readonly|\breturn|1$|\n {2}throw|'b'\)\n}/gm)].map(
    ({ 0: text, index }) => [index, index + text.length] as const,
  )
  t.equal(parts.length, 5)
  t.same(linesIn(source, parts), [3, 6, 7])
  t.same(linesIn(source, [[source.indexOf('eadonly'), source.indexOf(' a: string')]]), [], 'half a word')
  t.same(linesIn(source, [[0, source.length]]), [1, 2, 3, 5, 6, 7])
})
