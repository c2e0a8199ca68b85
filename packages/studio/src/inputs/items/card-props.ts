// The properties of a card of a list of components, and the actions that it offers.

import type { Component } from '../../model/types.ts'
import type { CardPart } from './use-next-focus.ts'

/** Actions on the component of a key. The functions never change. */
export interface ItemActions {
  readonly fold: (key: string, isOpen: boolean) => void
  /** Moves it to an index. `part` has the keys afterwards. */
  readonly move: (key: string, to: number, part: CardPart) => void
  readonly chooseMove: (key: string) => void
  readonly insert: (index: number) => void
  readonly remove: (key: string) => void
}

export interface ItemCardProps {
  /** Of the list. */
  readonly path: string
  readonly itemKey: string
  readonly index: number
  readonly count: number
  /** Undefined for one that the list does not take any more. */
  readonly component: Component | undefined
  /** The name of the component in the schema. */
  readonly uid: string
  readonly isOpen: boolean
  readonly isDisabled: boolean
  readonly mayInsert: boolean
  readonly actions: ItemActions
}
