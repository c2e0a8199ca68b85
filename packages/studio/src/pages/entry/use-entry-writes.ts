// Writes an entry: saves what has changed, publishes, withdraws and deletes it, and ties what the server refuses to the
// fields.

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import { createOne, deleteOne, translateOne, updateOne } from '../../api/entries.ts'
import { isApiError } from '../../api/errors.ts'
import { enqueue } from '../../api/write-queue.ts'
import { useErrorText } from '../../app/error-text.ts'
import { useModel } from '../../app/model-context.tsx'
import type { FormValues } from '../../form/context.tsx'
import { focusField } from '../../form/focus-field.ts'
import { isTaken } from '../../model/build.ts'
import { changedValues } from '../../model/changes.ts'
import type { Fault } from '../../model/faults.ts'
import { firstValues } from '../../model/first-values.ts'
import { populateForForm } from '../../model/populate.ts'
import type { ContentType, Entry } from '../../model/types.ts'
import { writtenChanges, writtenValues } from '../../model/written.ts'
import { toast } from '../../ui/toasts.tsx'

interface WriteParts {
  readonly type: ContentType
  readonly entry: Entry | null
  readonly locale: string | null
  /** The values as they were read. */
  readonly values: FormValues
  readonly form: UseFormReturn<FormValues>
  readonly localFaults: ReadonlyMap<string, string>
  /** The id of the entry of which the new one becomes a translation; null if it becomes none. */
  readonly translates: number | null
  readonly onStored: (entry: Entry) => void
}

/** The state in which a save leaves the entry; `as-is` changes nothing of it. */
export type TargetState = 'as-is' | 'draft' | 'published'

export interface EntryWrites {
  readonly save: () => void
  readonly saveAs: (state: TargetState) => void
  readonly remove: () => Promise<boolean>
  readonly isBusy: boolean
  /** Whether there is something that leaving the page would lose. */
  readonly isBlocking: () => boolean
  readonly hasChanges: boolean
  readonly faults: readonly Fault[]
  readonly message: string | null
}

export function useEntryWrites(parts: WriteParts): EntryWrites {
  const { type, entry, locale, values, form, localFaults, translates, onStored } = parts
  const t = useTranslations('entry')
  const errorText = useErrorText()
  const model = useModel()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [message, setMessage] = useState<string | null>(null)
  const isLeaving = useRef(false)
  const hasChanges = useHasChanges(form, values)

  const refuse = (found: readonly Fault[], text: string | null) => {
    setFaults(found)
    setMessage(text)
    for (const fault of found) form.setError(fault.path, { type: 'server', message: fault.message })
    if (found[0] !== undefined) focusField(found[0].path)
  }
  const store = async (state: TargetState) => {
    const stored = await enqueue(() => write(state))
    setFaults([])
    setMessage(null)
    onStored(stored)
    form.reset(firstValues(type, stored))
    void queries.invalidateQueries({ queryKey: ['entries'] })
    void queries.invalidateQueries({ queryKey: ['entry', type.uid], refetchType: 'none' })
    toast(t(state === 'as-is' ? 'saved' : `savedAs.${state}`))
    if (entry === null && type.kind === 'collection') {
      isLeaving.current = true
      await navigate({ to: '/content/$slug/$id', params: { slug: type.slug, id: String(stored.id) }, replace: true })
    }
  }
  const write = (state: TargetState): Promise<Entry> => {
    const now = changedValues(entry === null ? {} : values, form.getValues())
    const data: Record<string, unknown> =
      entry === null
        ? writtenValues(now, type.attributes, model)
        : writtenChanges(now, values, { attributes: type.attributes, model })
    const action = entry === null && type.kind === 'collection' ? 'create' : 'update'
    // A role that may not decide it gets what the server does by itself.
    const mayDecide = isTaken(type.rights, 'publishedAt', action)
    if (state !== 'as-is' && mayDecide) data.publishedAt = state === 'draft' ? null : new Date().toISOString()
    const parameters = { populate: populateForForm(type, model), ...(locale !== null && { locale }) }
    const address = { type, model, id: entry?.id ?? null, parameters }
    if (entry !== null) return updateOne(address, data)
    if (translates !== null) return translateOne(address, translates, { ...data, locale })
    return createOne(address, { ...data, ...(locale !== null && type.kind === 'collection' && { locale }) })
  }
  const saveAs = async (state: TargetState) => {
    if (isBusy || (state === 'as-is' && entry !== null && !hasChanges)) return
    if (localFaults.size > 0)
      return refuse(
        [...localFaults].map(([path, text]) => ({ path, message: text })),
        t('localFaults'),
      )
    setBusy(true)
    form.clearErrors()
    try {
      await store(state)
    } catch (error) {
      const found = isApiError(error) ? error.faults : []
      refuse(found, found.length > 0 ? t('refused', { count: found.length }) : errorText(error))
    } finally {
      setBusy(false)
    }
  }
  const remove = async () => {
    setBusy(true)
    try {
      await enqueue(() => deleteOne({ type, model, id: entry!.id, parameters: locale === null ? {} : { locale } }))
      isLeaving.current = true
      void queries.invalidateQueries({ queryKey: ['entries'] })
      toast(t('deleted'))
      return true
    } catch (error) {
      refuse([], errorText(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  /** A new entry of a type with drafts begins as a draft. */
  const usualState: TargetState = entry === null && type.hasDrafts ? 'draft' : 'as-is'
  return {
    save: () => void saveAs(usualState),
    saveAs: state => void saveAs(state),
    remove,
    isBusy,
    isBlocking: () => !isLeaving.current && Object.keys(changedValues(values, form.getValues())).length > 0,
    hasChanges,
    faults,
    message,
  }
}

/** Follows whether the values differ from those that were read. A key that changes nothing of it renders nothing. */
function useHasChanges({ subscribe, getValues }: UseFormReturn<FormValues>, values: FormValues): boolean {
  const [hasChanges, setHasChanges] = useState(false)
  useEffect(() => {
    const compare = () => setHasChanges(Object.keys(changedValues(values, getValues())).length > 0)
    compare()
    return subscribe({ formState: { values: true }, callback: compare })
  }, [subscribe, getValues, values])
  return hasChanges
}
