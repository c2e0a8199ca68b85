// One write, as the writer sees it.

import type { Context } from '../context.ts'
import type { Prepared, ReadResult } from '../answer/execution.ts'
import type { Entry } from '../answer/rows.ts'
import type { Write } from '../hooks/write.ts'

/** `isRead`: somebody asked for the entry as it was before. */
export type OpenWrite = { -readonly [Key in keyof Write]: Write[Key] } & {
  isRead: boolean
  /** What the entry looked like when somebody looked at it; null where nobody did. */
  rowVersion: string | null
  /** What `lock` was given. */
  readonly lockedWith: (() => Promise<Iterable<number>>)[]
}

/** The answer of a write, to be serialized like that of a read. */
export type WriteResult = ReadResult & { readonly prepared: Prepared }

/** What a write has written. */
export interface Written {
  readonly id: number
  /** The row that its statement gave back: all of the answer. Null where it gave none. */
  readonly row: unknown[] | null
}

/** The row that a write gave back, as its answer. */
export function answerOf(asked: Prepared, row: unknown[]): WriteResult {
  return { rows: { node: asked.compiled.root, rows: [row], branches: [], meta: [] }, total: null, prepared: asked }
}

/** Finds the entry of a write where writes look for it. */
interface Entries {
  before(write: OpenWrite, id: number): Promise<Entry | null>
  read(uid: string, id: number, context: Context): Promise<Entry | null>
}

/** A write at its beginning. */
export function openWrite(
  { type, action, id, data, params, context }: Pick<Write, 'type' | 'action' | 'id' | 'data' | 'params' | 'context'>,
  entries: Entries,
): OpenWrite {
  let before: Promise<Entry | null> | null = null
  const isSingle = type.kind === 'singleType'
  const write: OpenWrite = {
    type,
    action,
    id,
    data,
    params,
    context,
    now: new Date().toISOString(),
    singleton: isSingle,
    lock: find => void write.lockedWith.push(find),
    serializable: false,
    completeness: action === 'create' ? 'full' : 'partial',
    tx: null,
    state: {},
    isRead: false,
    rowVersion: null,
    lockedWith: [],
    before: () => {
      write.isRead = true
      before ??= id === null ? Promise.resolve(null) : entries.before(write, write.id!)
      return before
    },
    after: () => (write.id === null ? Promise.resolve(null) : entries.read(type.uid, write.id, context)),
  }
  return write
}
