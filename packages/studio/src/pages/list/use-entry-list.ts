// Reads the list that an address names.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type EntryPage, listEntries } from '../../api/entries.ts'
import { useModel } from '../../app/model-context.tsx'
import { type Column, columnsOf } from '../../model/columns.ts'
import { filtersParameter } from '../../model/filters.ts'
import { type ListAddress, parseListAddress, usualPageSize } from '../../model/list-address.ts'
import { populateForList } from '../../model/populate.ts'
import type { Parameter } from '../../model/query-string.ts'
import type { ContentType, Model } from '../../model/types.ts'
import { useShownColumns } from './shown-columns.ts'

/** The state of a list of entries, and the functions that change it. */
export interface EntryList {
  readonly address: ListAddress
  /** Undefined until the server has answered for the first time. */
  readonly page: EntryPage | undefined
  readonly error: unknown
  readonly isWaiting: boolean
  readonly columns: readonly Column[]
  readonly shown: readonly Column[]
  readonly show: (names: readonly string[]) => void
  /** `title:asc` */
  readonly sort: string
  /** Maximum number of entries on a page. */
  readonly size: number
  /** Changes the size of pages, and shows the first one. */
  readonly resize: (size: number) => void
  /** True if a search, filters or a state restrict the list. */
  readonly isNarrowed: boolean
  /** The parameters of the whole list, without those of a page. */
  readonly parameters: { readonly [name: string]: Parameter }
  /** Changes the address. What is undefined is taken out of it, and the first page is shown. */
  readonly change: (change: Readonly<Record<string, unknown>>) => void
  /** Shows the whole list. */
  readonly clear: () => void
}

/** Lists are in the order in which their entries were changed, unless settings say otherwise. */
const usualSort = 'updatedAt:desc'

export function useEntryList(type: ContentType): EntryList {
  const model = useModel()
  const search = useSearch({ from: '/shell/content/$slug' })
  const address = useMemo(() => parseListAddress({ ...search }), [search])
  const navigate = useNavigate({ from: '/content/$slug' })
  const columns = useMemo(() => columnsOf(type), [type])
  const { shown, show } = useShownColumns(type, columns)
  const sort = address.sort ?? type.sort ?? usualSort
  const { q, f = [], state, locale, page = 1 } = address
  const usualSize = type.pageSize ?? usualPageSize
  const size = address.size ?? usualSize
  const parameters = useMemo(
    () => parametersOf({ q, f, state, locale }, { type, model, columns, shown, sort }),
    [q, f, state, locale, type, model, columns, shown, sort],
  )
  const paged = { ...parameters, pagination: { page, pageSize: size } }
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['entries', type.uid, 'list', paged],
    queryFn: ({ signal }) => listEntries({ type, model }, paged, signal),
    placeholderData: keepPreviousData,
  })
  const change: EntryList['change'] = changed =>
    void navigate({ search: before => withoutUndefined({ ...before, page: undefined, ...changed }) as ListAddress })
  return {
    address,
    page: data,
    error,
    isWaiting: isPlaceholderData,
    columns,
    shown,
    show,
    sort,
    size,
    resize: to => change({ size: to === usualSize ? undefined : to }),
    isNarrowed: Boolean(q) || f.length > 0 || state !== undefined,
    parameters,
    change,
    clear: () =>
      void navigate({
        search: before => withoutUndefined({ locale: before.locale, sort: before.sort }) as ListAddress,
      }),
  }
}

const withoutUndefined = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

interface ListParts {
  readonly type: ContentType
  readonly model: Model
  readonly columns: readonly Column[]
  readonly shown: readonly Column[]
  readonly sort: string
}

function parametersOf(
  { q, f = [], state, locale }: { [Name in keyof ListAddress]: ListAddress[Name] | undefined },
  { type, model, columns, shown, sort }: ListParts,
): { readonly [name: string]: Parameter } {
  const mainFieldOf = (uid: string) => model.typesByUid.get(uid)?.mainField ?? 'id'
  const filters = filtersParameter(type, columns, { filters: f, state: state ?? null }, mainFieldOf)
  const names = shown.map(({ name }) => name)
  const isScalar = ({ type: valueType }: Column) => !/^(?:relation|media)$/.test(valueType)
  const fields = shown.filter(column => isScalar(column) && column.name !== 'id').map(({ name }) => name)
  const own = [
    type.mainField,
    // By it, one sees whether an entry has changed since.
    'updatedAt',
    ...(type.hasDrafts ? ['publishedAt'] : []),
    ...(type.isLocalized ? ['locale'] : []),
  ]
  return {
    sort,
    fields: [...new Set([...fields, ...own])].filter(name => name !== 'id'),
    populate: populateForList(type, model, names),
    ...(q && { _q: q }),
    ...(filters.length > 0 && { filters: { $and: filters } }),
    ...(type.isLocalized && { locale: locale ?? 'all' }),
  }
}
