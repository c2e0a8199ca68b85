// Reads the translation that is shown beside a form.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readOne } from '../../api/entries.ts'
import { useModel } from '../../app/model-context.tsx'
import type { ContentType, Entry } from '../../model/types.ts'

interface ChosenReference {
  readonly id: number | null
  readonly entry: Entry | null
  readonly choose: (id: number | null) => void
}

/** At first, the entry of which the form makes a translation. */
export function useReference(type: ContentType, entry: Entry | null, source: Entry | null): ChosenReference {
  const model = useModel()
  const [id, choose] = useState(source?.id ?? null)
  const translations = (entry?.localizations ?? []) as readonly Entry[]
  const locale = translations.find(one => one.id === id)?.locale
  // A single type has no ids in its addresses.
  const parameters = type.kind === 'single' && typeof locale === 'string' ? { locale } : {}
  const isSource = source !== null && source.id === id
  const { data = null } = useQuery({
    queryKey: ['entries', type.uid, 'reference', id],
    queryFn: ({ signal }) => readOne({ type, model, id, parameters }, signal),
    enabled: id !== null && !isSource,
  })
  return { id, entry: isSource ? source : id === null ? null : data, choose }
}
