// The nodes of v4's blocks, and how stored blocks become a document of Slate and are stored again. A block that was not
// edited is stored as the very value that was read.

import type { BaseEditor } from 'slate'
import type { HistoryEditor } from 'slate-history'
import type { ReactEditor } from 'slate-react'

export const markNames = ['bold', 'italic', 'underline', 'strikethrough', 'code'] as const
export type MarkName = (typeof markNames)[number]

export type TextNode = { type: 'text'; text: string } & { [Name in MarkName]?: boolean }
export type LinkNode = { type: 'link'; url: string; children: TextNode[] }
type InlineNode = TextNode | LinkNode

export type ListFormat = 'ordered' | 'unordered'
export type ListNode = { type: 'list'; format: ListFormat; indentLevel?: number; children: (ItemNode | ListNode)[] }
export type ItemNode = { type: 'list-item'; children: InlineNode[] }

/** A block of lines of text. */
export type LinesNode =
  | { type: 'paragraph' | 'quote' | 'code'; children: InlineNode[] }
  | { type: 'heading'; level: number; children: InlineNode[] }

export type ImageNode = { type: 'image'; image: Readonly<Record<string, unknown>>; children: TextNode[] }

/** A block that the editor cannot show. It is kept as it is. */
export type KeptNode = { type: 'kept'; value: unknown; children: TextNode[] }

export type BlockNode = LinesNode | ListNode | ImageNode | KeptNode
export type ElementNode = BlockNode | ItemNode | LinkNode

declare module 'slate' {
  interface CustomTypes {
    Editor: BaseEditor & ReactEditor & HistoryEditor
    Element: ElementNode
    Text: TextNode
  }
}

type Stored = Readonly<Record<string, unknown>>

/** Slate tells nodes apart by identity, so each place needs a text of its own. */
export const makeText = (text = ''): TextNode => ({ type: 'text', text })
export const makeParagraph = (): BlockNode => ({ type: 'paragraph', children: [makeText()] })

/** Stored values of nodes that had to be completed for the editor, by the node. */
export type Originals = WeakMap<object, unknown>

/** The document for stored blocks. A block that the editor can show as it is, is the same object. */
export function readBlocks(blocks: readonly unknown[], originals: Originals): BlockNode[] {
  if (blocks.length === 0) return [makeParagraph()]
  return blocks.map(block => {
    const node = readBlock(block) ?? { type: 'kept', value: block, children: [makeText()] }
    if (node !== block) originals.set(node, block)
    return node as BlockNode
  })
}

/** The blocks for a document; null for one in which nothing is. */
export function writeBlocks(document: readonly BlockNode[], originals: Originals): readonly unknown[] | null {
  const [first] = document
  const isEmpty = document.length === 1 && first!.type === 'paragraph' && isBlank(first!) && !originals.has(first!)
  return isEmpty ? null : document.map(node => originals.get(node) ?? (node.type === 'kept' ? node.value : node))
}

const isBlank = ({ children }: LinesNode) => children.every(child => child.type === 'text' && child.text === '')

const linesTypes: readonly unknown[] = ['paragraph', 'quote', 'code', 'heading']

/** The block as the editor takes it; null if it is none that the editor can show. */
export function readBlock(block: unknown): BlockNode | null {
  if (!isRecord(block)) return null
  if (block.type === 'list') return readList(block)
  if (block.type === 'image') {
    const isImage = isRecord(block.image) && typeof block.image.url === 'string'
    return isImage ? (withChildren(block, readTexts(block.children ?? [])) as ImageNode | null) : null
  }
  if (!linesTypes.includes(block.type)) return null
  if (block.type === 'heading' && ![1, 2, 3, 4, 5, 6].includes(block.level as number)) return null
  return withChildren(block, readInlines(block.children)) as LinesNode | null
}

function readList(list: Stored): ListNode | null {
  if (list.format !== 'ordered' && list.format !== 'unordered') return null
  const children = readAll(list.children, child => {
    if (child.type === 'list') return readList(child)
    return child.type === 'list-item' ? withChildren(child, readInlines(child.children)) : null
  })
  const makeItem = () => ({ type: 'list-item', children: [makeText()] })
  return withChildren(list, children !== null && children.length === 0 ? [makeItem()] : children) as ListNode | null
}

const readTexts = (children: unknown) =>
  atLeastOne(
    readAll(children, child => {
      const isText = typeof child.text === 'string' && (child.type === 'text' || child.type === undefined)
      return isText ? child : null
    }),
  )

const readInlines = (children: unknown) =>
  atLeastOne(
    readAll(children, child => {
      if (child.type !== 'link') return readTexts([child])?.[0] ?? null
      return typeof child.url === 'string' ? withChildren(child, readTexts(child.children)) : null
    }),
  )

/** Reads each child with the function; returns null if one cannot be read, and the same list if nothing is changed. */
function readAll(children: unknown, read: (child: Stored) => unknown): readonly unknown[] | null {
  if (!Array.isArray(children)) return null
  const nodes = children.map(child => (isRecord(child) ? read(child) : null))
  if (nodes.includes(null)) return null
  return nodes.every((node, index) => node === children[index]) ? children : nodes
}

/** Slate needs a text in each node. */
const atLeastOne = (children: readonly unknown[] | null) => (children?.length === 0 ? [makeText()] : children)

function withChildren(node: Stored, children: readonly unknown[] | null): unknown {
  if (children === null) return null
  return children === node.children ? node : { ...node, children }
}

const isRecord = (value: unknown): value is Stored =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
