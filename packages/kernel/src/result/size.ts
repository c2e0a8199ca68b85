// Computes the size of an answer from its rows before it is written: rows are fetched once but written once per parent,
// so few rows can become millions of entries. Transports set the limits.

import type { AnswerLimits } from '../context.ts'
import { ValidationError } from '../errors.ts'
import type { AnswerBranch } from './answer-node.ts'
import type { BranchRows, NodeRows, Row } from './node-rows.ts'

/** The size of an answer. `bytes` approximates the length of its JSON; escapes are ignored. */
export interface AnswerSize {
  readonly entries: number
  readonly bytes: number
}

/** The size of an answer with these rows, computed in a time that depends only on the rows and links. */
export function sizeOf(of: NodeRows): AnswerSize {
  const sizes = sizesOf(of)
  let entries = 0
  let bytes = 0
  for (const row of of.rows) {
    const size = sizes.get(row[0])!
    entries += size.entries
    bytes += size.bytes
  }
  return { entries, bytes }
}

/** Throws ValidationError if an answer with these rows exceeds the limits. */
export function checkSize(of: NodeRows, limits: AnswerLimits): void {
  const { entries, bytes } = sizeOf(of)
  if (entries > limits.maxEntries) throw tooManyEntries(entries, limits)
  if (bytes > limits.maxBytes) throw tooManyBytes(bytes, limits)
}

const help = 'request a smaller page, fewer fields, or populate less'

/** 400: the answer has too many entries; `how` is `at least ` if they were not all counted. */
export function tooManyEntries(entries: number, { maxEntries }: AnswerLimits, how = ''): ValidationError {
  return new ValidationError(
    `The answer would have ${how}${entries} entries, but the limit is ${maxEntries}; ${help}`,
    {
      entries,
      maxEntries,
    },
  )
}

/** 400: the answer has too many bytes; `bytes` is a lower bound or an estimate. */
export function tooManyBytes(bytes: number, { maxBytes }: AnswerLimits): ValidationError {
  return new ValidationError(`The answer would have about ${bytes} bytes, but the limit is ${maxBytes}; ${help}`, {
    bytes,
    maxBytes,
  })
}

type Sizes = ReadonlyMap<unknown, AnswerSize>

/** The size of each row with everything below it, by its id. */
function sizesOf(of: NodeRows): Sizes {
  const { attributes } = of.node.plan
  const fixed = attributes.reduce((sum, { name }) => sum + name.length + 4, 30)
  const below = of.branches.map((rows, i) => branchSizes(of.node.branches[i]!, rows))
  const sizes = new Map<unknown, AnswerSize>()
  for (const row of of.rows) {
    if (sizes.has(row[0])) continue
    let entries = 1
    let bytes = fixed + bytesOf(row, attributes.length)
    for (const sizeBelow of below) {
      const size = sizeBelow(row[0])
      entries += size.entries
      bytes += size.bytes
    }
    sizes.set(row[0], { entries, bytes })
  }
  return sizes
}

function bytesOf(row: Row, columns: number): number {
  let bytes = 0
  for (let i = 1; i <= columns; i++) {
    const raw = row[i]
    bytes += typeof raw === 'string' ? raw.length + 2 : 4
  }
  return bytes
}

/** Returns the size of a branch by parent id. */
function branchSizes({ kind, plan }: AnswerBranch, rows: BranchRows): (id: unknown) => AnswerSize {
  const none = { entries: 0, bytes: plan.name.length + 15 }
  const most = kind === 'zone' || plan.attribute.many ? Number.POSITIVE_INFINITY : 1
  if (rows.kind === 'rows') {
    const sizes = sizesOf(rows.child)
    return id => sum(rows.groups.get(id), row => sizes.get(row[0])!, none, most)
  }
  if (rows.kind === 'members') {
    const sizesByRows = new Map<NodeRows, Sizes>()
    return id =>
      sum(
        rows.groups.get(id),
        ({ row, of }) => {
          const sizes = sizesByRows.get(of) ?? sizesOf(of)
          sizesByRows.set(of, sizes)
          return sizes.get(row[0])!
        },
        none,
        most,
      )
  }
  return () => none
}

/** `most`: how many members of the group are written. */
function sum<T>(
  group: readonly T[] | undefined,
  size: (one: T) => AnswerSize,
  none: AnswerSize,
  most: number,
): AnswerSize {
  if (group === undefined) return none
  let { entries, bytes } = none
  for (let i = 0; i < group.length && i < most; i++) {
    const memberSize = size(group[i]!)
    entries += memberSize.entries
    bytes += memberSize.bytes
  }
  return { entries, bytes }
}
