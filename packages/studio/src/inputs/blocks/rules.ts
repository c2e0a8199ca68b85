// The rules of documents of blocks: which nodes hold what, and what Enter and Backspace do. Slate applies them to what was
// edited only, so a stored block that breaks a rule stays as it is until somebody edits it.

import { Editor, Element, Node, type NodeEntry, Path, Range, Text, Transforms } from 'slate'
import { liftItem, setLines } from './commands.ts'
import { type ElementNode, makeParagraph } from './nodes.ts'

/** Teaches an editor the nodes of blocks. */
export function withBlocks(editor: Editor): Editor {
  const { isInline, isVoid, normalizeNode, insertBreak, deleteBackward } = editor
  editor.isInline = node => node.type === 'link' || isInline(node)
  editor.isVoid = node => node.type === 'image' || node.type === 'kept' || isVoid(node)
  editor.normalizeNode = (entry, options) => {
    if (!repair(editor, entry)) normalizeNode(entry, options)
  }
  editor.insertSoftBreak = () => editor.insertText('\n')
  editor.insertBreak = () => {
    if (!breakSpecially(editor)) insertBreak()
  }
  editor.deleteBackward = unit => {
    if (!becomeParagraph(editor)) deleteBackward(unit)
  }
  return editor
}

/** Repairs one fault of a node; false if it has none. Slate then looks at the node again. */
function repair(editor: Editor, [node, path]: NodeEntry): boolean {
  if (Editor.isEditor(node)) {
    if (node.children.length > 0) return false
    Transforms.insertNodes(editor, makeParagraph(), { at: [0] })
    return true
  }
  if (Text.isText(node)) {
    // Slate puts texts without a type beside a link, which the API refuses.
    if (node.type === 'text') return false
    Transforms.setNodes(editor, { type: 'text' }, { at: path })
    return true
  }
  return Element.isElement(node) && repairElement(editor, node, path)
}

function repairElement(editor: Editor, node: ElementNode, path: Path): boolean {
  switch (node.type) {
    case 'link':
      if (Node.string(node) !== '') return false
      Transforms.removeNodes(editor, { at: path })
      return true
    case 'list':
      return repairChildren(editor, path, child => {
        const isItem = Element.isElement(child.node) && /^list(?:-item)?$/.test(child.node.type)
        if (isItem) return false
        if (Element.isElement(child.node) && !editor.isInline(child.node))
          Transforms.setNodes(editor, { type: 'list-item' }, { at: child.path })
        else Transforms.wrapNodes(editor, { type: 'list-item', children: [] }, { at: child.path })
        return true
      })
    case 'image':
    case 'kept':
      return false
    default: {
      const parent = Node.parent(editor, path)
      if (node.type === 'list-item' && !(Element.isElement(parent) && parent.type === 'list')) {
        Transforms.setNodes(editor, { type: 'paragraph' }, { at: path })
        return true
      }
      return repairChildren(editor, path, child => {
        if (!Element.isElement(child.node) || editor.isInline(child.node)) return false
        if (editor.isVoid(child.node)) Transforms.liftNodes(editor, { at: child.path })
        else Transforms.unwrapNodes(editor, { at: child.path })
        return true
      })
    }
  }
}

/** Calls the function for each child until it has repaired one. */
function repairChildren(
  editor: Editor,
  path: Path,
  repairChild: (child: { node: Node; path: Path }) => boolean,
): boolean {
  for (const [node, childPath] of Node.children(editor, path)) if (repairChild({ node, path: childPath })) return true
  return false
}

/** The block of text in which the cursor is; null where there is none or a range is selected. */
function blockAtCursor(editor: Editor): { readonly node: ElementNode; readonly path: Path } | null {
  const { selection } = editor
  if (selection === null || !Range.isCollapsed(selection)) return null
  const block = Editor.above(editor, { match: node => Element.isElement(node) && Editor.isBlock(editor, node) })
  return block === undefined ? null : { node: block[0] as ElementNode, path: block[1] }
}

/** Enter, where it does not just begin another block of the same kind. */
function breakSpecially(editor: Editor): boolean {
  const block = blockAtCursor(editor)
  if (block === null) return false
  const { node, path } = block
  const text = Node.string(node)
  const { focus } = editor.selection!
  const isAtEnd = Editor.isEnd(editor, focus, path)
  const addParagraph = () => Transforms.insertNodes(editor, makeParagraph(), { at: Path.next(path), select: true })
  switch (node.type) {
    case 'image':
    case 'kept':
      addParagraph()
      return true
    case 'heading':
      if (!isAtEnd) return false
      addParagraph()
      return true
    case 'quote':
    case 'code':
      // An empty line at the end leaves the block.
      if (isAtEnd && text.endsWith('\n')) {
        Transforms.delete(editor, { distance: 1, unit: 'character', reverse: true })
        addParagraph()
      } else editor.insertText('\n')
      return true
    case 'list-item':
      if (text !== '') return false
      liftItem(editor)
      return true
    default:
      return false
  }
}

/** Backspace at the begin of a heading, a quote, code or an item of a list makes a paragraph of it. */
function becomeParagraph(editor: Editor): boolean {
  const block = blockAtCursor(editor)
  if (block === null || !Editor.isStart(editor, editor.selection!.anchor, block.path)) return false
  switch (block.node.type) {
    case 'heading':
    case 'quote':
    case 'code':
      setLines(editor, { type: 'paragraph' })
      return true
    case 'list-item':
      liftItem(editor)
      return true
    default:
      return false
  }
}
