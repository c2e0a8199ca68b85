// One attribute that both have changed: both values beside each other, of which the user chooses one.

import { useId } from 'react'
import { Label, Radio, RadioGroup } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import type { FieldConflict, Side } from '../../../model/merge.ts'
import styles from './conflict.module.css'
import { ItemChangeList } from './item-change-list.tsx'
import { hasText, ValueText } from './value-text.tsx'

interface FieldProps {
  readonly conflict: FieldConflict
  /** Null as long as nothing is chosen. */
  readonly choice: Side | null
  readonly onChoose: (side: Side) => void
}

const isComposed = (type: string): boolean => type === 'component' || type === 'dynamiczone'

export function ConflictField({ conflict, choice, onChoose }: FieldProps) {
  const t = useTranslations('conflict')
  const { attribute, base } = conflict
  return (
    <div className={styles.field}>
      <RadioGroup
        className={styles.choice!}
        value={choice}
        onChange={value => onChoose(value as Side)}
        orientation="horizontal"
      >
        <Label className={styles.label}>{attribute.label}</Label>
        <SideCard conflict={conflict} side="mine" />
        <SideCard conflict={conflict} side="theirs" />
      </RadioGroup>
      {!isComposed(attribute.type) && (
        <details className={styles.before}>
          <summary>{t('before')}</summary>
          <ValueText attribute={attribute} value={base} other={base} />
        </details>
      )}
    </div>
  )
}

function SideCard({ conflict, side }: { readonly conflict: FieldConflict; readonly side: Side }) {
  const t = useTranslations('conflict')
  const id = useId()
  const { attribute, base } = conflict
  const value = conflict[side]
  return (
    <Radio value={side} className={styles.side!} aria-labelledby={`${id}-name`} aria-describedby={`${id}-value`}>
      <span className={styles.sideName} id={`${id}-name`}>
        <span className={styles.dot} aria-hidden="true" />
        {t(side)}
      </span>
      <span className={styles.value} id={`${id}-value`}>
        {isComposed(attribute.type) ? (
          <ItemChangeList attribute={attribute} before={base} after={value} />
        ) : (
          <ValueText attribute={attribute} value={value} other={hasText(attribute) ? base : value} />
        )}
      </span>
    </Radio>
  )
}
