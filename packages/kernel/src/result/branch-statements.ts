// The statements about the parents of one node: which of them, for these parents. Does not know how they are run, nor
// what becomes of the rows.

import type { BoundStatement } from '../connection/session.ts'
import { usualRowsOf } from '../plan/row-cost.ts'
import type { CompiledBranch, CompiledNode } from '../sql/compile.ts'
import type { PlainFirst } from '../sql/plain-first.ts'
import { bind, type Statement } from '../sql/statement.ts'
import type { Fetch } from './fetch.ts'

/** A statement about some parents, which returns any number of rows for each. */
export interface ParentStatement {
  readonly statement: Statement
  /** The statement that is tried first for lists with a page; null for others. */
  readonly plain: PlainFirst | null
  /** The ids of the parents. */
  readonly ids: readonly unknown[]
  /** The rows that one parent usually has: an estimate, by which nothing is refused. */
  readonly usualRows: number
}

/** A statement with the values of a fetch, and with the ids of parents; `room` is that of `bind`. */
export function stepOf(
  { values, context }: Fetch,
  statement: Statement,
  ids: readonly unknown[],
  room?: number,
): BoundStatement {
  return { text: statement.text, values: bind(statement, values, context, ids, room) }
}

/** The statements of one branch for the parents with these ids. */
export function statementsOf(
  branch: CompiledBranch,
  ids: readonly unknown[],
  values: readonly unknown[],
): ParentStatement[] {
  const usualRows = usualRowsOf(branch.plan, values)
  switch (branch.kind) {
    case 'empty':
      return []
    case 'zone': {
      // The estimate is that of all types together.
      const each = usualRows / Math.max(1, branch.children.length)
      return branch.children.map(({ statement }) => ({ statement, plain: null, ids, usualRows: each }))
    }
    case 'morph':
      return [{ statement: branch.links, plain: null, ids, usualRows }]
    case 'count':
      return [{ statement: branch.statement, plain: null, ids, usualRows }]
    default:
      return [{ statement: branch.statement, plain: branch.plain, ids, usualRows }]
  }
}

/** The statement of a member of the `meta` of entries; of a list, the estimate is that of a short one. */
export function metaStatement({ statement }: CompiledNode['meta'][number], ids: readonly unknown[]): ParentStatement {
  return { statement, plain: null, ids, usualRows: statement.isBounded ? usualValues : 1 }
}

const usualValues = 5
