// Blocks: what was not edited stays the very value that was read, and what was edited is what the API takes.

import { createEditor, Editor, Transforms } from 'slate'
import { withHistory } from 'slate-history'
import t from 'tap'
import {
  indentItem,
  insertImages,
  liftItem,
  removeLink,
  setLines,
  setLink,
  toggleList,
  toggleMark,
} from '../../src/inputs/blocks/commands.ts'
import { type BlockNode, type Originals, readBlocks, writeBlocks } from '../../src/inputs/blocks/nodes.ts'
import { withBlocks } from '../../src/inputs/blocks/rules.ts'

const text = (value: string, marks = {}) => ({ type: 'text', text: value, ...marks })
const paragraph = (...children: unknown[]) => ({ type: 'paragraph', children })
const item = (value: string) => ({ type: 'list-item', children: [text(value)] })
const list = (format: string, ...children: unknown[]) => ({ type: 'list', format, children })

/** An editor of blocks with the cursor at a point, and what it would store. */
function open(blocks: readonly unknown[], path: readonly number[] = [0, 0], offset = 0, end = offset) {
  const originals: Originals = new WeakMap()
  const editor = withBlocks(withHistory(createEditor()))
  editor.children = readBlocks(blocks, originals)
  Transforms.select(editor, { anchor: { path: [...path], offset }, focus: { path: [...path], offset: end } })
  return { editor, stored: () => writeBlocks(editor.children as BlockNode[], originals) }
}

/** Blocks that are valid though no editor writes them, and some that no editor knows. */
const unusual = [
  paragraph(),
  paragraph(text('a', { own: 1 }), text('a'), text('')),
  paragraph({ type: 'link', url: 'javascript:x', rel: 'me', children: [] }),
  list('ordered', list('unordered', item('deep'), { type: 'list-item', children: [], own: true })),
  list('unordered'),
  { type: 'image', image: { url: 'https://a.example/a.png', alternativeText: null } },
  { type: 'image', image: { url: '/a.png' }, children: [text('')], caption: 'own' },
  { type: 'heading', level: 3, children: [{ text: 'no type' }], id: 'x' },
  { type: 'heading', level: 9, children: [text('level')] },
  { type: 'table', rows: [[1, 2]] },
  { type: 'code', language: 'ts', children: [text('a\r\nb  ')] },
  { type: 'paragraph', children: [{ type: 'mention', user: 7 }] },
  'text',
  null,
]

t.test('what is not edited stays', async t => {
  const before = JSON.stringify(unusual)
  const blocks = JSON.parse(before) as unknown[]
  const { editor, stored } = open([...blocks, paragraph(text('last'))], [blocks.length, 0])
  t.equal(JSON.stringify(stored()), JSON.stringify([...blocks, paragraph(text('last'))]))
  editor.insertText('the ')
  const after = stored()!
  t.same(after.at(-1), paragraph(text('the last')))
  t.equal(JSON.stringify(after.slice(0, -1)), before, 'byte for byte')
  t.ok(
    after.slice(0, -1).every((block, index) => block === blocks[index]),
    'they are the same values',
  )
  editor.undo()
  t.equal(JSON.stringify(stored()), JSON.stringify([...blocks, paragraph(text('last'))]))
})

t.test('an empty document is none', async t => {
  t.equal(open([]).stored(), null)
  const empty = [paragraph()]
  t.same(open(empty).stored(), empty)
  const { editor, stored } = open([paragraph(text('a'))], [0, 0], 1)
  editor.deleteBackward('character')
  t.equal(stored(), null)
})

t.test('links', async t => {
  const { editor, stored } = open([paragraph(text('a link'))], [0, 0], 2, 6)
  setLink(editor, { url: 'https://a.example', text: 'link', at: editor.selection! })
  const link = { type: 'link', url: 'https://a.example', children: [text('link')] }
  t.same(stored(), [paragraph(text('a '), link, text(''))], 'each text beside it has a type')
  setLink(editor, { url: '/b', text: 'other', at: { path: [0, 1, 0], offset: 2 } })
  t.same(stored(), [paragraph(text('a '), { type: 'link', url: '/b', children: [text('other')] }, text(''))])
  removeLink(editor)
  t.same(stored(), [paragraph(text('a other'))])

  const alone = open([paragraph(text(''))])
  setLink(alone.editor, { url: '/b', text: '', at: alone.editor.selection! })
  t.same(alone.stored(), [paragraph(text(''), { type: 'link', url: '/b', children: [text('/b')] }, text(''))])
})

t.test('marks and kinds', async t => {
  const { editor, stored } = open([paragraph(text('one two'))], [0, 0], 4, 7)
  toggleMark(editor, 'bold')
  t.same(stored(), [paragraph(text('one '), text('two', { bold: true }))])
  toggleMark(editor, 'bold')
  setLines(editor, { type: 'heading', level: 2 })
  t.same(stored(), [{ type: 'heading', level: 2, children: [text('one two')] }])
  setLines(editor, { type: 'quote' })
  t.same(stored(), [{ type: 'quote', children: [text('one two')] }])
  toggleList(editor, 'ordered')
  t.same(stored(), [list('ordered', item('one two'))])
  toggleList(editor, 'unordered')
  t.same(stored(), [list('unordered', item('one two'))])
  toggleList(editor, 'unordered')
  t.same(stored(), [paragraph(text('one two'))])
})

t.test('lists', async t => {
  const { editor, stored } = open([list('unordered', item('a'), item('b'), item('c'))], [0, 1, 0], 1)
  const nested = (...children: unknown[]) => ({ ...list('unordered', ...children), indentLevel: 1 })
  indentItem(editor)
  t.same(stored(), [list('unordered', item('a'), nested(item('b')), item('c'))])
  editor.insertBreak()
  editor.insertText('d')
  t.same(stored(), [list('unordered', item('a'), nested(item('b'), item('d')), item('c'))])
  liftItem(editor)
  t.same(stored(), [list('unordered', item('a'), nested(item('b')), item('d'), item('c'))])
  indentItem(editor)
  t.same(
    stored(),
    [list('unordered', item('a'), nested(item('b'), item('d')), item('c'))],
    'it joins the list before it',
  )
  Transforms.select(editor, Editor.end(editor, []))
  editor.insertBreak()
  editor.insertBreak()
  t.same(stored()!.at(-1), paragraph(text('')), 'Enter in an empty item leaves the list')
  Transforms.select(editor, Editor.start(editor, []))
  editor.deleteBackward('character')
  t.same(stored()![0], paragraph(text('a')), 'Backspace at the begin of an item makes a paragraph')
})

t.test('Enter', async t => {
  const heading = open([{ type: 'heading', level: 1, children: [text('A')] }], [0, 0], 1)
  heading.editor.insertBreak()
  t.same(heading.stored()![1], paragraph(text('')))
  const code = open([{ type: 'code', children: [text('a')] }], [0, 0], 1)
  code.editor.insertBreak()
  t.same(code.stored(), [{ type: 'code', children: [text('a\n')] }])
  code.editor.insertBreak()
  t.same(code.stored(), [{ type: 'code', children: [text('a')] }, paragraph(text(''))])
  const image = open([{ type: 'image', image: { url: '/a' }, children: [text('')] }])
  image.editor.insertBreak()
  t.same(image.stored()![1], paragraph(text('')))
})

t.test('images', async t => {
  const file = { id: 1, name: 'a.png', url: '/uploads/a.png' }
  const { editor, stored } = open([paragraph(text(''))])
  insertImages(editor, [file])
  t.same(stored(), [{ type: 'image', image: file, children: [text('')] }, paragraph(text(''))])
})
