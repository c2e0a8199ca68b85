// One value of a form: the input of its attribute type, tied to the form.

import { Languages } from 'lucide-react'
import { memo, Suspense, useCallback } from 'react'
import { useController } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import type { InputProps } from '../inputs/props.ts'
import { inputOf } from '../inputs/registry.ts'
import type { FormField } from '../model/form-tree.ts'
import type { Attribute } from '../model/types.ts'
import { InputBoundary } from './boundary.tsx'
import { useFaultsBelow, useOwnState } from './context.tsx'
import styles from './form.module.css'
import { Reference } from './reference.tsx'

interface FieldProps {
  readonly field: FormField
  /** The path of the value in the form: `title`, `sections.0.heading`. */
  readonly path: string
}

export const Field = memo(function Field({ field, path }: FieldProps) {
  return isStructure(field.attribute) ? (
    <StructureField field={field} path={path} />
  ) : (
    <ValueField field={field} path={path} />
  )
})

/** Components hold fields, which are tied to the form by themselves. */
const isStructure = ({ type }: Attribute): boolean => type === 'component' || type === 'dynamiczone'

function ValueField({ field, path }: FieldProps) {
  const { control, clearErrors } = useOwnState()
  const { field: controlled, fieldState } = useController({ control, name: path })
  const { onChange } = controlled
  const error = fieldState.error?.message ?? null
  const hasError = error !== null
  const change = useCallback(
    (value: unknown) => {
      onChange(value)
      if (hasError) clearErrors(path)
    },
    [onChange, clearErrors, path, hasError],
  )
  return <FieldInput field={field} path={path} value={controlled.value} onChange={change} error={error} />
}

function StructureField({ field, path }: FieldProps) {
  const { clearErrors, getValues, setValue } = useOwnState()
  const error = useFaultsBelow(path).get('') ?? null
  const change = useCallback(
    (value: unknown) => {
      clearErrors(path)
      setValue(path, value)
    },
    [clearErrors, setValue, path],
  )
  return <FieldInput field={field} path={path} value={getValues(path)} onChange={change} error={error} />
}

function FieldInput({ field, path, ...state }: FieldProps & Pick<InputProps, 'value' | 'onChange' | 'error'>) {
  const { attribute, isDisabled } = field
  const { locale } = useOwnState()
  const Input = inputOf(attribute)
  const props = { ...state, name: path, required: attribute.required, disabled: isDisabled, attribute, locale }
  return (
    <div className={styles.field} data-width={field.width} data-field={path}>
      <InputBoundary input={props}>
        <Suspense fallback={<div className={styles.loading} role="status" aria-label={attribute.label} />}>
          <Input {...props} />
        </Suspense>
      </InputBoundary>
      {field.isShared && <SharedNote />}
      <Reference attribute={attribute} path={path} />
    </div>
  )
}

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
