// The components of a zone, or of a repeatable component, in the form: adds, moves and removes them. What is in them stays
// with them, and so do the faults of the server.

import { useCallback, useMemo, useRef } from 'react'
import { useFieldArray } from 'react-hook-form'
import { alignKeys, type KeyedItem, marksOf, withMoved } from '../model/item-keys.ts'
import { useDerivedValue, useOwnState } from './context.tsx'

type Values = Readonly<Record<string, unknown>>

/** A component that was taken out, so that it can be put back. */
export interface RemovedItem {
  readonly index: number
  readonly component: string
  readonly values: Values
}

/** Changes a list. The functions stay the same as long as the list is at the same path. */
export interface ItemChanges {
  /** Returns the key of the new item. */
  readonly insert: (index: number, component: string, values: Values) => string
  readonly move: (from: number, to: number) => void
  readonly remove: (index: number) => RemovedItem
}

let lastKey = 0
const newKey = (): string => `item-${++lastKey}`

/** The items at a path. `component` is the uid of all of them; null in a zone. */
export function useItems(path: string, component: string | null): readonly [readonly KeyedItem[], ItemChanges] {
  const { control, getErrors, getValues, clearErrors, setError } = useOwnState()
  const array = useFieldArray({ control, name: path as never, keyName: '_key' })
  // Renders this again when the list was changed from elsewhere, such as by a save.
  useDerivedValue(path, values => marksOf(values, component).map(one => `${one.component} ${String(one.id)}`))
  const items = useRef<readonly KeyedItem[]>([])
  items.current = alignKeys(items.current, marksOf(getValues(path), component), newKey)

  const { insert, move, remove } = array
  /** A fault of the list itself would keep those of its items from moving along, and is out of date anyway. */
  const dropOwnFault = useCallback(() => {
    const errors = getErrors(path) as object | undefined
    if (errors === undefined || Array.isArray(errors)) return
    clearErrors(path)
    for (const [name, error] of Object.entries(errors))
      if (/^\d+$/.test(name)) setError(`${path}.${name}`, error as never)
  }, [path, getErrors, clearErrors, setError])
  const changes = useMemo(
    () => ({
      insert: (index: number, uid: string, values: Values) => {
        dropOwnFault()
        const key = newKey()
        items.current = items.current.toSpliced(index, 0, { key, component: uid, id: values.id })
        insert(index, values as never, { shouldFocus: false })
        return key
      },
      move: (from: number, to: number) => {
        dropOwnFault()
        items.current = withMoved(items.current, from, to)
        move(from, to)
      },
      remove: (index: number) => {
        dropOwnFault()
        const { component: uid } = items.current[index]!
        const removed = { index, component: uid, values: getValues(`${path}.${index}`) as unknown as Values }
        items.current = items.current.toSpliced(index, 1)
        remove(index)
        return removed
      },
    }),
    [path, dropOwnFault, insert, move, remove, getValues],
  )
  return [items.current, changes]
}
