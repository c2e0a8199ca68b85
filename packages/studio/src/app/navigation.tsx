// The navigation: the types of the model in their order and groups, with the number of their entries.

import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFormatter, useTranslations } from 'use-intl'
import { listEntries } from '../api/entries.ts'
import { mayDo } from '../model/build.ts'
import { groupTypes } from '../model/groups.ts'
import type { ContentType, Model } from '../model/types.ts'
import { useModel } from './model-context.tsx'
import styles from './navigation.module.css'

export function Navigation() {
  const t = useTranslations('shell')
  const model = useModel()
  const groups = groupTypes(model.types, { collection: t('content'), single: t('single') })
  const counts = useCounts(model)
  if (groups.length === 0) return <p className={styles.none}>{t('nothing')}</p>
  return groups.map(({ heading, types }) => (
    <div key={heading} className={styles.group}>
      <h2 className={styles.heading}>{heading}</h2>
      <ul>
        {types.map(type => (
          <li key={type.uid}>
            <TypeLink type={type} count={counts.get(type.uid)} />
          </li>
        ))}
      </ul>
    </div>
  ))
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
