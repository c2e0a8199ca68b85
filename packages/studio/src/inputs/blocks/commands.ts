// The commands of the buttons and keys of the blocks editor.

import { Editor, Element, type Location, Node, Path, Range, Transforms } from 'slate'
import {
  type BlockNode,
  type ImageNode,
  type LinkNode,
  type ListFormat,
  type ListNode,
  type MarkName,
  makeParagraph,
  makeText,
} from './nodes.ts'

/** A kind of block of text. */
export type Lines =
  | { readonly type: 'paragraph' | 'quote' | 'code' }
  | { readonly type: 'heading'; readonly level: number }

const isOf =
  (...types: readonly string[]) =>
  (node: Node) =>
    Element.isElement(node) && types.includes(node.type)

export function toggleMark(editor: Editor, mark: MarkName): void {
  if (isMarked(editor, mark)) Editor.removeMark(editor, mark)
  else Editor.addMark(editor, mark, true)
}

export const isMarked = (editor: Editor, mark: MarkName): boolean => Editor.marks(editor)?.[mark] === true

/** The kind of the block at the cursor, such as `paragraph`, `heading2` or `list`; null where there is none. */
export function kindAt(editor: Editor): string | null {
  const [block] =
    editor.selection === null ? [] : (nearest(editor, 'heading', 'paragraph', 'quote', 'code', 'list') ?? [])
  if (block === undefined) return null
  return block.type === 'heading' ? `heading${block.level}` : block.type
}

function nearest(editor: Editor, ...types: readonly string[]) {
  return Editor.above<BlockNode>(editor, { match: isOf(...types), mode: 'lowest' })
}

/** Makes blocks of a kind of what is selected. */
export function setLines(editor: Editor, lines: Lines): void {
  Editor.withoutNormalizing(editor, () => {
    leaveLists(editor)
    const match = isOf('paragraph', 'heading', 'quote', 'code', 'list-item')
    Transforms.unsetNodes(editor, ['level', 'language'] as never, { match })
    Transforms.setNodes(editor, lines, { match })
  })
}

function leaveLists(editor: Editor): void {
  while (nearest(editor, 'list') !== undefined) Transforms.unwrapNodes(editor, { match: isOf('list'), split: true })
}

/** The format of the list at the cursor; null outside of lists. */
export function listFormatAt(editor: Editor): ListFormat | null {
  const [list] = editor.selection === null ? [] : (nearest(editor, 'list') ?? [])
  return (list as ListNode | undefined)?.format ?? null
}

/** Makes a list of what is selected, changes its format, or makes paragraphs of a list that has the format. */
export function toggleList(editor: Editor, format: ListFormat): void {
  const listEntry = nearest(editor, 'list')
  if (listEntry === undefined) makeList(editor, format)
  else if ((listEntry[0] as ListNode).format === format) setLines(editor, { type: 'paragraph' })
  else Transforms.setNodes(editor, { format }, { at: listEntry[1] })
}

function makeList(editor: Editor, format: ListFormat): void {
  const match = isOf('paragraph', 'heading', 'quote', 'code')
  Editor.withoutNormalizing(editor, () => {
    Transforms.unsetNodes(editor, ['level', 'language'] as never, { match })
    Transforms.setNodes(editor, { type: 'list-item' }, { match })
    Transforms.wrapNodes(editor, { type: 'list', format, children: [] }, { match: isOf('list-item') })
  })
}

function itemAt(editor: Editor) {
  return editor.selection === null ? undefined : Editor.above(editor, { match: isOf('list-item'), mode: 'lowest' })
}

/** Returns whether the item at the cursor can be indented. The first item of a list cannot: no item is before it. */
export const canIndent = (editor: Editor): boolean => (itemAt(editor)?.[1].at(-1) ?? 0) > 0

/** Puts the item at the cursor into a list below the item before it. */
export function indentItem(editor: Editor): void {
  const itemEntry = itemAt(editor)
  if (itemEntry === undefined || !canIndent(editor)) return
  const [, path] = itemEntry
  const list = Node.parent(editor, path) as ListNode
  const before = Node.get(editor, Path.previous(path))
  Editor.withoutNormalizing(editor, () => {
    const indentLevel = (list.indentLevel ?? 0) + 1
    if (Element.isElement(before) && before.type === 'list')
      Transforms.moveNodes(editor, { at: path, to: [...Path.previous(path), before.children.length] })
    else Transforms.wrapNodes(editor, { type: 'list', format: list.format, indentLevel, children: [] }, { at: path })
  })
}

/** Takes the item at the cursor a level up, or out of the list. */
export function liftItem(editor: Editor): void {
  const itemEntry = itemAt(editor)
  if (itemEntry === undefined) return
  // If it is not in a list then, it becomes a paragraph.
  Transforms.liftNodes(editor, { at: itemEntry[1] })
}

export function linkAt(editor: Editor): LinkNode | null {
  const linkEntry = editor.selection === null ? undefined : Editor.above<LinkNode>(editor, { match: isOf('link') })
  return linkEntry?.[0] ?? null
}

export const selectedText = (editor: Editor): string =>
  editor.selection === null ? '' : Editor.string(editor, editor.selection)

/** Links what is selected, or a text that it adds. At a link, changes it. */
export function setLink(editor: Editor, { url, text, at }: { url: string; text: string; at: Location }): void {
  Transforms.select(editor, at)
  Editor.withoutNormalizing(editor, () => {
    const linkEntry = Editor.above<LinkNode>(editor, { match: isOf('link') })
    if (linkEntry !== undefined) {
      const [link, path] = linkEntry
      Transforms.setNodes(editor, { url }, { at: path })
      if (text !== '' && text !== Node.string(link))
        Transforms.insertText(editor, text, { at: Editor.range(editor, path) })
      return
    }
    Transforms.unwrapNodes(editor, { match: isOf('link'), split: true })
    const { selection } = editor
    if (selection !== null && Range.isExpanded(selection) && selectedText(editor) === text)
      Transforms.wrapNodes(editor, { type: 'link', url, children: [] }, { split: true })
    else Transforms.insertNodes(editor, { type: 'link', url, children: [makeText(text || url)] }, { select: true })
  })
  if (Range.isExpanded(editor.selection!)) Transforms.collapse(editor, { edge: 'end' })
}

export const removeLink = (editor: Editor): void => Transforms.unwrapNodes(editor, { match: isOf('link') })

/** Puts images below the block at the cursor, or at the end. */
export function insertImages(editor: Editor, files: readonly Readonly<Record<string, unknown>>[]): void {
  const images: ImageNode[] = files.map(image => ({ type: 'image', image, children: [makeText()] }))
  insertBlocks(editor, images)
}

/** Puts blocks below the top block at the cursor, which goes if it is an empty paragraph, and the cursor behind them. */
export function insertBlocks(editor: Editor, blocks: readonly BlockNode[]): void {
  const index = editor.selection?.focus.path[0] ?? editor.children.length - 1
  const current = editor.children[index] as BlockNode
  const isEmpty = current.type === 'paragraph' && Node.string(current) === ''
  Editor.withoutNormalizing(editor, () => {
    Transforms.insertNodes(editor, blocks as BlockNode[], { at: [index + 1] })
    if (isEmpty) Transforms.removeNodes(editor, { at: [index] })
    const last = index + blocks.length - (isEmpty ? 1 : 0)
    // Below an image there must be a place to write.
    if (editor.isVoid(editor.children[last] as BlockNode) && editor.children.length === last + 1)
      Transforms.insertNodes(editor, makeParagraph(), { at: [last + 1] })
    Transforms.select(editor, Editor.end(editor, [last]))
  })
}
