// The first page: what the user may work on, and what was changed last.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { useFormatter, useNow, useTranslations } from 'use-intl'
import { listEntries } from '../../api/entries.ts'
import { useModel, useUser } from '../../app/model-context.tsx'
import { usePageTitle } from '../../app/page-title.ts'
import { mayDo } from '../../model/build.ts'
import { entryName } from '../../model/entry-name.ts'
import { isReachable } from '../../model/groups.ts'
import type { ContentType, Entry, Model } from '../../model/types.ts'
import { Empty, Waiting } from '../../ui/notice.tsx'
import { StateBadge } from '../state-badge.tsx'
import styles from './home.module.css'

interface RecentEntry {
  readonly type: ContentType
  readonly entry: Entry
}

const shownEntries = 12
const entriesEach = 6

/** The entries that were changed last, of all types. */
async function readRecent(model: Model, signal: AbortSignal): Promise<readonly RecentEntry[]> {
  const types = model.types.filter(type => type.kind === 'collection' && !type.isHidden && mayDo(type, 'find'))
  const parameters = { sort: 'updatedAt:desc', pagination: { pageSize: entriesEach, withCount: false } }
  const lists = await Promise.all(
    types.map(async type => {
      const locale = type.isLocalized ? { locale: 'all' } : {}
      const { entries } = await listEntries({ type, model }, { ...parameters, ...locale }, signal)
      return entries.map(entry => ({ type, entry }))
    }),
  )
  return lists
    .flat()
    .sort((left, right) => String(right.entry.updatedAt).localeCompare(String(left.entry.updatedAt)))
    .slice(0, shownEntries)
}

export function HomePage() {
  const t = useTranslations('home')
  usePageTitle('')
  const model = useModel()
  const user = useUser()
  const format = useFormatter()
  const now = useNow()
  const { data: recent } = useQuery({
    queryKey: ['entries', 'recent'],
    queryFn: ({ signal }) => readRecent(model, signal),
  })
  if (!model.types.some(isReachable))
    return (
      <Empty icon={<Inbox aria-hidden="true" />} title={t('nothing')}>
        <p>{t('nothingText')}</p>
      </Empty>
    )
  return (
    <div className={styles.page}>
      <h1>{t('greeting', { name: user.username })}</h1>
      <section className={styles.section} aria-labelledby="recent">
        <h2 id="recent">{t('recent')}</h2>
        {recent === undefined ? (
          <Waiting label={t('loading')} />
        ) : recent.length === 0 ? (
          <p className={styles.none}>{t('noEntries')}</p>
        ) : (
          <ul className={styles.list}>
            {recent.map(({ type, entry }) => (
              <li key={`${type.uid} ${entry.id}`}>
                <Link
                  className={styles.entry!}
                  to="/content/$slug/$id"
                  params={{ slug: type.slug, id: String(entry.id) }}
                >
                  <span className={styles.name}>{entryName(type, entry)}</span>
                  <span className={styles.type}>
                    {type.label}
                    {type.isLocalized && ` · ${String(entry.locale)}`}
                  </span>
                  <span className={styles.state}>{type.hasDrafts && <StateBadge entry={entry} />}</span>
                  <time className={styles.time} dateTime={String(entry.updatedAt)}>
                    {format.relativeTime(new Date(String(entry.updatedAt)), now)}
                  </time>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}
