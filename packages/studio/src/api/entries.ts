// Reads and writes entries by the REST API. A write of a stored entry names the version that it was read in, and is refused if
// somebody else has changed the entry since.

import { readEntry, type WireEntry } from '../model/entry.ts'
import type { Parameter } from '../model/query-string.ts'
import type { ContentType, Entry, Model, VersionedEntry } from '../model/types.ts'
import { ApiError } from './errors.ts'
import { type ApiAnswer, ask, askBody } from './http.ts'

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
  return (await readVersioned(address, signal))?.entry ?? null
}

/** The entry with its version; null for a single type that has none. Throws ApiError as `readOne` does. */
export async function readVersioned(address: EntryAddress, signal?: AbortSignal): Promise<VersionedEntry | null> {
  const parameters = { ...previewParameter(address.type), ...address.parameters }
  const answer = await ask<WireOne>({ path: pathOf(address), parameters, ...(signal && { signal }) })
  const { data } = answer.body
  return data === null ? null : { entry: read(data, address), version: versionOf(answer) }
}

/** The version in the header of a read, `ETag: "<version>-<hash of the answer>"`, or of a write. */
function versionOf({ headers }: ApiAnswer<unknown>): string {
  const version = headers.get('entry-version') ?? /"([^"-]+)-[^"]*"/.exec(headers.get('etag') ?? '')?.[1]
  if (version !== undefined) return version
  throw new ApiError({ status: 0, name: 'NoVersion', message: '', details: null, retryAfter: null })
}

const condition = (version: string) => ({ 'if-match': `"${version}"` })

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

/** Changes an entry that has the version. Throws ApiError with the status 412 if it has another one. */
export async function updateOne(address: EntryAddress, data: object, version: string): Promise<VersionedEntry> {
  const { parameters = {} } = address
  const headers = condition(version)
  const request = { method: 'PUT', path: pathOf(address), parameters, body: { data }, headers } as const
  const answer = await ask<WireOne>(request)
  return { entry: read(answer.body.data!, address), version: versionOf(answer) }
}

/** Deletes an entry that has the version. Throws ApiError with the status 412 if it has another one. */
export async function deleteOne(address: EntryAddress, version: string): Promise<void> {
  await askBody({
    method: 'DELETE',
    path: pathOf(address),
    parameters: { ...previewParameter(address.type), ...address.parameters },
    headers: condition(version),
  })
}
