// The part of the media library that an address names: the folder, what is searched, the order and the page.

import { type FileKind, fileKinds } from './media.ts'

/** Names that are missing have their defaults. */
export interface LibraryAddress {
  /** The id of the folder; none for the root. */
  readonly folder?: number
  readonly q?: string
  readonly kind?: FileKind
  readonly sort?: FileSort
  readonly page?: number
  /** The id of the file whose details are shown. */
  readonly file?: number
}

/** The orders of files, the usual one first. */
export const fileSorts = ['createdAt:desc', 'createdAt:asc', 'name:asc', 'name:desc', 'size:desc'] as const

export type FileSort = (typeof fileSorts)[number]

/** Reads an address, and drops what it does not understand. */
export function parseLibraryAddress(search: Readonly<Record<string, unknown>>): LibraryAddress {
  const { folder, q, kind, sort, page, file } = search
  const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
  return {
    ...(isId(folder) && { folder }),
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(fileKinds.includes(kind as FileKind) && { kind: kind as FileKind }),
    ...(fileSorts.includes(sort as FileSort) && { sort: sort as FileSort }),
    ...(isId(page) && page > 1 && { page }),
    ...(isId(file) && { file }),
  }
}
