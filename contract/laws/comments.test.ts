/**
 * Law: comments of the packages do not open with a question word. A comment states a fact: "True if …", "Returns
 * whether …", or a noun phrase.
 */

import t from 'tap'
import { filesOf } from './imports.ts'

/** Matches the openings of comments with a question word. A line that continues a comment is not an opening. */
const question = /(?<![^\s{])(\/\*\*?|\/\/)\s*(?:\*\s+)?(?:What|Whether|How|Where|Why|Which|Who|Whose)\b/g
/** Matches a line that is a comment alone. */
const lineComment = /^\s*\/\//

/** Returns the lines of a text, counted from 1, in which a comment opens with a question word. */
function questionsIn(text: string): number[] {
  const lines = text.split('\n')
  return [...text.matchAll(question)].flatMap(({ index, 1: mark }) => {
    const line = text.slice(0, index).split('\n').length
    const isContinued = mark === '//' && lineComment.test(lines[line - 1]!) && lineComment.test(lines[line - 2] ?? '')
    return isContinued ? [] : [line]
  })
}

t.test('what counts', async t => {
  const text = `/** What it holds. */
const a = 1 // Why it is one.
/**
 * Whether it is open.
 * How it opens is not said.
 */
// The places,
// Where lines go on.
const c = [
  // How it counts.
]
/** Returns whether it is open. What follows is read. */
const b = 'https://What.example' /* Whose it is. */
/** However it ends. */
`
  t.same(questionsIn(text), [1, 2, 3, 10, 13])
})

t.test('no comment opens with a question word', async t => {
  const sources = await filesOf(['packages/*/src/**/*.{ts,tsx}'])
  t.ok(sources.length > 500, `${sources.length} files`)
  t.same(
    sources.flatMap(({ path, text }) => questionsIn(text).map(line => `${path}:${line}`)),
    [],
  )
})
