// Runs the statements of the branches of one node: which of them, for these parents, and once more for lists that did
// not come whole. Does not know what becomes of the rows.

import type { BoundStatement, Rows } from '../database/session.ts'
import type { CompiledBranch } from '../sql/compile.ts'
import type { PlainFirst } from '../sql/plain-first.ts'
import { bind, type Statement } from '../sql/statement.ts'
import type { Fetch } from './rows.ts'

/** A statement with the values of a fetch, and with the ids of parents. */
export function stepOf({ values, context }: Fetch, statement: Statement, ids: readonly unknown[]): BoundStatement {
  return { text: statement.text, values: bind(statement, values, context, ids) }
}

/** The statements of all branches of a node, for one fetch and its parents. */
export class BranchStatements {
  /** What is to be run first. */
  readonly steps: readonly BoundStatement[]
  readonly #fetch: Fetch
  readonly #branches: readonly CompiledBranch[]
  readonly #ids: readonly unknown[]
  /** Parallel to the branches; null where a branch is not asked for plainly. */
  readonly #plain: readonly (PlainFirst | null)[]

  constructor(fetch: Fetch, branches: readonly CompiledBranch[], ids: readonly unknown[]) {
    this.#fetch = fetch
    this.#branches = branches
    this.#ids = ids
    this.#plain = branches.map(branch => choosePlain(branch, ids.length, fetch.values))
    this.steps = branches.flatMap((branch, i) => {
      const plain = this.#plain[i]!
      return this.#bound(plain === null ? statementsOf(branch) : [plain.statement])
    })
  }

  /**
   * The rows of each branch, by its statements, from the answers to `steps`. Lists with a page are cut; those that did
   * not come whole are asked for by rank, all of them in one batch.
   */
  async rows(answers: readonly Rows[]): Promise<readonly (readonly Rows[])[]> {
    let at = 0
    const found = this.#branches.map((branch): readonly Rows[] => {
      const start = at
      at += statementsOf(branch).length
      return answers.slice(start, at)
    })
    const again: number[] = []
    for (const [i, plain] of this.#plain.entries()) {
      if (plain === null) continue
      const rows = plain.cut(found[i]![0]!, this.#ids.length, this.#fetch.values)
      if (rows === null) again.push(i)
      else found[i] = [rows]
    }
    if (again.length === 0) return found
    const ranked = await this.#fetch.session.batch(again.flatMap(i => this.#bound(statementsOf(this.#branches[i]!))))
    for (const [n, i] of again.entries()) found[i] = [ranked[n]!]
    return found
  }

  #bound(statements: readonly Statement[]): BoundStatement[] {
    return statements.map(statement => stepOf(this.#fetch, statement, this.#ids))
  }
}

/** The plain statement of a branch, if this fetch runs it instead of the one by rank. */
function choosePlain(branch: CompiledBranch, parents: number, values: readonly unknown[]): PlainFirst | null {
  if (branch.kind !== 'relation' && branch.kind !== 'component') return null
  return branch.plain?.isChosen(parents, values) === true ? branch.plain : null
}

/** The statements of a branch that take its parents' ids. */
function statementsOf(branch: CompiledBranch): readonly Statement[] {
  switch (branch.kind) {
    case 'empty':
      return []
    case 'zone':
      return branch.children.map(child => child.statement)
    case 'morph':
      return [branch.links]
    default:
      return [branch.statement]
  }
}
