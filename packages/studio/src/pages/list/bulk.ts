// Does the same with several entries, one after the other, and says which the server has refused.

import { deleteOne, updateOne } from '../../api/entries.ts'
import { enqueue } from '../../api/write-queue.ts'
import type { ContentType, Model } from '../../model/types.ts'

export type BulkAction = 'publish' | 'unpublish' | 'delete'

export interface BulkFailure {
  readonly id: number
  readonly error: unknown
}

interface Bulk {
  readonly type: ContentType
  readonly model: Model
  readonly ids: readonly number[]
  readonly action: BulkAction
  /** Called after each entry with the number of those that are done. */
  readonly onProgress: (done: number) => void
  readonly signal: AbortSignal
}

/** Returns what the server has refused. Entries behind the one at which it is stopped stay as they are. */
export async function runBulk({ type, model, ids, action, onProgress, signal }: Bulk): Promise<readonly BulkFailure[]> {
  const failures: BulkFailure[] = []
  for (const [index, id] of ids.entries()) {
    if (signal.aborted) break
    try {
      await enqueue(() => runOne({ type, model, id }, action))
    } catch (error) {
      failures.push({ id, error })
    }
    onProgress(index + 1)
  }
  return failures
}

async function runOne(address: Parameters<typeof updateOne>[0], action: BulkAction): Promise<void> {
  const brief = { ...address, parameters: { fields: ['id'] } }
  if (action === 'delete') await deleteOne(brief)
  else await updateOne(brief, { publishedAt: action === 'publish' ? new Date().toISOString() : null })
}
