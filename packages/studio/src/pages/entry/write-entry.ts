// Sends one write of an entry: only what has changed, with the version that the form has read.

import { createOne, type EntryAddress, readVersioned, translateOne, updateOne } from '../../api/entries.ts'
import { ApiError, isApiError } from '../../api/errors.ts'
import { isTaken } from '../../model/build.ts'
import { changedValues } from '../../model/changes.ts'
import { populateForForm } from '../../model/populate.ts'
import type { ContentType, Entry, Model, VersionedEntry } from '../../model/types.ts'
import { writtenChanges, writtenValues } from '../../model/written.ts'

type Values = Readonly<Record<string, unknown>>

/** The state in which a save leaves the entry; `as-is` changes nothing of it. */
export type TargetState = 'as-is' | 'draft' | 'published'

/** The entry of a form. */
export interface WritePlace {
  readonly type: ContentType
  readonly model: Model
  /** As it was read or written last; null for one that is being made. */
  readonly stored: VersionedEntry | null
  readonly locale: string | null
  /** The id of the entry of which the new one becomes a translation; null if it becomes none. */
  readonly translates: number | null
}

export interface EntryWrite extends WritePlace {
  readonly state: TargetState
  /** The values of the form as they were read, and now. */
  readonly values: Values
  readonly now: Values
}

/** The result of a write: an entry in its new version, or a new entry, whose page reads it. */
export type Written = ({ readonly isNew: false } & VersionedEntry) | { readonly isNew: true; readonly entry: Entry }

export const addressOf = ({ type, model, stored, locale }: WritePlace): EntryAddress => ({
  type,
  model,
  id: stored?.entry.id ?? null,
  parameters: { populate: populateForForm(type, model), ...(locale !== null && { locale }) },
})

/** Writes the entry. Throws ApiError with the status 412 if it is not stored any more as the form has read it. */
export async function writeEntry(write: EntryWrite): Promise<Written> {
  const { type, stored, locale, translates } = write
  const address = addressOf(write)
  if (stored !== null) return { isNew: false, ...(await updateOne(address, dataOf(write), stored.version)) }
  const isSingle = type.kind === 'single'
  if (isSingle && (await readStored(write)) !== null) throw changedSince()
  const data = { ...dataOf(write), ...(locale !== null && (!isSingle || translates !== null) && { locale }) }
  const entry = translates === null ? await createOne(address, data) : await translateOne(address, translates, data)
  if (!isSingle) return { isNew: true, entry }
  return { isNew: false, ...(await readVersioned(address))! }
}

function dataOf({ type, model, stored, state, values, now }: EntryWrite): Record<string, unknown> {
  const changed = changedValues(stored === null ? {} : values, now)
  const data =
    stored === null
      ? writtenValues(changed, type.attributes, model)
      : writtenChanges(changed, values, { attributes: type.attributes, model })
  const action = stored === null && type.kind === 'collection' ? 'create' : 'update'
  // A role that may not decide it gets what the server does by itself.
  if (state !== 'as-is' && isTaken(type.rights, 'publishedAt', action))
    data.publishedAt = state === 'draft' ? null : new Date().toISOString()
  return data
}

/** The entry as it is stored now; null if there is none, or none that the user may see. */
export async function readStored(place: WritePlace): Promise<VersionedEntry | null> {
  try {
    return await readVersioned(addressOf(place))
  } catch (error) {
    if (isApiError(error) && error.status === 404) return null
    throw error
  }
}

const changedSince = () =>
  new ApiError({ status: 412, name: 'PreconditionFailedError', message: '', details: null, retryAfter: null })

/** Returns whether the server refuses a write of an entry because the stored entry has changed since it was read. */
export const isChangedSince = (error: unknown, stored: VersionedEntry | null): boolean =>
  isApiError(error) && (error.status === 412 || (error.status === 404 && stored !== null))
