// Gives the keys to a part of a component once the list has changed: the browser takes them away from what is moved.

import { useEffect, useRef } from 'react'
import { focusField } from '../../form/focus-field.ts'

/** The part of a card: its first field, or the button with this `data-action`. */
export type CardPart = 'field' | 'fold' | 'up' | 'down' | 'menu'

/** Returns what says where the keys go when the next rendering is done. */
export function useNextFocus(): (key: string, part: CardPart) => void {
  const next = useRef<readonly [key: string, part: CardPart] | null>(null)
  useEffect(() => {
    if (next.current === null) return
    focusPart(...next.current)
    next.current = null
  })
  return (key, part) => {
    next.current = [key, part]
  }
}

/** A button that cannot be pressed any more hands the keys to the one that folds the card. */
function focusPart(key: string, part: CardPart): void {
  const card = document.querySelector<HTMLElement>(`[data-item="${key}"]`)
  if (card === null) return
  const first = card.querySelector<HTMLElement>('[data-field]')
  if (part === 'field' && first !== null) {
    focusField(first.dataset.field!)
    return
  }
  const target =
    card.querySelector<HTMLElement>(`[data-action="${part}"]:not(:disabled)`) ??
    card.querySelector<HTMLElement>('[data-action="fold"]')
  target?.focus()
  target?.parentElement?.scrollIntoView({ block: 'nearest' })
}
