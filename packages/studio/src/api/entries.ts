// Reads and writes entries by the REST API.

import { readEntry, type WireEntry } from '../model/entry.ts'
import type { Parameter } from '../model/query-string.ts'
import type { ContentType, Entry, Model } from '../model/types.ts'
import { askBody } from './http.ts'

type Parameters = { readonly [name: string]: Parameter }

/** A page of a list. */
export interface EntryPage {
  readonly entries: readonly Entry[]
  readonly total: number
  readonly pageCount: number
}

interface WireList {
  readonly data: readonly WireEntry[]
  readonly meta: { readonly pagination: { readonly total: number; readonly pageCount?: number } }
}

interface WireOne {
  readonly data: WireEntry | null
}

/** Entries of one type. */
export interface EntryPlace {
  readonly type: ContentType
  readonly model: Model
}

/** An entry of a collection type, or of a single type, which has no id in its address. */
export interface EntryAddress extends EntryPlace {
  readonly id: number | null
  readonly parameters?: Parameters
}

const pathOf = ({ type, id }: EntryAddress): string =>
  type.kind === 'single' || id === null ? `/${type.slug}` : `/${type.slug}/${id}`

const read = (wire: WireEntry, { type, model }: EntryPlace): Entry => readEntry(wire, type.attributes, model)

/** Drafts are answered only if they are asked for. */
export const previewParameter = ({ hasDrafts, rights }: ContentType): Parameters =>
  hasDrafts && rights.seesDrafts ? { publicationState: 'preview' } : {}

export async function listEntries(place: EntryPlace, parameters: Parameters, signal?: AbortSignal): Promise<EntryPage> {
  const { data, meta } = await askBody<WireList>({
    path: `/${place.type.slug}`,
    parameters: { ...previewParameter(place.type), ...parameters },
    ...(signal && { signal }),
  })
  const { total, pageCount = 1 } = meta.pagination
  return { entries: data.map(one => read(one, place)), total, pageCount }
}

/** The entry; null for a single type that has none. Throws ApiError with the status 404 for one that does not exist. */
export async function readOne(address: EntryAddress, signal?: AbortSignal): Promise<Entry | null> {
  const parameters = { ...previewParameter(address.type), ...address.parameters }
  const { data } = await askBody<WireOne>({ path: pathOf(address), parameters, ...(signal && { signal }) })
  return data === null ? null : read(data, address)
}

export async function createOne(address: EntryAddress, data: object): Promise<Entry> {
  const { parameters = {} } = address
  const isSingle = address.type.kind === 'single'
  const request = {
    method: isSingle ? 'PUT' : 'POST',
    path: `/${address.type.slug}`,
    parameters,
    body: { data },
  } as const
  return read((await askBody<WireOne>(request)).data!, address)
}

/** Makes a translation of an entry. The route takes and answers it without `data`, so it is read again. */
export async function translateOne(address: EntryAddress, sourceId: number, data: object): Promise<Entry> {
  const { slug, kind } = address.type
  const path = kind === 'single' ? `/${slug}/localizations` : `/${slug}/${sourceId}/localizations`
  const { id } = await askBody<{ readonly id: number }>({ method: 'POST', path, body: data })
  return (await readOne({ ...address, id }))!
}

export async function updateOne(address: EntryAddress, data: object): Promise<Entry> {
  const { parameters = {} } = address
  const request = { method: 'PUT', path: pathOf(address), parameters, body: { data } } as const
  return read((await askBody<WireOne>(request)).data!, address)
}

export async function deleteOne(address: EntryAddress): Promise<void> {
  await askBody({
    method: 'DELETE',
    path: pathOf(address),
    parameters: { ...previewParameter(address.type), ...address.parameters },
  })
}
