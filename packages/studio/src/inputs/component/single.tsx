// The input for one component: its fields, or the button that adds it.

import { Plus, Trash2, Undo2 } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { useModel } from '../../app/model-context.tsx'
import { useDerivedValue, useFormReader, useStoredVersion } from '../../form/context.tsx'
import { focusField } from '../../form/focus-field.ts'
import { FormRows } from '../../form/rows.tsx'
import { copyComponent } from '../../model/copied.ts'
import { emptyValues } from '../../model/first-values.ts'
import { formOfComponent } from '../../model/form-tree.ts'
import type { Component } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import fieldStyles from '../../ui/field.module.css'
import { LabelText } from '../../ui/field.tsx'
import styles from '../items/items.module.css'
import type { InputProps } from '../props.ts'

type Values = Readonly<Record<string, unknown>>

interface SingleProps {
  readonly input: InputProps
  readonly component: Component
}

export function SingleComponent({ input, component }: SingleProps) {
  const { name: path, attribute, required, disabled, error } = input
  const t = useTranslations('items')
  const label = useId()
  const isThere = useDerivedValue(path, value => value !== null && value !== undefined)
  const rows = useMemo(() => formOfComponent(component, disabled), [component, disabled])
  const { add, remove, undo } = useSingle(input, component)
  return (
    <fieldset className={styles.list} aria-labelledby={label}>
      <div className={styles.bar}>
        <span id={label} className={fieldStyles.label}>
          <LabelText label={attribute.label} required={required} />
        </span>
        {isThere && !disabled && (
          <Button look="quiet" isSmall isIcon aria-label={t('removeOne', { name: attribute.label })} onPress={remove}>
            <Trash2 aria-hidden="true" />
          </Button>
        )}
      </div>
      {attribute.description && <p className={fieldStyles.description}>{attribute.description}</p>}
      {isThere ? (
        <div className={styles.single}>
          {rows.length === 0 ? (
            <p className={styles.hint}>{t('nothingToFill')}</p>
          ) : (
            <FormRows rows={rows} prefix={`${path}.`} />
          )}
        </div>
      ) : disabled ? (
        <p className={styles.hint}>{t('empty')}</p>
      ) : (
        <div className={styles.empty}>
          <AriaButton className={styles.add!} onPress={add}>
            <Plus aria-hidden="true" />
            {t('addOne', { name: component.label })}
          </AriaButton>
          {undo !== null && (
            <Button isSmall autoFocus onPress={undo}>
              <Undo2 aria-hidden="true" />
              {t('undo')}
            </Button>
          )}
        </div>
      )}
      {error && <p className={fieldStyles.error}>{error}</p>}
    </fieldset>
  )
}

/** Adds the component, takes it away and brings it back. */
function useSingle({ name: path, onChange }: InputProps, component: Component) {
  const model = useModel()
  const read = useFormReader()
  const storedVersion = useStoredVersion()
  const [removed, setRemoved] = useState<{ readonly values: Values; readonly stored: object } | null>(null)
  const isAdded = useRef(false)
  useEffect(() => {
    if (!isAdded.current) return
    isAdded.current = false
    const [first] = component.attributes
    focusField(first === undefined ? path : `${path}.${first.name}`)
  })
  const put = (values: Values) => {
    isAdded.current = true
    setRemoved(null)
    onChange(values)
  }
  return {
    add: () => put(emptyValues(component.attributes, model.components)),
    remove: () => {
      setRemoved({ values: read(path) as Values, stored: storedVersion() })
      onChange(null)
    },
    undo:
      removed === null
        ? null
        : () =>
            put(
              removed.stored === storedVersion() ? removed.values : copyComponent(removed.values, component.uid, model),
            ),
  }
}
