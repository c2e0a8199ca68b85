// Keeps what is typed in a form until it is saved, and offers what an earlier form has kept.

import { useEffect, useMemo, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useModel } from '../app/model-context.tsx'
import { changedValues } from '../model/changes.ts'
import { type DraftPlace, isOf, withoutSecrets } from '../model/kept-draft.ts'
import type { ContentType } from '../model/types.ts'
import type { FormValues } from './context.tsx'
import { deleteDraft, type FoundDraft, findDrafts, keepDraft } from './kept-drafts.ts'

/** The milliseconds without a key after which the draft is kept. */
const pause = 300

/** A page without TLS has no `crypto.randomUUID`. */
const newFormId = (): string => [...crypto.getRandomValues(new Uint32Array(3))].map(part => part.toString(36)).join('')

interface KeptParts {
  readonly type: ContentType
  readonly place: DraftPlace
  /** The version of the entry in the form; null for a new one. */
  readonly version: string | null
  /** The values as they were read. */
  readonly values: FormValues
  readonly form: UseFormReturn<FormValues>
}

export interface KeptDrafts {
  /** The draft that an earlier form has kept; null if there is none. */
  readonly offer: FoundDraft | null
  /** Deletes the offered draft. */
  readonly discard: () => void
  /**
   * Says that the offered values are about to replace those of the form. They are deleted as soon as the form has kept them
   * itself; what was typed before is offered in turn.
   */
  readonly adopt: () => Promise<void>
  /** Deletes what this form has kept. */
  readonly forget: () => void
}

export function useKeptDraft(parts: KeptParts): KeptDrafts {
  const { form } = parts
  const model = useModel()
  const place = JSON.stringify(parts.place)
  const [offers, setOffers] = useState<readonly FoundDraft[]>([])
  const latest = useRef(parts)
  latest.current = parts
  const [firstId] = useState(newFormId)
  const formId = useRef<string>(firstId)
  /** The names of the drafts whose values are in this form. */
  const own = useRef<ReadonlySet<string>>(new Set())

  const find = async (text: string) => {
    const drafts = await findDrafts(key => isOf(key, JSON.parse(text)))
    return drafts.filter(({ key, name }) => key.form !== formId.current && !own.current.has(name))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same drafts are found until the place changes
  useEffect(() => {
    let isCurrent = true
    void find(place).then(drafts => isCurrent && setOffers(drafts))
    return () => {
      isCurrent = false
    }
  }, [place])

  const keeper = useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    let last: Promise<void> = Promise.resolve()
    /** A draft that is being kept when its values are saved is deleted afterwards. */
    const inOrder = (act: () => Promise<void>): Promise<void> => {
      last = last.then(act)
      return last
    }
    const stop = () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
    }
    const replaceOwn = async (name: string | null) => {
      const former = own.current
      own.current = new Set(name === null ? [] : [name])
      for (const one of former) if (one !== name) await deleteDraft(one)
    }
    const keep = async () => {
      const { type, version, values } = latest.current
      const typed = changedValues(values, form.getValues())
      const mine = withoutSecrets(typed, type.attributes, model)
      if (Object.keys(mine).length === 0) return replaceOwn(null)
      const base = Object.fromEntries(Object.keys(mine).map(name => [name, values[name] ?? null]))
      const key = { ...latest.current.place, version, form: formId.current }
      await replaceOwn(await keepDraft(key, { savedAt: Date.now(), base, mine }))
    }
    return {
      schedule: () => {
        stop()
        timer = setTimeout(() => {
          timer = null
          void inOrder(keep)
        }, pause)
      },
      flush: async () => {
        if (timer !== null) void inOrder(keep)
        stop()
        await last
      },
      forget: () => {
        stop()
        void inOrder(() => replaceOwn(null))
      },
    }
  }, [form, model])

  useEffect(() => {
    const subscription = form.watch(keeper.schedule)
    const flush = () => void keeper.flush()
    addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', flush)
    return () => {
      subscription.unsubscribe()
      removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', flush)
      flush()
    }
  }, [form, keeper])

  const [offer = null] = offers
  return {
    offer,
    discard: () => {
      if (offer === null) return
      void deleteDraft(offer.name)
      setOffers(offers.slice(1))
    },
    adopt: async () => {
      if (offer === null) return
      await keeper.flush()
      own.current = new Set([offer.name])
      formId.current = newFormId()
      setOffers(await find(place))
    },
    forget: keeper.forget,
  }
}
