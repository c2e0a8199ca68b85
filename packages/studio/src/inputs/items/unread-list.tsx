// Stands for components that are not answered. What would be put in their place would delete them.

import { useTranslations } from 'use-intl'
import fieldStyles from '../../ui/field.module.css'
import { LabelText } from '../../ui/field.tsx'
import type { InputProps } from '../props.ts'
import styles from './items.module.css'

export function UnreadList({ attribute, required }: InputProps) {
  const t = useTranslations('items')
  return (
    <div className={fieldStyles.field}>
      <p className={fieldStyles.label}>
        <LabelText label={attribute.label} required={required} />
      </p>
      <p className={styles.hint}>{t('notAnswered')}</p>
    </div>
  )
}
