// Keeps the components of a list that are unfolded.

import { useState } from 'react'
import type { KeyedItem } from '../../model/item-keys.ts'

interface OpenItems {
  readonly isOpen: (key: string) => boolean
  readonly hasOpen: boolean
  readonly fold: (key: string, isOpen: boolean) => void
  readonly foldAll: (isFolded: boolean) => void
}

/** Lists with more items than `mostAtFirst` begin folded. */
export function useOpenItems(items: readonly KeyedItem[], mostAtFirst: number): OpenItems {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => keysOf(items.length > mostAtFirst ? [] : items))
  return {
    isOpen: key => open.has(key),
    hasOpen: items.some(({ key }) => open.has(key)),
    fold: (key, isOpen) => setOpen(now => (isOpen ? now.union(new Set([key])) : now.difference(new Set([key])))),
    foldAll: isFolded => setOpen(keysOf(isFolded ? [] : items)),
  }
}

const keysOf = (items: readonly KeyedItem[]): ReadonlySet<string> => new Set(items.map(({ key }) => key))
