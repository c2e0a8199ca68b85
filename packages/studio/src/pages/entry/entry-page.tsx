// The pages on which an entry is edited: that of a collection type by its id, and the one of a single type.

import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { type EntryAddress, readOne, readVersioned } from '../../api/entries.ts'
import { isApiError } from '../../api/errors.ts'
import { parseEntrySearch } from '../../app/addresses.ts'
import { useErrorText } from '../../app/error-text.ts'
import { useLocales } from '../../app/locales.ts'
import { MissingPage } from '../../app/missing.tsx'
import { useModel, useUser } from '../../app/model-context.tsx'
import { mayDo } from '../../model/build.ts'
import { copyForTranslation } from '../../model/copied.ts'
import { populateForForm } from '../../model/populate.ts'
import type { ContentType, Entry, VersionedEntry } from '../../model/types.ts'
import { Notice, Waiting } from '../../ui/notice.tsx'
import { rememberVisit } from '../list/last-visited.ts'
import { EntryForm } from './entry-form.tsx'
import { LostEntry } from './lost-entry.tsx'

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

/** An entry, or null for a single type that has none in this language; then perhaps its source in another one. */
interface FoundEntry {
  readonly stored: VersionedEntry | null
  readonly source: Entry | null
}

async function findSingle(address: EntryAddress, locales: readonly string[], signal: AbortSignal): Promise<FoundEntry> {
  const stored = await unlessMissing(() => readVersioned(address, signal))
  if (stored !== null) return { stored, source: null }
  for (const locale of locales) {
    const parameters = { ...address.parameters, locale }
    const source = await unlessMissing(() => readOne({ ...address, parameters }, signal))
    if (source !== null) return { stored: null, source }
  }
  return { stored: null, source: null }
}

async function unlessMissing<Result>(read: () => Promise<Result>): Promise<Result | null> {
  try {
    return await read()
  } catch (error) {
    if (isApiError(error) && error.status === 404) return null
    throw error
  }
}

function StoredEntry({ type, id, locale }: StoredEntryProps) {
  const t = useTranslations('entry')
  const errorText = useErrorText()
  const model = useModel()
  const user = useUser()
  const parameters = { populate: populateForForm(type, model), ...(locale !== null && { locale }) }
  const locales = useLocales(type)
  const others = locales.map(({ code }) => code).filter(code => code !== locale)
  const { data: result, error } = useQuery({
    queryKey: ['entry', type.uid, id, locale],
    queryFn: async ({ signal }): Promise<FoundEntry> => {
      const address = { type, model, id, parameters }
      if (type.kind === 'single') return findSingle(address, others, signal)
      return { stored: await readVersioned(address, signal), source: null }
    },
    // An entry that is being edited must not change by itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    if (id !== null) rememberVisit(type.uid, id)
  }, [type.uid, id])
  if (error !== null)
    return isApiError(error) && error.status === 404 && id !== null ? (
      <LostEntry type={type} userId={user.id} id={id} />
    ) : (
      <Notice tone="bad">{errorText(error)}</Notice>
    )
  if (result === undefined) return <Waiting label={t('loading')} />
  const { stored, source } = result
  const mayRead = mayDo(type, 'findOne') || mayDo(type, 'find')
  if (!mayRead && stored === null) return <MissingPage />
  const copy = source === null ? null : copyForTranslation(type, source, model)
  const ownLocale = locale ?? (stored?.entry.locale as string | undefined) ?? null
  return <EntryForm type={type} stored={stored} locale={ownLocale} copy={copy} source={source} />
}
