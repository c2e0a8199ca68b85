// The part of a list that an address names: what is searched and filtered, the order and the page.

import type { Filter, StateFilter } from './filters.ts'

/** Names that are missing have their defaults. */
export interface ListAddress {
  readonly q?: string
  readonly f?: readonly Filter[]
  readonly state?: StateFilter
  readonly locale?: string
  /** `title:asc` */
  readonly sort?: string
  readonly page?: number
  readonly size?: number
}

export const pageSizes: readonly number[] = [10, 20, 25, 50, 100]
/** Settings may say otherwise of a type. */
export const usualPageSize = 25

/** Reads an address, and drops what it does not understand. */
export function parseListAddress(search: Readonly<Record<string, unknown>>): ListAddress {
  const { q, f, state, locale, sort, page, size } = search
  return {
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(Array.isArray(f) && f.some(isFilter) && { f: f.filter(isFilter) }),
    ...((state === 'draft' || state === 'published') && { state }),
    ...(typeof locale === 'string' && { locale }),
    ...(typeof sort === 'string' && /^[\w.]+:(?:asc|desc)$/.test(sort) && { sort }),
    ...(Number.isInteger(page) && (page as number) > 1 && { page: page as number }),
    ...(pageSizes.includes(size as number) && { size: size as number }),
  }
}

const isFilter = (value: unknown): value is Filter =>
  Array.isArray(value) && value.length === 3 && value.every(one => typeof one === 'string')
