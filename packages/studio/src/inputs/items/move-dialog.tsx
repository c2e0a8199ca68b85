// The dialog that asks before which component of the list another one shall stand.

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { KeyedItem } from '../../model/item-keys.ts'
import type { Component } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { useItemName } from './item-name.tsx'

interface MoveDialogProps {
  readonly items: readonly KeyedItem[]
  readonly componentOf: (item: KeyedItem) => Component | undefined
  /** The text of the component at an index. */
  readonly titleAt: (index: number) => string | null
  /** The index of the component that is moved. */
  readonly from: number
  readonly onMove: (to: number) => void
  readonly onClose: () => void
}

export function MoveDialog({ items, componentOf, titleAt, from, onMove, onClose }: MoveDialogProps) {
  const t = useTranslations('items')
  const nameOf = useItemName()
  const [chosen, setChosen] = useState(String(from))
  const choices = items.map((item, index) => {
    const name = nameOf(index, componentOf(item))
    const title = titleAt(index)
    const text = title === null ? name : `${name}: ${title}`
    return { value: String(index), label: index === from ? t('here', { name: text }) : text }
  })
  return (
    <Dialog
      title={t('moveTitle', { name: nameOf(from, componentOf(items[from]!)) })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button look="primary" isDisabled={chosen === String(from)} onPress={() => onMove(Number(chosen))}>
            {t('move')}
          </Button>
        </>
      }
    >
      <Select label={t('place')} choices={choices} value={chosen} onChange={setChosen} />
    </Dialog>
  )
}
