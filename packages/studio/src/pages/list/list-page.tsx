// The list of a collection type. What it shows is in its address, so that it can be sent to others and returned to.

import { Link, useLocation } from '@tanstack/react-router'
import { ListX, Plus, SearchX } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Selection } from 'react-aria-components'
import { useFormatter, useTranslations } from 'use-intl'
import { useErrorText } from '../../app/error-text.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { usePathTo } from '../../app/paths.ts'
import { mayDo } from '../../model/build.ts'
import type { ContentType } from '../../model/types.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty, Notice, Waiting } from '../../ui/notice.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { EntryTable } from './entry-table.tsx'
import { FilterChips } from './filter-chips.tsx'
import { rememberList } from './last-visited.ts'
import styles from './list.module.css'
import { PageTurner } from './page-turner.tsx'
import { Toolbar } from './toolbar.tsx'
import { type EntryList, useEntryList } from './use-entry-list.ts'

export function ListPage({ type }: { readonly type: ContentType }) {
  usePageTitle(type.listLabel)
  const list = useEntryList(type)
  const errorText = useErrorText()
  useRememberedList(type)
  const [selection, setSelection] = useState<ReadonlySet<number>>(new Set())
  const ids = list.page?.entries.map(({ id }) => id) ?? []
  const chosen = ids.filter(id => selection.has(id))
  const choose = (keys: Selection) => setSelection(new Set(keys === 'all' ? ids : [...keys].map(Number)))
  return (
    <div className={styles.page}>
      <Head type={type} list={list} />
      <Toolbar type={type} list={list} />
      <FilterChips type={type} list={list} />
      {list.error !== null && <Notice tone="bad">{errorText(list.error)}</Notice>}
      <Body type={type} list={list} chosen={chosen} onChoose={choose} />
      {chosen.length > 0 && <BulkBar type={type} list={list} ids={chosen} onDone={() => setSelection(new Set())} />}
      <PageTurner list={list} />
    </div>
  )
}

/** Remembers the address of the list. While the page is being left, the address is already that of the next one. */
function useRememberedList({ uid, slug }: ContentType): void {
  const { pathname, searchStr } = useLocation()
  useEffect(() => {
    if (pathname.endsWith(`/content/${slug}`)) rememberList(uid, searchStr)
  }, [uid, slug, pathname, searchStr])
}

interface PartProps {
  readonly type: ContentType
  readonly list: EntryList
}

function Head({ type, list }: PartProps) {
  const t = useTranslations('list')
  const format = useFormatter()
  const pathTo = usePathTo()
  const search = list.address.locale === undefined ? {} : { locale: list.address.locale }
  return (
    <header className={styles.head}>
      <h1>{type.listLabel}</h1>
      {list.page !== undefined && <span className={styles.total}>{format.number(list.page.total)}</span>}
      {mayDo(type, 'create') && (
        <div className={styles.headActions}>
          <ButtonLink look="primary" href={pathTo({ to: '/content/$slug/new', params: { slug: type.slug }, search })}>
            <Plus aria-hidden="true" />
            {t('new', { type: type.label })}
          </ButtonLink>
        </div>
      )}
    </header>
  )
}

interface BodyProps extends PartProps {
  readonly chosen: readonly number[]
  readonly onChoose: (keys: Selection) => void
}

function Body({ type, list, chosen, onChoose }: BodyProps) {
  const t = useTranslations('list')
  if (list.page === undefined) return list.error === null ? <Waiting label={t('loading')} /> : null
  if (list.page.entries.length > 0) return <EntryTable type={type} list={list} chosen={chosen} onChoose={onChoose} />
  return (
    <div className={styles.empty}>
      {list.isNarrowed ? (
        <Empty icon={<SearchX aria-hidden="true" />} title={t('noneFound')}>
          <p>{t('noneFoundText')}</p>
          <Button onPress={list.clear}>{t('clearAll')}</Button>
        </Empty>
      ) : (
        <Empty icon={<ListX aria-hidden="true" />} title={t('empty', { types: type.listLabel })}>
          {mayDo(type, 'create') && (
            <p>
              <Link to="/content/$slug/new" params={{ slug: type.slug }}>
                {t('makeFirst')}
              </Link>
            </p>
          )}
        </Empty>
      )}
    </div>
  )
}
