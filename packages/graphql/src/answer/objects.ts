// Makes the objects of the fields of the root, in the same structure as the answer: of rows, or of the entries that
// lifecycles have received.

import type { Entry, NodeRows } from '@plinth/kernel'
import type { ObjectOutput } from '../operation/output.ts'
import type { PageMembers } from '../operation/page.ts'
import type { InheritedByNode } from '../operation/question.ts'
import { entryObject } from './entries.ts'
import type { Refusals } from './refused.ts'
import { responseObject } from './response-object.ts'
import type { EntryChange } from './root-writer.ts'
import { rowObjects } from './rows.ts'
import type { ResponseInfo, Source } from './source.ts'

/** The result of a field of the root. */
export interface RootRows {
  readonly rows: NodeRows | null
  /** The entries as lifecycles have left them; without lifecycles the rows are the answer. */
  readonly entries?: readonly Entry[] | undefined
  /** The members of `meta.pagination`; null if the field shows no list. */
  readonly page: PageMembers | null
  readonly refusals: Refusals
  /** The parameters that hold for its nodes. */
  readonly inherited: InheritedByNode
  /** The change that the field reports; absent in queries and mutations. */
  readonly change?: EntryChange
}

/** The object of a field of the root. `info` is what code of extensions receives about it. */
export function rootObject(output: ObjectOutput, root: RootRows, info?: ResponseInfo): Source {
  const { page, change } = root
  const source = responseObject(output, one => rootEntries(one, root), { isList: page !== null, page, info })
  return change === undefined ? source : { ...source, action: change.action, id: change.id }
}

function rootEntries(output: ObjectOutput, { rows, entries, refusals, inherited }: RootRows): Source[] {
  if (rows === null) return []
  const scope = { refusals, inherited, path: '' }
  if (entries === undefined) return rowObjects(output, rows.rows, { of: rows, scope })
  return entries.map(entry => entryObject(output, { ...scope, node: rows.node, entry }))
}
