// The translations of an entry: which there are, and which can be made. One of them can be shown beside the form.

import { Plus } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { type EntryLocale, useLocales } from '../../app/locales.ts'
import { usePathTo } from '../../app/paths.ts'
import { mayDo } from '../../model/build.ts'
import type { ContentType, Entry } from '../../model/types.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { StateBadge } from '../state-badge.tsx'
import styles from './entry.module.css'

interface LanguagesProps {
  readonly type: ContentType
  readonly entry: Entry | null
  /** The language of the form. */
  readonly locale: string | null
  /** The id of the translation that is shown beside; null for none. */
  readonly reference: number | null
  readonly onReference: (id: number | null) => void
}

const none = 'none'

export function Languages({ type, entry, locale, reference, onReference }: LanguagesProps) {
  const t = useTranslations('languages')
  const locales = useLocales(type)
  if (!type.isLocalized || locales.length < 2) return null
  const translations = (entry?.localizations ?? []) as readonly Entry[]
  const names = new Map(locales.map(({ code, name }) => [code, name]))
  return (
    <section className={styles.languages} aria-labelledby="languages">
      <h2 id="languages">{t('title')}</h2>
      <ul>
        {locales.map(one => (
          <li key={one.code}>
            <LanguageRow
              type={type}
              entry={entry}
              one={one}
              isCurrent={one.code === locale}
              translations={translations}
            />
          </li>
        ))}
      </ul>
      {translations.length > 0 && (
        <Select
          label={t('beside')}
          choices={[
            { value: none, label: t('none') },
            ...translations.map(({ id, locale: code }) => ({
              value: String(id),
              label: names.get(String(code)) ?? String(code),
            })),
          ]}
          value={reference === null ? none : String(reference)}
          onChange={value => onReference(value === none ? null : Number(value))}
        />
      )}
    </section>
  )
}

interface RowProps {
  readonly type: ContentType
  readonly entry: Entry | null
  readonly one: EntryLocale
  readonly isCurrent: boolean
  readonly translations: readonly Entry[]
}

function LanguageRow({ type, entry, one, isCurrent, translations }: RowProps) {
  const t = useTranslations('languages')
  const pathTo = usePathTo()
  const { slug } = type
  const translation = isCurrent ? entry : (translations.find(({ locale }) => locale === one.code) ?? null)
  const state = translation !== null && type.hasDrafts && <StateBadge entry={translation} />
  if (isCurrent)
    return (
      <span className={styles.language} aria-current="true">
        {one.name}
        {state}
      </span>
    )
  const single = pathTo({ to: '/content/$slug', params: { slug }, search: { locale: one.code } })
  if (translation !== null) {
    const id = String(translation.id)
    const path = type.kind === 'single' ? single : pathTo({ to: '/content/$slug/$id', params: { slug, id } })
    return (
      <span className={styles.language}>
        <ButtonLink look="quiet" isSmall href={path}>
          {one.name}
        </ButtonLink>
        {state}
      </span>
    )
  }
  if (entry === null || !mayDo(type, 'createLocalization')) return <span className={styles.language}>{one.name}</span>
  const search = { locale: one.code, from: entry.id }
  const path = type.kind === 'single' ? single : pathTo({ to: '/content/$slug/new', params: { slug }, search })
  return (
    <span className={styles.language}>
      {one.name}
      <ButtonLink look="quiet" isSmall href={path} aria-label={t('make', { locale: one.name })}>
        <Plus aria-hidden="true" />
        {t('add')}
      </ButtonLink>
    </span>
  )
}
