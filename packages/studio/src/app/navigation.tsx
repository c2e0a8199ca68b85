// The navigation: the types of the model in their order and groups, with the number of their entries.

import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { listEntries } from '../api/entries.ts'
import { mayDo } from '../model/build.ts'
import { groupTypes } from '../model/groups.ts'
import type { ContentType, Model } from '../model/types.ts'
import { useModel, usePlugins } from './model-context.tsx'
import styles from './navigation.module.css'
import { type Place, placesFor } from './places.ts'
import { type AddedPage, labelOfPage } from './plugins.ts'
import { usePreferences } from './preferences.ts'

export function Navigation() {
  const t = useTranslations('shell')
  const model = useModel()
  const groups = groupTypes(model.types, { collection: t('content'), single: t('single') })
  const counts = useCounts(model)
  const places = placesFor(model.actions)
  const pages = usePlugins().pages.filter(({ needs }) => needs === undefined || model.actions.has(needs))
  if (groups.length === 0 && places.length === 0 && pages.length === 0)
    return <p className={styles.none}>{t('nothing')}</p>
  return (
    <>
      {groups.map(({ heading, types }) => (
        <Group key={heading} heading={heading}>
          {types.map(type => (
            <li key={type.uid}>
              <TypeLink type={type} count={counts.get(type.uid)} />
            </li>
          ))}
        </Group>
      ))}
      {pages.length > 0 && (
        <Group heading={t('plugins')}>
          {pages.map(page => (
            <li key={`${page.plugin} ${page.path}`}>
              <PluginLink page={page} />
            </li>
          ))}
        </Group>
      )}
      {places.length > 0 && (
        <Group heading={t('manage')}>
          {places.map(place => (
            <li key={place.to}>
              <PlaceLink place={place} />
            </li>
          ))}
        </Group>
      )}
    </>
  )
}

function Group({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <div className={styles.group}>
      <h2 className={styles.heading}>{heading}</h2>
      <ul>{children}</ul>
    </div>
  )
}

function PlaceLink({ place }: { readonly place: Place }) {
  const t = useTranslations('places')
  const { Icon, to, name } = place
  return (
    <Link className={styles.link!} to={to} activeOptions={{ includeSearch: false }}>
      <Icon aria-hidden="true" />
      {t(name)}
    </Link>
  )
}

function PluginLink({ page }: { readonly page: AddedPage }) {
  const { language } = usePreferences()
  return (
    <Link className={styles.link!} to="/plugins/$plugin/$path" params={{ plugin: page.plugin, path: page.path }}>
      {labelOfPage(page, language)}
    </Link>
  )
}

function TypeLink({ type, count }: { readonly type: ContentType; readonly count: number | undefined }) {
  const format = useFormatter()
  return (
    <Link
      className={styles.link!}
      to="/content/$slug"
      params={{ slug: type.slug }}
      activeOptions={{ includeSearch: false }}
    >
      {type.listLabel}
      {count !== undefined && <span className={styles.count}>{format.number(count)}</span>}
    </Link>
  )
}

/** The number of entries by uid, of the types that the user may list. */
function useCounts(model: Model): ReadonlyMap<string, number> {
  const listed = model.types.filter(type => type.kind === 'collection' && !type.isHidden && mayDo(type, 'find'))
  return useQueries({
    queries: listed.map(type => ({
      queryKey: ['entries', type.uid, 'count'],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const locale = type.isLocalized ? { locale: 'all' } : {}
        const parameters = { fields: ['id'], pagination: { pageSize: 1 }, ...locale }
        return (await listEntries({ type, model }, parameters, signal)).total
      },
      staleTime: 60_000,
    })),
    combine: results =>
      new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[listed[index]!.uid, data] as const]))),
  })
}
