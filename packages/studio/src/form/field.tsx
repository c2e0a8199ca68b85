// One value of a form: the input of its attribute type, tied to the form.

import { Languages } from 'lucide-react'
import { memo, Suspense, useCallback } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import { inputOf } from '../inputs/registry.ts'
import type { FormField } from '../model/form-tree.ts'
import { InputBoundary } from './boundary.tsx'
import { useFormSubject } from './context.tsx'
import styles from './form.module.css'
import { Reference } from './reference.tsx'

interface FieldProps {
  readonly field: FormField
  /** Where the value is in the form: `title`, `sections.0.heading`. */
  readonly path: string
}

export const Field = memo(function Field({ field, path }: FieldProps) {
  const { attribute, isDisabled } = field
  const { locale } = useFormSubject()
  const { clearErrors } = useFormContext()
  const { field: controlled, fieldState } = useController({ name: path })
  const { onChange } = controlled
  const change = useCallback(
    (value: unknown) => {
      onChange(value)
      clearErrors(path)
    },
    [onChange, clearErrors, path],
  )
  const Input = inputOf(attribute)
  const props = {
    name: path,
    value: controlled.value,
    onChange: change,
    error: fieldState.error?.message ?? null,
    required: attribute.required,
    disabled: isDisabled,
    attribute,
    locale,
  }
  return (
    <div className={styles.field} data-width={field.width} data-field={path}>
      <InputBoundary input={props}>
        <Suspense fallback={<div className={styles.loading} />}>
          <Input {...props} />
        </Suspense>
      </InputBoundary>
      {field.isShared && <SharedNote />}
      <Reference attribute={attribute} path={path} />
    </div>
  )
})

/** Says that a change is one of all translations. */
function SharedNote() {
  const t = useTranslations('languages')
  return (
    <p className={styles.shared}>
      <Languages aria-hidden="true" />
      {t('shared')}
    </p>
  )
}
