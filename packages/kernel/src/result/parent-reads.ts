// Runs the statements about the parents of one node, and counts their rows. Usually all of them run in one batch, for
// all parents. Where more rows are expected than may still be fetched, each runs for as many parents as there is room
// for. Does not know what becomes of the rows.

import type { Rows } from '../connection/session.ts'
import { type ParentStatement, stepOf } from './branch-statements.ts'
import type { Fetch } from './fetch.ts'
import { SnapshotEndedError } from './last-statements.ts'

/**
 * The rows of each statement. Throws ValidationError as soon as more rows were fetched than the count allows. All
 * statements of a batch together return about as many as that, or those of a few pages more where lists are tried
 * plainly. `isLast`: nothing is read after them, so the snapshot of the read may end with them; throws SnapshotEndedError
 * if more must be read all the same.
 */
export function readOfParents(
  fetch: Fetch,
  statements: readonly ParentStatement[],
  isLast: boolean,
): Promise<readonly Rows[]> {
  let expected = 0
  for (const { ids, usualRows } of statements) expected += ids.length * usualRows
  return expected <= fetch.rowCount.left ? readTogether(fetch, statements, isLast) : readOneByOne(fetch, statements)
}

/** Counts the rows of a statement. Throws ValidationError, and NoRoomError. */
export function countRows(fetch: Fetch, rows: Rows): void {
  fetch.counted += rows.length
  fetch.rowCount.add(rows.length)
  if (fetch.bytes !== null) fetch.bytes.addRows(rows)
}

async function readTogether(
  fetch: Fetch,
  statements: readonly ParentStatement[],
  isLast: boolean,
): Promise<readonly Rows[]> {
  if (statements.length === 0) return []
  const share = shareOf(fetch, statements)
  const plain = statements.map(one => choosePlain(one, fetch.values))
  const steps = statements.map(({ statement, ids }, i) => stepOf(fetch, plain[i]?.statement ?? statement, ids, share))
  const results = [...(await fetch.session.batch(steps, isLast))]
  const ranked: number[] = []
  const longer: number[] = []
  for (const [i, one] of statements.entries()) {
    const rows = results[i]!
    const cut = plain[i] === null ? rows : plain[i]!.cut(rows, one.ids.length, fetch.values)
    if (cut === null) ranked.push(i)
    else if (plain[i] === null && one.statement.isBounded && rows.length > share) longer.push(i)
    else {
      results[i] = cut
      countRows(fetch, cut)
    }
  }
  if (isLast && (ranked.length > 0 || (longer.length > 0 && statements.length > 1))) throw new SnapshotEndedError()
  await readRanked(fetch, { statements, results, ranked })
  for (const i of longer) {
    // Rows beyond the share of the only list are beyond the limit.
    if (statements.length > 1) results[i] = await readWhole(fetch, statements[i]!)
    countRows(fetch, results[i]!)
  }
  return results
}

/** Lists with a page that did not come whole, all of them in one batch; their pages were expected to have room. */
async function readRanked(
  fetch: Fetch,
  {
    statements,
    results,
    ranked,
  }: { statements: readonly ParentStatement[]; results: Rows[]; ranked: readonly number[] },
): Promise<void> {
  if (ranked.length === 0) return
  const { left } = fetch.rowCount
  const steps = ranked.map(i => stepOf(fetch, statements[i]!.statement, statements[i]!.ids, left))
  const answers = await fetch.session.batch(steps)
  for (const [n, i] of ranked.entries()) {
    results[i] = answers[n]!
    countRows(fetch, results[i]!)
  }
}

async function readWhole(fetch: Fetch, { statement, ids }: ParentStatement): Promise<Rows> {
  const { text, values } = stepOf(fetch, statement, ids, fetch.rowCount.left)
  return fetch.session.all(text, values)
}

/** Returns the number of rows that each statement of a batch may return, so that all together return what is left. */
function shareOf({ rowCount }: Fetch, statements: readonly ParentStatement[]): number {
  let { left } = rowCount
  let lists = 0
  for (const { statement, ids } of statements) {
    if (statement.isBounded) lists++
    else left -= ids.length
  }
  return lists === 0 ? left : Math.max(0, Math.floor(left / lists))
}

async function readOneByOne(fetch: Fetch, statements: readonly ParentStatement[]): Promise<readonly Rows[]> {
  const results: Rows[] = []
  for (const one of statements) results.push(await readInBatches(fetch, one))
  return results
}

/**
 * The rows of all parents, first of as many as there is room for. Each further batch has twice the parents of the one
 * before, whose rows had room: so parents with few rows do not take many statements.
 */
async function readInBatches(fetch: Fetch, parentStatement: ParentStatement): Promise<Rows> {
  const { ids, usualRows } = parentStatement
  const all: Rows = []
  let size = Math.max(1, Math.ceil((fetch.rowCount.left + 1) / usualRows))
  let at = 0
  while (at < ids.length) {
    const [rows] = await readTogether(fetch, [{ ...parentStatement, ids: ids.slice(at, at + size) }], false)
    for (const row of rows!) all.push(row)
    at += size
    size *= 2
  }
  return all
}

/** The plain statement, if this fetch runs it instead of the one by rank. */
function choosePlain({ plain, ids }: ParentStatement, values: readonly unknown[]) {
  return plain?.isChosen(ids.length, values) === true ? plain : null
}
