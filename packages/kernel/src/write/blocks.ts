// Checks the form of `blocks` values: v4's rich text as a tree of nodes (B-4.26).

import { isRecord } from '../record.ts'

type Node = Record<string, unknown>

const inline = new Set(['text', 'link'])
const leaves = new Set(['text'])

/** Returns the faults of a blocks value; paths are relative to the attribute. */
export function checkBlocks(value: unknown): { path: string[]; message: string }[] {
  if (!Array.isArray(value)) return [{ path: [], message: 'Block node is of invalid type' }]
  const faults: { path: string[]; message: string }[] = []
  for (const [i, node] of value.entries())
    if (!isBlock(node)) faults.push({ path: [String(i)], message: 'Block node is of invalid type' })
  return faults
}

function isBlock(node: unknown): boolean {
  if (!isRecord(node)) return false
  switch (node.type) {
    case 'paragraph':
    case 'quote':
    case 'code':
      return areInline(node.children, inline)
    case 'heading':
      return [1, 2, 3, 4, 5, 6].includes(node.level as number) && areInline(node.children, inline)
    case 'list':
      return isList(node, 0)
    case 'image':
      return isRecord(node.image) && typeof node.image.url === 'string'
    default:
      return false
  }
}

function isList(node: Node, depth: number): boolean {
  if (node.format !== 'ordered' && node.format !== 'unordered') return false
  if (!Array.isArray(node.children) || depth > 20) return false
  return node.children.every(item => {
    if (!isRecord(item)) return false
    return item.type === 'list'
      ? isList(item, depth + 1)
      : item.type === 'list-item' && areInline(item.children, inline)
  })
}

function areInline(children: unknown, allowed: Set<string>): boolean {
  if (!Array.isArray(children)) return false
  return children.every(child => {
    if (!isRecord(child) || !allowed.has(child.type as string)) return false
    if (child.type === 'text') return typeof child.text === 'string'
    return typeof child.url === 'string' && areInline(child.children, leaves)
  })
}
