// Stands where a component was taken away, with the button that brings it back.

import { Undo2, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import styles from './items.module.css'

interface RemovedNoteProps {
  readonly name: string
  readonly onUndo: () => void
  readonly onClose: () => void
}

export function RemovedNote({ name, onUndo, onClose }: RemovedNoteProps) {
  const t = useTranslations('items')
  return (
    <div className={styles.removed}>
      <span>{t('removed', { name })}</span>
      <Button isSmall autoFocus onPress={onUndo}>
        <Undo2 aria-hidden="true" />
        {t('undo')}
      </Button>
      <Button look="quiet" isSmall isIcon aria-label={t('close')} onPress={onClose}>
        <X aria-hidden="true" />
      </Button>
    </div>
  )
}
