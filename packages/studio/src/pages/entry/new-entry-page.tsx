// The page on which an entry is made.

import { useParams, useSearch } from '@tanstack/react-router'
import { parseEntrySearch } from '../../app/addresses.ts'
import { useLocales } from '../../app/locales.ts'
import { MissingPage } from '../../app/missing.tsx'
import { useModel } from '../../app/model-context.tsx'
import { mayDo } from '../../model/build.ts'
import { EntryForm } from './entry-form.tsx'

export function NewEntryPage() {
  const { slug } = useParams({ from: '/shell/content/$slug/new' })
  const { locale } = parseEntrySearch({ ...useSearch({ from: '/shell/content/$slug/new' }) })
  const type = useModel().typesBySlug.get(slug)
  const locales = useLocales(type ?? noType)
  if (type === undefined || type.kind === 'single' || !mayDo(type, 'create')) return <MissingPage />
  const chosen = locale ?? locales[0]?.code ?? null
  if (type.isLocalized && chosen === null) return null
  return <EntryForm key={`${type.uid} ${chosen}`} type={type} entry={null} locale={chosen} />
}

/** Stands for a type that does not exist, because hooks cannot be left out. */
const noType = { isLocalized: false } as Parameters<typeof useLocales>[0]
