// The input for a uid. Where the plugin slugs is there, a value is made of the target, and one that is taken is reported.

import { useQuery } from '@tanstack/react-query'
import { Check, WandSparkles } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { findFreeSlug, generateSlug, type SlugPlace, slugActions } from '../api/slugs.ts'
import { useModel } from '../app/model-context.tsx'
import { useFormSubject, useFormValue } from '../form/context.tsx'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useSettled } from '../ui/use-settled.ts'
import styles from './inputs.module.css'
import { fieldTexts, type InputProps } from './props.ts'

export function UidInput(props: InputProps<string>) {
  const { value, onChange, name } = props
  const generator = useGenerator(props)
  return (
    <div>
      <TextField
        {...fieldTexts(props)}
        isCode
        value={value ?? ''}
        onChange={text => {
          generator.stop()
          onChange(text === '' ? null : text)
        }}
        {...(generator.isPossible && { suffix: <GenerateButton input={props} onPress={generator.generate} /> })}
      />
      {!name.includes('.') && !props.disabled && <Availability input={props} />}
    </div>
  )
}

interface ButtonProps {
  readonly input: InputProps<string>
  readonly onPress: () => void
}

function GenerateButton({ input, onPress }: ButtonProps) {
  const t = useTranslations('uid')
  const { type } = useFormSubject()
  const target = type.attributes.find(({ name }) => name === input.attribute.options.targetField)
  const label = t('generate', { target: target?.label ?? '' })
  return (
    <Button look="quiet" isSmall isIcon aria-label={label} isDisabled={input.disabled} onPress={onPress}>
      <WandSparkles aria-hidden="true" />
    </Button>
  )
}

interface Generator {
  readonly isPossible: boolean
  readonly generate: () => void
  /** Ends the generation that follows the target of a new entry. */
  readonly stop: () => void
}

/** The value of a new entry follows its target until somebody types another one. */
function useGenerator({ value, onChange, name, attribute, disabled }: InputProps<string>): Generator {
  const { type, entryId } = useFormSubject()
  const { actions } = useModel()
  const target = String(attribute.options.targetField ?? '')
  const text = useFormValue(target === '' ? name : target)
  const isPossible = target !== '' && !name.includes('.') && actions.has(slugActions.generate) && !disabled
  const [follows, setFollows] = useState(entryId === null && !value)
  const settled = useSettled(text, 500)
  const latest = useRef(onChange)
  latest.current = onChange
  const generate = async (from: unknown) => {
    const slug = await generateSlug({ uid: type.uid, field: attribute.name }, { [target]: from }).catch(() => null)
    if (slug !== null) latest.current(slug)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another text of the target makes another value
  useEffect(() => {
    if (isPossible && follows && typeof settled === 'string' && settled.trim() !== '') void generate(settled)
  }, [settled, isPossible])
  return { isPossible, generate: () => void generate(text), stop: () => setFollows(false) }
}

/** Says whether a value is free that was changed. */
function Availability({ input }: { readonly input: InputProps<string> }) {
  const t = useTranslations('uid')
  const { type } = useFormSubject()
  const { actions } = useModel()
  const [stored] = useState(input.value ?? null)
  const value = useSettled(input.value ?? null, 400)
  const place: SlugPlace = { uid: type.uid, field: input.attribute.name }
  const { data: free } = useQuery({
    queryKey: ['entries', type.uid, 'uid', input.attribute.name, value],
    queryFn: ({ signal }) => findFreeSlug(place, value!, signal),
    enabled: actions.has(slugActions.check) && value !== null && value !== stored && value === input.value,
    staleTime: 5_000,
  })
  if (free === undefined || value === stored || value !== input.value) return null
  if (free === null)
    return (
      <p className={styles.free} role="status">
        <Check aria-hidden="true" />
        {t('free')}
      </p>
    )
  return (
    <p className={styles.taken} role="status">
      {t('taken')}{' '}
      <Button look="quiet" isSmall onPress={() => input.onChange(free)}>
        {t('take', { value: free })}
      </Button>
    </p>
  )
}
