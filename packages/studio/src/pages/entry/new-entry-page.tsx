// The page on which an entry is made: an empty one, a duplicate of another one, or its translation.

import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { readOne } from '../../api/entries.ts'
import { parseEntrySearch } from '../../app/addresses.ts'
import { useErrorText } from '../../app/error-text.ts'
import { useLocales } from '../../app/locales.ts'
import { MissingPage } from '../../app/missing.tsx'
import { useModel } from '../../app/model-context.tsx'
import { mayDo } from '../../model/build.ts'
import { copyForDuplicate, copyForTranslation } from '../../model/copied.ts'
import { populateForForm } from '../../model/populate.ts'
import type { ContentType } from '../../model/types.ts'
import { Notice, Waiting } from '../../ui/notice.tsx'
import { EntryForm } from './entry-form.tsx'

export function NewEntryPage() {
  const { slug } = useParams({ from: '/shell/content/$slug/new' })
  const { locale, from } = parseEntrySearch({ ...useSearch({ from: '/shell/content/$slug/new' }) })
  const type = useModel().typesBySlug.get(slug)
  const locales = useLocales(type ?? noType)
  if (type === undefined || type.kind === 'single') return <MissingPage />
  const chosen = locale ?? locales[0]?.code ?? null
  if (type.isLocalized && chosen === null) return null
  const key = `${type.uid} ${chosen} ${from}`
  if (from !== undefined) return <CopyOf key={key} type={type} id={from} locale={chosen} />
  return mayDo(type, 'create') ? <EntryForm key={key} type={type} stored={null} locale={chosen} /> : <MissingPage />
}

/** Stands for a type that does not exist, because hooks cannot be left out. */
const noType = { isLocalized: false } as Parameters<typeof useLocales>[0]

interface CopyProps {
  readonly type: ContentType
  readonly id: number
  readonly locale: string | null
}

/** A copy in another language is a translation. */
function CopyOf({ type, id, locale }: CopyProps) {
  const t = useTranslations('entry')
  const errorText = useErrorText()
  const model = useModel()
  const { data: source, error } = useQuery({
    queryKey: ['entry', type.uid, id, 'copy'],
    queryFn: ({ signal }) =>
      readOne({ type, model, id, parameters: { populate: populateForForm(type, model) } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (error !== null) return <Notice tone="bad">{errorText(error)}</Notice>
  if (source === undefined) return <Waiting label={t('loading')} />
  if (source === null) return <MissingPage />
  const isTranslation = type.isLocalized && source.locale !== locale
  if (!mayDo(type, isTranslation ? 'createLocalization' : 'create')) return <MissingPage />
  return isTranslation ? (
    <EntryForm
      type={type}
      stored={null}
      locale={locale}
      copy={copyForTranslation(type, source, model)}
      source={source}
    />
  ) : (
    <EntryForm type={type} stored={null} locale={locale} copy={copyForDuplicate(type, source, model)} />
  )
}
