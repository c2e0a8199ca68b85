// Tells which statements of a fetch are the last ones, so that the snapshot of the read ends with them. Does not know how
// statements are run.

import type { Rows } from '../connection/session.ts'
import type { CompiledBranch, CompiledNode } from '../sql/compile.ts'
import type { Row } from './node-rows.ts'

/** Thrown by a fetch whose last statements were sent with the end of the snapshot, and which needs further ones. */
export class SnapshotEndedError extends Error {
  constructor() {
    super('The read needs another statement after the end of its snapshot')
  }
}

/** Returns whether rows of a node have nothing below that a statement reads. */
export function isLeaf({ branches, meta }: CompiledNode): boolean {
  return meta.length === 0 && branches.every(({ kind }) => kind === 'empty')
}

/** Returns whether no statement follows those of a branch, whatever rows they have. */
export function endsFetch(branch: CompiledBranch): boolean {
  switch (branch.kind) {
    case 'relation':
    case 'component':
      return isLeaf(branch.child)
    case 'zone':
      return branch.children.every(({ child }) => isLeaf(child))
    case 'morph':
      return false
    default:
      return true
  }
}

/** Returns the index of the last branch below whose rows a statement follows; -1 if none follows. */
export function lastBranchOf(branches: readonly CompiledBranch[], answers: readonly (readonly Rows[])[]): number {
  return branches.findLastIndex((branch, i) => continues(branch, answers[i]!))
}

function continues(branch: CompiledBranch, answers: readonly Rows[]): boolean {
  if (endsFetch(branch)) return false
  if (branch.kind !== 'zone') return answers[0]!.length > 0
  return branch.children.some(({ child }, i) => continuesBelow(child, answers[i]!))
}

/** Returns whether a statement follows below rows of a node. */
export function continuesBelow(node: CompiledNode, rows: readonly Row[]): boolean {
  return rows.length > 0 && !isLeaf(node)
}
