// Holds the conflict of a form: what somebody else has stored since the form was read, and what the user decides.

import { type RefObject, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import { useModel } from '../../../app/model-context.tsx'
import type { FormValues } from '../../../form/context.tsx'
import type { FoundDraft } from '../../../form/kept-drafts.ts'
import { changedValues } from '../../../model/changes.ts'
import { cloned } from '../../../model/cloned.ts'
import { type Conflict, type ConflictCause, changedConflict, isInvisible } from '../../../model/conflict.ts'
import { withKnownIds } from '../../../model/known-ids.ts'
import { type Choices, mergedValues, mergeOf } from '../../../model/merge.ts'
import type { ContentType, VersionedEntry } from '../../../model/types.ts'
import { toast } from '../../../ui/toasts.tsx'
import { readStored, type TargetState, type WritePlace } from '../write-entry.ts'

interface ConflictParts {
  readonly type: ContentType
  readonly form: UseFormReturn<FormValues>
  /** The entry and its values as the form has read them. */
  readonly latest: RefObject<{ readonly stored: VersionedEntry | null; readonly values: FormValues }>
  readonly place: () => WritePlace
  /** Lets the form begin with another entry, and fills it. */
  readonly rebase: (stored: VersionedEntry | null, filled: FormValues) => void
  readonly save: (state: TargetState, isForced: boolean) => void
  /** Called before a kept draft replaces what is in the form. */
  readonly onRestore: () => Promise<void>
}

export interface ConflictTools {
  /** Null if there is none. */
  readonly current: Conflict | null
  /** True if the conflict is shown instead of the form. */
  readonly isShown: boolean
  readonly show: () => void
  /** Goes back to the form. The conflict stays open, unless it was about a kept draft. */
  readonly hide: () => void
  /** Puts the choices into the form, on top of what is stored now, and saves them. */
  readonly settle: (choices: Choices) => void
  /** All values of the form. */
  readonly values: () => FormValues
  /** Makes a new entry of what is in the form, after the entry was deleted. */
  readonly makeAgain: () => void
  /**
   * Compares the form with what is stored after a refused write. True if nothing that the form shows was changed, so that the
   * write can be sent again.
   */
  readonly meet: (cause: ConflictCause) => Promise<boolean>
  /** Puts a kept draft into the form, after its user has decided what both have changed. */
  readonly restore: (draft: FoundDraft) => void
}

export function useConflict({ type, form, latest, place, rebase, save, onRestore }: ConflictParts): ConflictTools {
  const t = useTranslations('conflict')
  const model = useModel()
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [isShown, setShown] = useState(false)
  const open = (next: Conflict) => {
    setConflict(next)
    setShown(true)
  }
  const close = () => {
    setConflict(null)
    setShown(false)
  }
  const typed = () => cloned(changedValues(latest.current.values, form.getValues()))
  const meet = async (cause: ConflictCause): Promise<boolean> => {
    const theirs = await readStored(place())
    if (theirs === null) {
      open({ kind: 'deleted' })
      return false
    }
    const { stored, values } = latest.current
    const mine = typed()
    const publishedAt = stored === null ? undefined : stored.entry.publishedAt
    const newConflict = changedConflict({ type, model, cause, base: values, mine, theirs, publishedAt })
    if (!isInvisible(newConflict)) {
      open(newConflict)
      return false
    }
    rebase(theirs, mergedValues(newConflict.merge, { mine, theirs: newConflict.theirValues }, {}, model))
    return true
  }
  /** Compares again, because more may have been typed since. */
  const show = () => {
    setShown(true)
    if (conflict?.kind !== 'changed' || conflict.cause === 'kept') return
    const mine = typed()
    setConflict({
      ...conflict,
      mine,
      merge: mergeOf(type.attributes, { ...conflict, mine, theirs: conflict.theirValues }, model),
    })
  }
  const settle = async (choices: Choices) => {
    if (conflict?.kind !== 'changed') return
    const { cause, merge, theirs, theirValues } = conflict
    const filled = mergedValues(merge, { mine: conflict.mine, theirs: theirValues }, choices, model)
    if (cause === 'kept') await onRestore()
    rebase(theirs, filled)
    close()
    if (Object.keys(changedValues(theirValues, filled)).length > 0) save('as-is', true)
    else toast(t('loaded'))
  }
  const makeAgain = () => {
    const values = cloned(form.getValues())
    const filled = type.attributes.map(one => [one.name, withKnownIds(values[one.name], null, one, model)] as const)
    rebase(null, Object.fromEntries(filled))
    close()
    save(type.hasDrafts ? 'draft' : 'as-is', true)
  }
  const restore = async ({ key, base, mine }: FoundDraft) => {
    const { stored, values } = latest.current
    const isNewer = stored !== null && key.version !== stored.version
    const merge = mergeOf(type.attributes, { base: isNewer ? base : values, mine, theirs: values }, model)
    if (isNewer && merge.conflicts.length > 0)
      return open(changedConflict({ type, model, cause: 'kept', base, mine, theirs: stored }))
    await onRestore()
    form.reset(mergedValues(merge, { mine, theirs: values }, {}, model))
  }
  return {
    current: conflict,
    isShown,
    show,
    hide: () => {
      if (conflict?.kind === 'changed' && conflict.cause === 'kept') close()
      else setShown(false)
    },
    values: () => form.getValues(),
    settle: choices => void settle(choices),
    makeAgain,
    meet,
    restore: draft => void restore(draft),
  }
}
