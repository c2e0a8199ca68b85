// The pages on which an entry is edited: that of a collection type by its id, and the one of a single type.

import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { readOne } from '../../api/entries.ts'
import { isApiError } from '../../api/errors.ts'
import { parseEntrySearch } from '../../app/addresses.ts'
import { useErrorText } from '../../app/error-text.ts'
import { useLocales } from '../../app/locales.ts'
import { MissingPage } from '../../app/missing.tsx'
import { useModel } from '../../app/model-context.tsx'
import { mayDo } from '../../model/build.ts'
import { populateForForm } from '../../model/populate.ts'
import type { ContentType } from '../../model/types.ts'
import { Notice, Waiting } from '../../ui/notice.tsx'
import { rememberVisit } from '../list/last-visited.ts'
import { EntryForm } from './entry-form.tsx'

export function EntryPage() {
  const { slug, id } = useParams({ from: '/shell/content/$slug/$id' })
  const type = useModel().typesBySlug.get(slug)
  if (type === undefined || type.kind === 'single' || !/^\d+$/.test(id)) return <MissingPage />
  return <StoredEntry key={`${type.uid} ${id}`} type={type} id={Number(id)} locale={null} />
}

/** The form of a single type. One that does not exist yet is made by its first save. */
export function SingleEntry({ type }: { readonly type: ContentType }) {
  const { locale } = parseEntrySearch({ ...useSearch({ from: '/shell/content/$slug' }) })
  const locales = useLocales(type)
  const chosen = locale ?? locales[0]?.code ?? null
  if (type.isLocalized && chosen === null) return null
  return <StoredEntry key={`${type.uid} ${chosen}`} type={type} id={null} locale={chosen} />
}

interface StoredEntryProps {
  readonly type: ContentType
  readonly id: number | null
  readonly locale: string | null
}

function StoredEntry({ type, id, locale }: StoredEntryProps) {
  const t = useTranslations('entry')
  const errorText = useErrorText()
  const model = useModel()
  const parameters = { populate: populateForForm(type, model), ...(locale !== null && { locale }) }
  const { data: entry, error } = useQuery({
    queryKey: ['entry', type.uid, id, locale],
    queryFn: async ({ signal }) => {
      try {
        return await readOne({ type, model, id, parameters }, signal)
      } catch (failure) {
        if (type.kind === 'single' && isApiError(failure) && failure.status === 404) return null
        throw failure
      }
    },
    // What is being edited must not change by itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    if (id !== null) rememberVisit(type.uid, id)
  }, [type.uid, id])
  if (error !== null)
    return isApiError(error) && error.status === 404 ? <MissingPage /> : <Notice tone="bad">{errorText(error)}</Notice>
  if (entry === undefined) return <Waiting label={t('loading')} />
  const mayRead = mayDo(type, 'findOne') || mayDo(type, 'find')
  if (!mayRead && entry === null) return <MissingPage />
  return <EntryForm type={type} entry={entry} locale={locale ?? (entry?.locale as string | undefined) ?? null} />
}
