// Reads a part of the media library.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FilePage, listFiles, listFolders } from '../api/media.ts'
import { useModel } from '../app/model-context.tsx'
import { foldersIn, type MediaFolder, pathTo } from '../model/folders.ts'
import { fileSorts, type LibraryAddress } from '../model/library-address.ts'
import type { FileKind } from '../model/media.ts'
import { type MediaRights, mediaRightsOf } from '../model/media-rights.ts'

/** The number of files on a page. */
const pageSize = 48

/** A part of the library. */
export interface Library {
  readonly rights: MediaRights
  readonly address: LibraryAddress
  /** Changes the address. What is undefined is taken out of it, and the first page is shown. */
  readonly change: (change: Readonly<Record<string, unknown>>) => void
  /** The id of the folder that is shown; null for the root, undefined if the user may not see folders. */
  readonly folder: number | null | undefined
  /** All folders; empty until they are read. */
  readonly folders: readonly MediaFolder[]
  /** The folders on the page: those in the folder, or those whose names contain what is searched. */
  readonly shownFolders: readonly MediaFolder[]
  /** From the root to the folder that is shown. */
  readonly path: readonly MediaFolder[]
  readonly page: FilePage | undefined
  readonly isWaiting: boolean
  readonly error: unknown
  /** The kinds of files that can be chosen. */
  readonly kinds: readonly FileKind[]
}

interface LibraryParts {
  readonly address: LibraryAddress
  readonly kinds: readonly FileKind[]
  readonly onChange: (address: LibraryAddress) => void
}

export function useLibrary({ address, kinds, onChange }: LibraryParts): Library {
  const rights = mediaRightsOf(useModel().actions)
  const { folder = null, q = '', kind, sort = fileSorts[0], page = 1 } = address
  const folders = useQuery({
    queryKey: ['media', 'folders'],
    queryFn: ({ signal }) => listFolders(signal),
    enabled: rights.findFolders,
  })
  // A search looks everywhere.
  const place = rights.findFolders && q === '' ? folder : undefined
  const question = {
    folder: place,
    text: q,
    kinds: kind !== undefined ? [kind] : kinds,
    sort,
    start: (page - 1) * pageSize,
    limit: pageSize,
  }
  const files = useQuery({
    queryKey: ['media', 'files', question],
    queryFn: ({ signal }) => listFiles(question, signal),
    placeholderData: keepPreviousData,
    enabled: rights.find,
  })
  const all = folders.data ?? []
  const text = q.toLowerCase()
  return {
    rights,
    address,
    kinds,
    change: change => {
      const next = Object.entries({ ...address, page: undefined, ...change }).filter(([, value]) => value !== undefined)
      onChange(Object.fromEntries(next) as LibraryAddress)
    },
    folder: rights.findFolders ? folder : undefined,
    folders: all,
    shownFolders: q === '' ? foldersIn(all, folder) : all.filter(({ name }) => name.toLowerCase().includes(text)),
    path: pathTo(all, folder),
    page: files.data,
    isWaiting: files.isPlaceholderData,
    error: files.error ?? folders.error,
  }
}
