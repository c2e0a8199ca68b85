// Does the same with several entries, one after the other, and says which the server has refused. An entry that has changed
// since the list was read is left as it is.

import { deleteOne, type EntryAddress, readVersioned, updateOne } from '../../api/entries.ts'
import { ApiError } from '../../api/errors.ts'
import { enqueue } from '../../api/write-queue.ts'
import type { ContentType, Entry, Model } from '../../model/types.ts'

export type BulkAction = 'publish' | 'unpublish' | 'delete'

export interface BulkFailure {
  readonly id: number
  readonly error: unknown
}

interface Bulk {
  readonly type: ContentType
  readonly model: Model
  /** The entries as the list shows them. */
  readonly entries: readonly Entry[]
  readonly action: BulkAction
  /** Called after each entry with the number of those that are done. */
  readonly onProgress: (done: number) => void
  readonly signal: AbortSignal
}

/** Returns what the server has refused. Entries behind the one at which it is stopped stay as they are. */
export async function runBulk({
  type,
  model,
  entries,
  action,
  onProgress,
  signal,
}: Bulk): Promise<readonly BulkFailure[]> {
  const failures: BulkFailure[] = []
  for (const [index, entry] of entries.entries()) {
    const { id } = entry
    if (signal.aborted) break
    try {
      await enqueue(() => runOne({ type, model, id }, entry, action))
    } catch (error) {
      failures.push({ id, error })
    }
    onProgress(index + 1)
  }
  return failures
}

async function runOne(address: EntryAddress, shownEntry: Entry, action: BulkAction): Promise<void> {
  const brief = { ...address, parameters: { fields: ['updatedAt'] } }
  const stored = await readVersioned(brief)
  if (stored === null || stored.entry.updatedAt !== shownEntry.updatedAt)
    throw new ApiError({ status: 412, name: 'PreconditionFailedError', message: '', details: null, retryAfter: null })
  const { version } = stored
  if (action === 'delete') await deleteOne(brief, version)
  else await updateOne(brief, { publishedAt: action === 'publish' ? new Date().toISOString() : null }, version)
}
