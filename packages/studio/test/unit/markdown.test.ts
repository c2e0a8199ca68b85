// What the Markdown editor changes in a text: only what was typed, with the line ends that the text has.

import { EditorSelection, EditorState, type StateCommand } from '@codemirror/state'
import t from 'tap'
import {
  insertImages,
  insertLink,
  toggleBullets,
  toggleCode,
  toggleHeading,
  toggleMark,
  toggleNumbers,
  toggleQuote,
} from '../../src/inputs/markdown/commands.ts'
import { editedText, withPlainEnds } from '../../src/inputs/markdown/line-ends.ts'
import { followedAddress, isShownImage } from '../../src/inputs/text-addresses.ts'

t.test('line ends', async t => {
  const stored = 'a  \r\n\r\nb\t\r\n'
  t.equal(editedText(stored, withPlainEnds(stored)), stored, 'a text that is the same again is the one that was read')
  t.equal(editedText(stored, 'a  \n\nb\t\nc'), 'a  \r\n\r\nb\t\r\nc')
  t.equal(editedText('a\rb', 'a\nc'), 'a\rc')
  t.equal(editedText('a\nb\nc\r\n', 'a\nb\n'), 'a\nb\n')
  t.equal(editedText('mixed\r\nends\n', withPlainEnds('mixed\r\nends\n')), 'mixed\r\nends\n')
  t.equal(editedText('', ''), '')
  t.equal(editedText(undefined, ''), null)
  t.equal(editedText('a', ''), null, 'a text that was emptied is none')
  t.equal(editedText(null, 'a\n'), 'a\n')
})

/** The text after a command, with what is selected between bars. Bars in the text before say what is selected. */
function after(command: StateCommand, marked: string): string {
  const [before, selected, rest] = marked.split('|') as [string, string?, string?]
  const range = EditorSelection.range(before.length, before.length + (rest === undefined ? 0 : selected!.length))
  let state = EditorState.create({ doc: marked.replaceAll('|', ''), selection: { anchor: range.from, head: range.to } })
  command({ state, dispatch: transaction => (state = transaction.state) })
  const { from, to } = state.selection.main
  const text = state.sliceDoc()
  return from === to
    ? `${text.slice(0, from)}|${text.slice(from)}`
    : `${text.slice(0, from)}|${text.slice(from, to)}|${text.slice(to)}`
}

t.test('marks', async t => {
  const bold = toggleMark('**')
  const italic = toggleMark('_')
  t.equal(after(bold, 'a |b| c'), 'a **|b|** c')
  t.equal(after(bold, 'a **|b|** c'), 'a |b| c')
  t.equal(after(bold, 'a |**b**| c'), 'a |b| c')
  t.equal(after(italic, 'wo|rd'), '_wo|rd_')
  t.equal(after(italic, '_wo|rd_'), 'wo|rd')
  t.equal(after(bold, 'a |'), 'a **|**')
  t.equal(after(toggleMark('*'), '**|b|**'), '***|b|***', 'two of a sign are not one')
  t.equal(after(toggleCode, 'a |b|'), 'a `|b|`')
  t.equal(after(toggleCode, 'a |b\nc|'), '```\na |b\nc|\n```')
})

t.test('lines', async t => {
  t.equal(after(toggleHeading(2), 'a|b'), '## a|b')
  t.equal(after(toggleHeading(2), '## a|b'), 'a|b')
  t.equal(after(toggleHeading(3), '- a|b'), '### a|b')
  t.equal(after(toggleBullets, '|a\n\nb|'), '- |a\n\n- b|')
  t.equal(after(toggleBullets, '|- a\n- b|'), '|a\nb|')
  t.equal(after(toggleNumbers, '- |a\n  - b|'), '1. |a\n  2. b|')
  t.equal(after(toggleQuote, '|'), '> |')
})

t.test('links and images', async t => {
  t.equal(after(insertLink, 'a |b|'), 'a [b](|https://|)')
  t.equal(after(insertLink, '|https://a.example|'), '[|](https://a.example)')
  t.equal(after(insertLink, '|'), '[|](https://)')
  t.equal(after(insertImages([{ url: '/a (1).png', text: 'A [b]' }]), '|'), '![A \\[b\\]](/a%20%281%29.png)|')
})

t.test('addresses', async t => {
  for (const address of ['https://a.example', '/a', '#b', 'mailto:a@example.com', 'tel:1', 'a b'])
    t.equal(followedAddress(address), address)
  const refused = [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'JAVASCRIPT:x',
    'data:text/html,x',
    'vbscript:x',
    '',
    7,
  ]
  for (const address of refused) t.equal(followedAddress(address), null, String(address))
  const own = 'https://own.example'
  t.ok(isShownImage('/uploads/a.png', [], own))
  t.ok(isShownImage('https://media.example/a.png', ['https://media.example'], own))
  t.notOk(isShownImage('//other.example/a.png', ['https://media.example'], own))
  t.notOk(isShownImage('data:image/svg+xml,x', [], own))
})
