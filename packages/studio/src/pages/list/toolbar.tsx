// The toolbar above a list: search, state and locale, filters, columns, views and the export.

import { Columns3, SearchIcon, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocales } from '../../app/locales.ts'
import type { ContentType } from '../../model/types.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSection } from '../../ui/menu.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Select } from '../../ui/select.tsx'
import { useColumnLabel } from './column-label.ts'
import { ExportButton } from './export-button.tsx'
import { FilterButton } from './filter-button.tsx'
import styles from './list.module.css'
import type { EntryList } from './use-entry-list.ts'
import { ViewsMenu } from './views-menu.tsx'

interface ToolbarProps {
  readonly type: ContentType
  readonly list: EntryList
}

export function Toolbar({ type, list }: ToolbarProps) {
  const t = useTranslations('list')
  return (
    <div className={styles.toolbar}>
      <div className={styles.search}>
        <ListSearch list={list} label={t('search', { types: type.listLabel })} />
      </div>
      {type.hasDrafts && type.rights.seesDrafts && <StateChoice list={list} />}
      {type.isLocalized && <LocaleChoice type={type} list={list} />}
      <FilterButton type={type} list={list} />
      <div className={styles.spring} />
      <ViewsMenu type={type} list={list} />
      <ColumnsMenu list={list} />
      <ExportButton type={type} list={list} />
    </div>
  )
}

/** Searches when nobody has typed for a moment. */
function ListSearch({ list, label }: { readonly list: EntryList; readonly label: string }) {
  const { q = '' } = list.address
  const [typed, setTyped] = useState(q)
  const { change } = list
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed begins a search
  useEffect(() => {
    if (typed.trim() === q) return
    const timer = setTimeout(() => change({ q: typed.trim() === '' ? undefined : typed.trim() }), 300)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => setTyped(q), [q])
  return (
    <SearchInput
      label={label}
      value={typed}
      onChange={setTyped}
      icon={<SearchIcon aria-hidden="true" />}
      clearIcon={<X aria-hidden="true" />}
    />
  )
}

const any = 'any'

function StateChoice({ list }: { readonly list: EntryList }) {
  const t = useTranslations('list')
  return (
    <div className={styles.choice}>
      <Select
        aria-label={t('state')}
        choices={[
          { value: any, label: t('anyState') },
          { value: 'draft', label: t('drafts') },
          { value: 'published', label: t('published') },
        ]}
        value={list.address.state ?? any}
        onChange={value => list.change({ state: value === any ? undefined : value })}
      />
    </div>
  )
}

function LocaleChoice({ type, list }: ToolbarProps) {
  const t = useTranslations('list')
  const locales = useLocales(type)
  return (
    <div className={styles.choice}>
      <Select
        aria-label={t('locale')}
        choices={[
          { value: any, label: t('anyLocale') },
          ...locales.map(({ code, name }) => ({ value: code, label: name })),
        ]}
        value={list.address.locale ?? any}
        onChange={value => list.change({ locale: value === any ? undefined : value })}
      />
    </div>
  )
}

function ColumnsMenu({ list }: { readonly list: EntryList }) {
  const t = useTranslations('list')
  const labelOf = useColumnLabel()
  const choose = (names: ReadonlySet<string>) =>
    list.show(list.columns.map(({ name }) => name).filter(name => names.has(name)))
  return (
    <Menu
      label={t('columns')}
      trigger={
        <Button look="quiet" isIcon aria-label={t('columns')}>
          <Columns3 aria-hidden="true" />
        </Button>
      }
    >
      <MenuSection
        heading={t('columns')}
        selectionMode="multiple"
        selected={list.shown.map(({ name }) => name)}
        onSelect={choose}
      >
        {list.columns.map(column => (
          <MenuItem key={column.name} id={column.name}>
            {labelOf(column)}
          </MenuItem>
        ))}
      </MenuSection>
    </Menu>
  )
}
