// Reads the locales of entries.

import { useQuery } from '@tanstack/react-query'
import { askBody } from '../api/http.ts'
import type { ContentType } from '../model/types.ts'

export interface EntryLocale {
  readonly code: string
  readonly name: string
  readonly isDefault: boolean
}

/** The locales of the type that the user may see, the default one first; none for a type without locales. */
export function useLocales({ isLocalized, rights }: ContentType): readonly EntryLocale[] {
  const { data = [] } = useQuery({
    queryKey: ['locales'],
    queryFn: () => askBody<readonly EntryLocale[]>({ path: '/i18n/locales' }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isLocalized,
  })
  if (!isLocalized) return []
  const visible = data.filter(({ code }) => rights.locales?.includes(code) ?? true)
  return visible.toSorted((left, right) => Number(right.isDefault) - Number(left.isDefault))
}
