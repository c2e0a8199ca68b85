// Turns what is pasted into blocks. HTML is parsed into a document in which no script runs and nothing is loaded, and only
// what blocks can hold is taken from it.

import { Editor, Transforms } from 'slate'
import { followedAddress } from '../text-addresses.ts'
import { insertBlocks } from './commands.ts'
import {
  type BlockNode,
  type LinkNode,
  type ListNode,
  type MarkName,
  makeText,
  readBlock,
  type TextNode,
} from './nodes.ts'

/** Takes text, HTML and blocks of other editors from the clipboard. */
export function withPaste(editor: Editor): Editor {
  const { insertTextData } = editor
  editor.insertData = data => {
    const blocks = isInCode(editor) ? [] : (blocksOfEditor(data) ?? blocksOfHtml(data.getData('text/html')))
    if (blocks.length > 0) return insertParsed(editor, blocks)
    if (isInCode(editor)) return editor.insertText(data.getData('text/plain').replace(/\r\n?/g, '\n'))
    insertTextData(data)
  }
  return editor
}

const isInCode = (editor: Editor) =>
  Editor.above(editor, { match: node => (node as BlockNode).type === 'code' }) !== undefined

/** One paragraph continues that at the cursor. */
function insertParsed(editor: Editor, blocks: readonly BlockNode[]): void {
  const [first] = blocks
  if (editor.selection === null) Transforms.select(editor, Editor.end(editor, []))
  if (blocks.length === 1 && first!.type === 'paragraph') Transforms.insertFragment(editor, first!.children)
  else insertBlocks(editor, blocks)
}

/** The blocks that an editor of blocks has copied; null if there are none. Another page may have written them. */
function blocksOfEditor(data: DataTransfer): readonly BlockNode[] | null {
  const encoded = data.getData('application/x-slate-fragment')
  if (encoded === '') return null
  try {
    const blocks: unknown = JSON.parse(decodeURIComponent(atob(encoded)))
    const read = Array.isArray(blocks) ? blocks.map(block => readBlock(block)) : [null]
    return read.some(block => block === null || !hasSafeLinks(block)) ? null : (read as BlockNode[])
  } catch {
    return null
  }
}

const hasSafeLinks = (node: unknown): boolean => {
  const { type, url, children } = node as { type?: unknown; url?: unknown; children?: readonly unknown[] }
  return (type !== 'link' || followedAddress(url) !== null) && (children ?? []).every(hasSafeLinks)
}

const marksByTag: Readonly<Record<string, MarkName>> = {
  B: 'bold',
  STRONG: 'bold',
  I: 'italic',
  EM: 'italic',
  U: 'underline',
  S: 'strikethrough',
  DEL: 'strikethrough',
  STRIKE: 'strikethrough',
  CODE: 'code',
}

const ignored = /^(?:SCRIPT|STYLE|TEMPLATE|HEAD|TITLE|META|LINK|NOSCRIPT|IFRAME|OBJECT|SVG|MATH|SELECT|BUTTON)$/

type Marks = { readonly [Name in MarkName]?: true }
type Inline = TextNode | LinkNode

/** The blocks in a text of HTML. */
export function blocksOfHtml(html: string): readonly BlockNode[] {
  if (html === '') return []
  return blocksIn(new DOMParser().parseFromString(withoutPolicyFaults(html), 'text/html').body)
}

/**
 * Renames the attributes that the policy of the page refuses. It is the policy of the parsed document too, so each of them
 * would be reported, although nothing of that document runs or is shown.
 */
const withoutPolicyFaults = (html: string) =>
  html.replace(/<[a-z][^>]*>/gi, tag => tag.replace(/([\s"'/])(on[a-z]+|style)(?=\s*=)/gi, '$1data-$2'))

function blocksIn(parent: Node): readonly BlockNode[] {
  const blocks: BlockNode[] = []
  let open: Inline[] = []
  const close = () => {
    const children = trimmed(open)
    if (children.length > 0) blocks.push({ type: 'paragraph', children })
    open = []
  }
  for (const child of parent.childNodes) {
    const block = blockOf(child)
    if (block === null) {
      open.push(...inlinesOf(child, {}))
      continue
    }
    close()
    blocks.push(...block)
  }
  close()
  return blocks
}

/** The blocks of an element; null for a part of a line. */
function blockOf(node: Node): readonly BlockNode[] | null {
  if (!isElement(node)) return null
  const tag = node.tagName.toUpperCase()
  const lines = () => trimmed(inlinesIn(node, {}))
  const level = /^H([1-6])$/.exec(tag)?.[1]
  if (level !== undefined)
    return whereFilled(lines(), children => ({ type: 'heading', level: Number(level), children }))
  if (tag === 'BLOCKQUOTE') return whereFilled(lines(), children => ({ type: 'quote', children }))
  if (tag === 'PRE') {
    const text = node.textContent.replace(/\n$/, '')
    return text === '' ? [] : [{ type: 'code', children: [makeText(text)] }]
  }
  if (tag === 'UL' || tag === 'OL') return [listOf(node, 0)].filter(list => list.children.length > 0)
  if (/^(?:P|DT|DD|TR|FIGCAPTION)$/.test(tag))
    return whereFilled(lines(), children => ({ type: 'paragraph', children }))
  const hasBlocks = /^(?:DIV|SECTION|ARTICLE|MAIN|HEADER|FOOTER|ASIDE|NAV|TABLE|TBODY|THEAD|FIGURE|DL|BODY|FORM)$/
  // Some programs put a whole text into an element for marks.
  return hasBlocks.test(tag) || node.querySelector('p, div, ul, ol, h1, h2, h3, pre, blockquote') !== null
    ? blocksIn(node)
    : null
}

function whereFilled(children: Inline[], make: (children: Inline[]) => BlockNode): readonly BlockNode[] {
  return children.length === 0 ? [] : [make(children)]
}

function listOf(element: Element, indentLevel: number): ListNode {
  const format = element.tagName.toUpperCase() === 'OL' ? 'ordered' : 'unordered'
  const children = [...element.children].flatMap((child): ListNode['children'] => {
    const nested = isList(child) ? [child] : [...child.children].filter(isList)
    const inlines = isList(child)
      ? []
      : trimmed([...child.childNodes].flatMap(one => (isElement(one) && isList(one) ? [] : inlinesOf(one, {}))))
    return [
      ...(inlines.length === 0 ? [] : [{ type: 'list-item' as const, children: inlines }]),
      ...nested.map(list => listOf(list, indentLevel + 1)).filter(list => list.children.length > 0),
    ]
  })
  return { type: 'list', format, ...(indentLevel > 0 && { indentLevel }), children }
}

const isElement = (node: Node): node is Element => node.nodeType === 1
const isList = (element: Element) => /^(?:ul|ol)$/i.test(element.tagName)

const inlinesIn = (node: Node, marks: Marks): Inline[] => [...node.childNodes].flatMap(child => inlinesOf(child, marks))

function inlinesOf(node: Node, marks: Marks): Inline[] {
  if (node.nodeType === 3) return [{ ...makeText(node.textContent!.replace(/[\t\n\r ]+/g, ' ')), ...marks }]
  if (!isElement(node)) return []
  const tag = node.tagName.toUpperCase()
  if (ignored.test(tag)) return []
  if (tag === 'BR') return [{ ...makeText('\n'), ...marks }]
  const url = tag === 'A' ? followedAddress(node.getAttribute('href')) : null
  const mark = marksByTag[tag]
  const inner = inlinesIn(node, mark === undefined || isPlain(node) ? marks : { ...marks, [mark]: true })
  const texts = inner.filter(one => one.type === 'text')
  return url === null || texts.length === 0 ? inner : [{ type: 'link', url, children: texts }]
}

/** Google's documents wrap everything into an element for bold text that is not bold. */
const isPlain = (element: Element) => /font-weight:\s*(?:normal|400)/.test(element.getAttribute('data-style') ?? '')

/** Without blanks at the begin and the end, and without texts that are empty. */
function trimmed(inlines: readonly Inline[]): Inline[] {
  const nodes = inlines.filter(one => one.type === 'link' || one.text !== '')
  const trimEnd = (index: number, pattern: RegExp) => {
    const node = nodes.at(index)
    if (node?.type === 'text') nodes.splice(index, 1, { ...node, text: node.text.replace(pattern, '') })
  }
  trimEnd(0, /^\s+/)
  trimEnd(-1, /\s+$/)
  return nodes.filter(one => one.type === 'link' || one.text !== '')
}
