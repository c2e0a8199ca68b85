// Decides which event a write is for somebody who sees the entry as it was and as it is. Data only.

import type { ContentType, Entry, WriteAction } from '@plinth/kernel'
import type { EventName } from './config.ts'
import { fileUid } from './hooks.ts'

/** A write, as the caller of a webhook sees it. */
export interface SeenWrite {
  readonly action: WriteAction
  /** The entry before and after the write; null if the caller does not see it. */
  readonly before: Entry | null
  readonly after: Entry | null
  /** True if the entry was a draft before the write, regardless of the caller's rights. */
  readonly wasDraft: boolean
  /** True if the entry is a draft after the write, regardless of the caller's rights. */
  readonly isDraft: boolean
}

/** An event with the entry that it is about. */
export interface SeenEvent {
  readonly name: EventName
  readonly entry: Entry
}

/** Returns the event of a write; null if the caller sees nothing of it. */
export function eventOf(uid: string, write: SeenWrite): SeenEvent | null {
  const { action, before, after } = write
  const entry = after ?? before
  if (entry === null) return null
  if (uid === fileUid) return { name: mediaEventOf(write), entry }
  if (action !== 'update') return { name: `entry.${action}`, entry }
  return { name: changeOf(write), entry }
}

function mediaEventOf({ action, after }: SeenWrite): EventName {
  return action === 'update' && after === null ? 'media.delete' : `media.${action}`
}

/**
 * Returns the event of an update. An entry that becomes visible to the caller is published; one that stops being visible is
 * unpublished.
 */
function changeOf({ before, after, wasDraft, isDraft }: SeenWrite): EventName {
  if (before === null || (after !== null && wasDraft && !isDraft)) return 'entry.publish'
  if (after === null || (!wasDraft && isDraft)) return 'entry.unpublish'
  return 'entry.update'
}

/** Returns whether entries of a type may be drafts. */
export function mayBeDrafts({ attributes, options }: ContentType): boolean {
  return (options as { readonly draftAndPublish?: unknown }).draftAndPublish === true && attributes.has('publishedAt')
}

/** The body of a request, as v4 sends it (B-10.74). */
export function bodyOf(type: ContentType, createdAt: string, { name, entry }: SeenEvent): string {
  const head = { event: name, createdAt }
  if (type.uid === fileUid) return JSON.stringify({ ...head, media: entry })
  return JSON.stringify({ ...head, model: type.singularName, uid: type.uid, entry })
}
