// The operations on a list of components: adding, moving, removing and restoring.

import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useModel } from '../../app/model-context.tsx'
import { useFormReader, useStoredVersion } from '../../form/context.tsx'
import { focusField } from '../../form/focus-field.ts'
import { type RemovedItem, useItems } from '../../form/use-items.ts'
import { copyComponent } from '../../model/copied.ts'
import { emptyValues } from '../../model/first-values.ts'
import type { KeyedItem } from '../../model/item-keys.ts'
import { itemTitle } from '../../model/item-title.ts'
import type { Attribute, Component } from '../../model/types.ts'
import type { ItemActions } from './card-props.ts'
import { type CardPart, useNextFocus } from './use-next-focus.ts'
import { useOpenItems } from './use-open-items.ts'

interface ListParts {
  readonly path: string
  readonly attribute: Attribute
  readonly components: readonly Component[]
  readonly component: string | null
}

/** A question that is open. */
type OpenDialog = { readonly kind: 'pick'; readonly index: number } | { readonly kind: 'move'; readonly key: string }

/** Zones with more components begin folded. Repeatable components are usually short, and recognised by their titles. */
const mostOpenAtFirst = { zone: 3, repeatable: 1 }

interface Removed extends RemovedItem {
  readonly name: string
  /** Another one than now, if it was saved in between. */
  readonly stored: object
}

/** A list, and what can be done with it. */
export type ItemListState = ReturnType<typeof useItemList>

export function useItemList({ path, attribute, components, component }: ListParts) {
  const t = useTranslations('items')
  const model = useModel()
  const read = useFormReader()
  const storedVersion = useStoredVersion()
  const [items, list] = useItems(path, component)
  const byUid = useMemo(() => new Map(components.map(one => [one.uid, one])), [components])
  const open = useOpenItems(items, mostOpenAtFirst[component === null ? 'zone' : 'repeatable'])
  const focusNext = useNextFocus()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [removed, setRemoved] = useState<Removed | null>(null)
  const [said, setSaid] = useState('')
  const only = components.length === 1 ? components[0]! : null
  const bounds = { min: numberOf(attribute.options.min), max: numberOf(attribute.options.max) }
  const mayAdd = components.length > 0 && (bounds.max === null || items.length < bounds.max)

  const componentOf = useCallback((item: KeyedItem) => byUid.get(item.component), [byUid])
  const put = (index: number, uid: string, values: Readonly<Record<string, unknown>>, part: CardPart) => {
    const key = list.insert(index, uid, component === null ? { ...values, __component: uid } : values)
    open.fold(key, true)
    setDialog(null)
    setRemoved(null)
    focusNext(key, part)
  }
  const add = (index: number, one: Component) =>
    put(index, one.uid, emptyValues(one.attributes, model.components), 'field')
  const indexOf = (key: string) => items.findIndex(one => one.key === key)
  const moveTo = (from: number, to: number) => {
    list.move(from, to)
    setRemoved(null)
    setSaid(t('movedTo', { name: labelAt(from), place: to + 1, count: items.length }))
  }
  const labelAt = (index: number) => byUid.get(items[index]!.component)?.label ?? t('unknown')
  const titleAt = (index: number) => {
    const one = byUid.get(items[index]!.component)
    return one === undefined ? null : itemTitle(one, (read(`${path}.${index}`) ?? {}) as Record<string, unknown>)
  }
  const undo = () => {
    if (removed === null) return
    const { index, component: uid, values, stored } = removed
    const isStored = stored === storedVersion()
    put(index, uid, isStored ? values : copyComponent(values, uid, model), 'fold')
  }
  const current: ItemActions = {
    fold: open.fold,
    move: (key, to, part) => {
      moveTo(indexOf(key), to)
      setDialog(null)
      focusNext(key, part)
    },
    chooseMove: key => setDialog({ kind: 'move', key }),
    insert: index => (only === null ? setDialog({ kind: 'pick', index }) : add(index, only)),
    remove: key => {
      const index = indexOf(key)
      const label = labelAt(index)
      const title = titleAt(index)
      const name = title === null ? label : t('titled', { label, title })
      setRemoved({ ...list.remove(index), name, stored: storedVersion() })
    },
  }
  const changes = useSteady(current)
  return {
    ...open,
    items,
    componentOf,
    titleAt,
    indexOf,
    only,
    bounds,
    mayAdd,
    changes,
    add,
    moveTo,
    undo,
    removed,
    forget: () => {
      setRemoved(null)
      focusField(path)
    },
    said,
    dialog,
    closeDialog: () => setDialog(null),
    go: (key: string) => {
      open.fold(key, true)
      focusNext(key, 'fold')
    },
  }
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** The same functions in each rendering, which call those of the last one: cards render only when something of theirs changes. */
function useSteady(current: ItemActions): ItemActions {
  const last = useRef(current)
  last.current = current
  return useMemo(
    () => ({
      fold: (...given) => last.current.fold(...given),
      move: (...given) => last.current.move(...given),
      chooseMove: (...given) => last.current.chooseMove(...given),
      insert: (...given) => last.current.insert(...given),
      remove: (...given) => last.current.remove(...given),
    }),
    [],
  )
}
