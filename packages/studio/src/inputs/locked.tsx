// Shows a value that cannot be changed here, so that no form is dead: that of a type without an input, and of an input that
// has failed.

import { useId } from 'react'
import { useTranslations } from 'use-intl'
import fieldStyles from '../ui/field.module.css'
import { LabelText } from '../ui/field.tsx'
import styles from './inputs.module.css'
import type { InputProps } from './props.ts'

export function LockedInput({
  value,
  attribute,
  required,
  error,
  hasFailed,
}: InputProps & { readonly hasFailed?: boolean }) {
  const t = useTranslations('input')
  const id = useId()
  return (
    <fieldset className={fieldStyles.field} aria-describedby={id}>
      <legend className={fieldStyles.label}>
        <LabelText label={attribute.label} required={required} />
      </legend>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keys */}
      <section className={styles.locked} tabIndex={0} aria-label={attribute.label}>
        {value === undefined || value === null ? '–' : JSON.stringify(value, null, 2)}
      </section>
      <p id={id} className={hasFailed ? fieldStyles.error : fieldStyles.description}>
        {hasFailed ? t('failed') : t('locked')}
      </p>
      {error && <p className={fieldStyles.error}>{error}</p>}
    </fieldset>
  )
}
