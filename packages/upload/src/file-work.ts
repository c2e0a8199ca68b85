// The work on stored files that is due: that of one line of the journal, and how later work takes the place of earlier
// work on the same file. Data only; knows neither the table nor providers.

import { createHash } from 'node:crypto'

/** The work on files that is due, by their keys. */
export interface FileWork {
  /** The provider that has them. */
  readonly provider: string
  readonly remove: readonly string[]
  /** Content under a key of its own that gets another key, in the place of an earlier file of that key. */
  readonly move: readonly Move[]
}

export interface Move {
  readonly from: string
  readonly to: string
  readonly mime: string
  /** In bytes: what has another size is not the content, whatever the storage says. Lines of earlier versions have none. */
  readonly size?: number
}

/** The work of a line, as the table has it. */
export interface LineWork extends FileWork {
  /** Changes with the work; lines of uploads have none. */
  readonly version?: string
  /** True if an earlier attempt may still write: the work is done once more, later. */
  readonly isDoubtful?: boolean
  /** True if the work is done, and waits to be done once more. */
  readonly isDone?: boolean
}

/** The id of the line for changes of the file `key` and its formats: there is at most one. */
export function lineIdOf(provider: string, key: string): string {
  return createHash('sha1').update(`${provider}\0${key}`).digest('hex')
}

/** The work that remains when `later` takes the place of `earlier`, which may have been done in part. */
export function supersede(earlier: LineWork, later: LineWork): LineWork {
  const keysOfMoves = new Set(later.move.flatMap(({ from, to }) => [from, to]))
  const left = [...earlier.remove, ...earlier.move.flatMap(({ from, to }) => [from, to])]
  const remove = new Set([...later.remove, ...left].filter(key => !keysOfMoves.has(key)))
  const isDoubtful = earlier.isDoubtful === true || earlier.isDone === true
  return { ...later, remove: [...remove], ...(isDoubtful && { isDoubtful }) }
}
