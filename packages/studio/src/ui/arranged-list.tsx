// A list whose order people decide: by dragging, by keys and by buttons. Rows contain no inputs, in which keys could not be
// typed.

import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button as AriaButton, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import styles from './arranged-list.module.css'
import { Button } from './button.tsx'

/** A row of the list. */
export interface ArrangedItem {
  readonly key: string
  /** The accessible name. */
  readonly text: string
  readonly content: ReactNode
  /** Buttons before those of the list. */
  readonly actions?: ReactNode
}

interface ListProps {
  readonly label: string
  readonly items: readonly ArrangedItem[]
  /** Called with the keys in their new order; a key that is missing was removed. */
  readonly onChange: (keys: readonly string[]) => void
  readonly isDisabled?: boolean
}

export function ArrangedList({ label, items, onChange, isDisabled = false }: ListProps) {
  const t = useTranslations('arrange')
  const keys = items.map(({ key }) => key)
  const isArranged = !isDisabled && items.length > 1
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: dragged => [...dragged].map(key => ({ 'text/plain': items.find(one => one.key === key)?.text ?? '' })),
    onReorder: ({ keys: moved, target }) => onChange(reorder(keys, [...moved].map(String), target as Target)),
  })
  return (
    // The list cannot begin or cease to be one whose rows are dragged.
    <GridList
      key={String(isDisabled)}
      aria-label={label}
      className={styles.list!}
      items={items.map(item => ({ ...item, id: item.key }))}
      dependencies={[items, isArranged, isDisabled]}
      {...(!isDisabled && { dragAndDropHooks })}
      keyboardNavigationBehavior="tab"
    >
      {item => {
        const index = keys.indexOf(item.key)
        return (
          <GridListItem id={item.key} textValue={item.text} className={styles.item!}>
            {!isDisabled && (
              <AriaButton
                slot="drag"
                className={styles.grip!}
                isDisabled={!isArranged}
                aria-label={t('drag', { name: item.text })}
              >
                <GripVertical aria-hidden="true" />
              </AriaButton>
            )}
            <div className={styles.content}>{item.content}</div>
            <div className={styles.actions}>
              {item.actions}
              {isArranged && (
                <>
                  <Button
                    look="quiet"
                    isSmall
                    isIcon
                    aria-label={t('up', { name: item.text })}
                    isDisabled={index === 0}
                    onPress={() => onChange(swapped(keys, index, index - 1))}
                  >
                    <ArrowUp aria-hidden="true" />
                  </Button>
                  <Button
                    look="quiet"
                    isSmall
                    isIcon
                    aria-label={t('down', { name: item.text })}
                    isDisabled={index === keys.length - 1}
                    onPress={() => onChange(swapped(keys, index, index + 1))}
                  >
                    <ArrowDown aria-hidden="true" />
                  </Button>
                </>
              )}
              {!isDisabled && (
                <Button
                  look="quiet"
                  isSmall
                  isIcon
                  aria-label={t('remove', { name: item.text })}
                  onPress={() => onChange(keys.filter(key => key !== item.key))}
                >
                  <X aria-hidden="true" />
                </Button>
              )}
            </div>
          </GridListItem>
        )
      }}
    </GridList>
  )
}

interface Target {
  readonly key: string
  readonly dropPosition: 'before' | 'after' | 'on'
}

/** The keys with some of them before or behind another one. */
function reorder(keys: readonly string[], moved: readonly string[], { key, dropPosition }: Target): readonly string[] {
  const rest = keys.filter(one => !moved.includes(one))
  const place = rest.indexOf(key) + (dropPosition === 'before' ? 0 : 1)
  return rest.toSpliced(place, 0, ...keys.filter(one => moved.includes(one)))
}

function swapped(keys: readonly string[], from: number, to: number): readonly string[] {
  return keys.with(from, keys[to]!).with(to, keys[from]!)
}
