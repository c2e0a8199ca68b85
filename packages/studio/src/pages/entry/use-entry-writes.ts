// Writes an entry: saves what has changed, publishes, withdraws and deletes it, and ties what the server refuses to the
// fields. While a conflict is open, nothing else is written.

import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import { deleteOne } from '../../api/entries.ts'
import { isApiError } from '../../api/errors.ts'
import { enqueue } from '../../api/write-queue.ts'
import { useErrorText } from '../../app/error-text.ts'
import { useModel } from '../../app/model-context.tsx'
import type { FormValues } from '../../form/context.tsx'
import { focusField } from '../../form/focus-field.ts'
import { releaseHeldChanges } from '../../form/held-changes.ts'
import type { KeptDrafts } from '../../form/use-kept-draft.ts'
import { changedValues } from '../../model/changes.ts'
import { cloned } from '../../model/cloned.ts'
import { type Fault, inputPathOf } from '../../model/faults.ts'
import { firstValues } from '../../model/first-values.ts'
import { withKnownIds } from '../../model/known-ids.ts'
import type { ContentType, VersionedEntry } from '../../model/types.ts'
import { toast } from '../../ui/toasts.tsx'
import { type ConflictTools, useConflict } from './conflict/use-conflict.ts'
import { isChangedSince, type TargetState, type WritePlace, writeEntry } from './write-entry.ts'

export interface WriteParts {
  readonly type: ContentType
  /** The entry as it was read or written last; null for a new one. */
  readonly stored: VersionedEntry | null
  readonly locale: string | null
  /** The values as they were read. */
  readonly values: FormValues
  readonly form: UseFormReturn<FormValues>
  readonly localFaults: ReadonlyMap<string, string>
  /** The id of the entry of which the new one becomes a translation; null if it becomes none. */
  readonly translates: number | null
  readonly onStored: (stored: VersionedEntry | null) => void
  readonly drafts: KeptDrafts
}

export interface EntryWrites {
  readonly save: () => void
  readonly saveAs: (state: TargetState) => void
  readonly remove: () => Promise<boolean>
  /** True if no button that writes may be pressed: a write is running, or a conflict is open. */
  readonly isBusy: boolean
  /** True while a write is running. */
  readonly isSending: boolean
  /** Returns whether changes would be lost by leaving the page. */
  readonly isBlocking: () => boolean
  readonly hasChanges: boolean
  readonly faults: readonly Fault[]
  readonly message: string | null
  readonly conflict: ConflictTools
}

/** The most attempts at a write that others overtake without changing anything that the form shows. */
const mostAttempts = 4

export function useEntryWrites(parts: WriteParts): EntryWrites {
  const { type, stored, locale, values, form, localFaults, translates, onStored, drafts } = parts
  const t = useTranslations('entry')
  const errorText = useErrorText()
  const model = useModel()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const isWriting = useRef(false)
  const [isSending, setSending] = useState(false)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [message, setMessage] = useState<string | null>(null)
  const isLeaving = useRef(false)
  const hasChanges = useHasChanges(form, values)
  /** The entry and the values that a write starts from, also a write that follows before the page is rendered again. */
  const latest = useRef({ stored, values })
  latest.current = { stored, values }
  /** Returns whether there are changes, including those that editors still hold. */
  const isChanged = () => {
    releaseHeldChanges()
    return Object.keys(changedValues(latest.current.values, form.getValues())).length > 0
  }

  const place = (): WritePlace => ({ type, model, stored: latest.current.stored, locale, translates })
  const rebase = (next: VersionedEntry | null, filled: FormValues) => {
    latest.current = { stored: next, values: firstValues(type, next?.entry ?? null, model.components) }
    onStored(next)
    form.reset(filled)
  }
  const refuse = (refused: readonly Fault[], text: string | null) => {
    setFaults(refused)
    setMessage(text)
    for (const { path, message } of refused) form.setError(inputPathOf(path), { type: 'server', message })
    if (refused[0] !== undefined) focusField(refused[0].path)
  }
  const conflict = useConflict({
    type,
    form,
    latest,
    place,
    rebase,
    save: (state, isForced) => void write(state, isForced),
    onRestore: drafts.adopt,
  })

  /** Sends the write, and once more if others have changed nothing that the form shows. False if a conflict is open now. */
  const attempt = async (send: () => Promise<void>, cause: 'save' | 'delete'): Promise<boolean> => {
    for (let count = 1; ; count++) {
      try {
        await enqueue(send)
        return true
      } catch (error) {
        if (!isChangedSince(error, latest.current.stored) || count === mostAttempts) throw error
        if (!(await conflict.meet(cause))) return false
      }
    }
  }
  const send = async (state: TargetState) => {
    const sent = cloned(form.getValues())
    const written = await writeEntry({ ...place(), state, values: latest.current.values, now: sent })
    setFaults([])
    setMessage(null)
    void queries.invalidateQueries({ queryKey: ['entries'] })
    void queries.invalidateQueries({ queryKey: ['entry', type.uid], refetchType: 'none' })
    toast(t(state === 'as-is' ? 'saved' : `savedAs.${state}`))
    if (written.isNew) {
      isLeaving.current = true
      drafts.forget()
      const params = { slug: type.slug, id: String(written.entry.id) }
      return navigate({ to: '/content/$slug/$id', params, replace: true })
    }
    // Values that were typed during the write stay, and are not saved.
    const typed = cloned(changedValues(sent, form.getValues()))
    const next = firstValues(type, written.entry)
    for (const attribute of type.attributes)
      if (attribute.name in typed)
        typed[attribute.name] = withKnownIds(typed[attribute.name], next[attribute.name], attribute, model)
    rebase({ entry: written.entry, version: written.version }, { ...next, ...typed })
    if (Object.keys(typed).length === 0) drafts.forget()
  }
  const write = async (state: TargetState, isForced = false) => {
    const hasTyped = isChanged()
    if (isWriting.current || (state === 'as-is' && latest.current.stored !== null && !hasTyped)) return
    if (conflict.current !== null && !isForced) return conflict.show()
    if (localFaults.size > 0)
      return refuse(
        [...localFaults].map(([path, text]) => ({ path, message: text })),
        t('localFaults'),
      )
    isWriting.current = true
    setSending(true)
    form.clearErrors()
    try {
      await attempt(() => send(state), 'save')
    } catch (error) {
      // The panel asks to log in again, over the form.
      if (isApiError(error) && error.status === 401) return refuse([], null)
      const refused = isApiError(error) ? error.faults : []
      refuse(refused, refused.length > 0 ? t('refused', { count: refused.length }) : errorText(error))
    } finally {
      isWriting.current = false
      setSending(false)
    }
  }
  const remove = async () => {
    if (isWriting.current || conflict.current !== null) return false
    isWriting.current = true
    setSending(true)
    try {
      const isDone = await attempt(async () => {
        const { entry, version } = latest.current.stored!
        await deleteOne({ type, model, id: entry.id, parameters: locale === null ? {} : { locale } }, version)
      }, 'delete')
      if (!isDone) return false
      isLeaving.current = true
      drafts.forget()
      void queries.invalidateQueries({ queryKey: ['entries'] })
      toast(t('deleted'))
      return true
    } catch (error) {
      refuse([], errorText(error))
      return false
    } finally {
      isWriting.current = false
      setSending(false)
    }
  }
  /** A new entry of a type with drafts begins as a draft. */
  const usualState: TargetState = stored === null && type.hasDrafts ? 'draft' : 'as-is'
  return {
    save: () => void write(usualState),
    saveAs: state => void write(state),
    remove,
    isBusy: isSending || conflict.current !== null,
    isSending,
    isBlocking: () => !isLeaving.current && isChanged(),
    hasChanges,
    faults,
    message,
    conflict,
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
