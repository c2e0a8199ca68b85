// The outline of a list of components: their names in order, which is changed by dragging or with Alt and the arrow keys.
// It has no inputs, because those do not work in rows that can be dragged.

import { GripVertical, TriangleAlert } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { Button, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { useFaultsBelow } from '../../form/context.tsx'
import { indexAfterDrop, type KeyedItem } from '../../model/item-keys.ts'
import type { Component } from '../../model/types.ts'
import { Glyph } from './glyph.tsx'
import { useItemName, useItemTitle } from './item-name.tsx'
import styles from './outline.module.css'

interface OutlineProps {
  readonly path: string
  readonly label: string
  readonly items: readonly KeyedItem[]
  readonly componentOf: (item: KeyedItem) => Component | undefined
  readonly isDisabled: boolean
  readonly onMove: (from: number, to: number) => void
  /** Goes to the component. */
  readonly onGo: (key: string) => void
}

interface Row {
  readonly id: string
  readonly index: number
  readonly path: string
  readonly component: Component | undefined
}

export function Outline({ path, label, items, componentOf, isDisabled, onMove, onGo }: OutlineProps) {
  const nameOf = useItemName()
  const list = useRef<HTMLDivElement>(null)
  const rows = items.map((item, index) => ({
    id: item.key,
    index,
    path: `${path}.${index}`,
    component: componentOf(item),
  }))
  const indexOf = (key: unknown) => rows.findIndex(({ id }) => id === key)
  const { dragAndDropHooks } = useDragAndDrop<Row>({
    isDisabled,
    getItems: keys => [...keys].map(key => ({ 'text/plain': nameOf(indexOf(key), rows[indexOf(key)]?.component) })),
    onReorder: ({ keys, target }) => {
      const from = indexOf([...keys][0])
      const to = indexAfterDrop(from, indexOf(target.key), target.dropPosition)
      if (from >= 0 && to !== from) onMove(from, to)
    },
  })
  const moveByKey = (event: KeyboardEvent) => {
    const step = event.altKey ? ({ ArrowUp: -1, ArrowDown: 1 } as Record<string, number>)[event.key] : undefined
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-key]')
    if (step === undefined || row === null || isDisabled) return
    event.preventDefault()
    event.stopPropagation()
    const { key } = row.dataset
    const from = indexOf(key)
    const to = from + step
    if (from < 0 || to < 0 || to >= rows.length) return
    onMove(from, to)
    // The row is the same element, which loses the focus where the browser moves it.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus())
  }
  return (
    <div onKeyDownCapture={moveByKey} className={styles.frame}>
      {/* React Aria does not let its hooks come and go in one list. */}
      <GridList
        key={isDisabled ? 'fixed' : 'movable'}
        ref={list}
        className={styles.outline!}
        aria-label={label}
        items={rows}
        {...(!isDisabled && { dragAndDropHooks })}
        onAction={key => onGo(String(key))}
      >
        {row => (
          <GridListItem className={styles.row!} textValue={nameOf(row.index, row.component)}>
            <RowContent row={row} isDisabled={isDisabled} />
          </GridListItem>
        )}
      </GridList>
    </div>
  )
}

function RowContent({ row, isDisabled }: { readonly row: Row; readonly isDisabled: boolean }) {
  const t = useTranslations('items')
  const nameOf = useItemName()
  const title = useItemTitle(row.path, row.component)
  const faults = useFaultsBelow(row.path).size
  return (
    <>
      {!isDisabled && (
        <Button slot="drag" className={styles.grip!} aria-label={t('drag', { name: nameOf(row.index, row.component) })}>
          <GripVertical aria-hidden="true" />
        </Button>
      )}
      <Glyph component={row.component} />
      <span className={styles.names}>
        <span className={styles.name}>{title ?? row.component?.label ?? t('unknown')}</span>
        {title !== null && <span className={styles.kind}>{row.component?.label}</span>}
      </span>
      {faults > 0 && <TriangleAlert className={styles.fault} role="img" aria-label={t('faults', { count: faults })} />}
    </>
  )
}
