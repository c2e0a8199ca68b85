// Makes an entry beside the form that will link it.

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import { createOne } from '../../api/entries.ts'
import { isApiError } from '../../api/errors.ts'
import { enqueue } from '../../api/write-queue.ts'
import { useErrorText } from '../../app/error-text.ts'
import { useModel } from '../../app/model-context.tsx'
import { EntryFormProvider, type FormValues } from '../../form/context.tsx'
import { FormRows } from '../../form/rows.tsx'
import { isTaken } from '../../model/build.ts'
import { changedValues } from '../../model/changes.ts'
import { firstValues } from '../../model/first-values.ts'
import { formOf } from '../../model/form-tree.ts'
import { namingFields } from '../../model/relations.ts'
import type { ContentType, Entry, Model } from '../../model/types.ts'
import { writtenValues } from '../../model/written.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { toast } from '../../ui/toasts.tsx'
import styles from './relation.module.css'

interface NewEntryProps {
  readonly type: ContentType
  readonly locale: string | null
  readonly onMade: (entry: Entry) => void
  readonly onClose: () => void
}

export function NewEntry({ type, locale, onMade, onClose }: NewEntryProps) {
  const t = useTranslations('relation')
  const words = useTranslations('words')
  const { components } = useModel()
  const values = useMemo(() => firstValues(type, null, components), [type, components])
  const form = useForm<FormValues>({ defaultValues: values })
  const [localFaults] = useState(() => new Map<string, string>())
  const [isAsking, setAsking] = useState(false)
  const creation = useCreation({ type, locale, form, localFaults, onMade })
  const rows = useMemo(() => formOf(type, 'create'), [type])
  const subject = { type, entryId: null, locale }
  const close = () => (Object.keys(changedValues(values, form.getValues())).length > 0 ? setAsking(true) : onClose())
  const content = useSaveKey(creation.save)
  return (
    <Sheet
      title={t('new', { type: type.label })}
      closeLabel={words('close')}
      isOpen
      isWide
      isKept
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{words('cancel')}</Button>
          <Button look="primary" isDisabled={creation.isBusy} onPress={creation.save}>
            {t(type.hasDrafts ? 'saveDraft' : 'save')}
          </Button>
        </>
      }
    >
      <EntryFormProvider subject={subject} form={form} localFaults={localFaults}>
        <div ref={content} className={styles.newForm}>
          {creation.message !== null && <Notice tone="bad">{creation.message}</Notice>}
          <FormRows rows={rows} />
        </div>
      </EntryFormProvider>
      <DiscardQuestion isOpen={isAsking} onStay={() => setAsking(false)} onDiscard={onClose} />
    </Sheet>
  )
}

interface CreationParts {
  readonly type: ContentType
  readonly locale: string | null
  readonly form: UseFormReturn<FormValues>
  readonly localFaults: ReadonlyMap<string, string>
  readonly onMade: (entry: Entry) => void
}

function useCreation({ type, locale, form, localFaults, onMade }: CreationParts) {
  const t = useTranslations('entry')
  const errorText = useErrorText()
  const model = useModel()
  const queries = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  const save = async () => {
    if (isBusy) return
    if (localFaults.size > 0) {
      for (const [path, text] of localFaults) form.setError(path, { message: text })
      return setMessage(t('localFaults'))
    }
    setBusy(true)
    form.clearErrors()
    try {
      const entry = await enqueue(() => create(form.getValues(), { type, model, locale }))
      void queries.invalidateQueries({ queryKey: ['entries'] })
      toast(t('saved'))
      onMade(entry)
    } catch (error) {
      const faults = isApiError(error) ? error.faults : []
      for (const fault of faults) form.setError(fault.path, { type: 'server', message: fault.message })
      setMessage(faults.length > 0 ? t('refused', { count: faults.length }) : errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return { save: () => void save(), isBusy, message }
}

interface CreationPlace {
  readonly type: ContentType
  readonly model: Model
  readonly locale: string | null
}

/** Makes the entry, as a draft where its type has drafts. What is answered is what names it. */
function create(values: FormValues, { type, model, locale }: CreationPlace): Promise<Entry> {
  const data = {
    ...writtenValues(changedValues({}, values), type.attributes, model),
    ...(type.hasDrafts && isTaken(type.rights, 'publishedAt', 'create') && { publishedAt: null }),
    ...(locale !== null && { locale }),
  }
  return createOne({ type, model, id: null, parameters: { fields: namingFields(type) } }, data)
}

/** Ctrl+S saves the entry that is being made, and not the one behind it. */
function useSaveKey(save: () => void) {
  const content = useRef<HTMLDivElement>(null)
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isInside = content.current?.closest('[role=dialog]')?.contains(event.target as Node) ?? false
      if (!isInside || event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
      if (event.shiftKey || event.altKey) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [])
  return content
}

interface QuestionProps {
  readonly isOpen: boolean
  readonly onStay: () => void
  readonly onDiscard: () => void
}

function DiscardQuestion({ isOpen, onStay, onDiscard }: QuestionProps) {
  const t = useTranslations('relation')
  return (
    <Dialog
      title={t('discardTitle')}
      isOpen={isOpen}
      onClose={onStay}
      isAlert
      actions={
        <>
          <Button look="danger" onPress={onDiscard}>
            {t('discard')}
          </Button>
          <Button look="primary" autoFocus onPress={onStay}>
            {t('stay')}
          </Button>
        </>
      }
    >
      <p>{t('discardText')}</p>
    </Dialog>
  )
}
