// Makes the indexes on which nothing but speed depends, one after the other, while others read and write. One process at a
// time does so, and the others find them made. A failure is a message and nothing else: the next start tries again.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../connection/database.ts'
import type { OnlineIndexing } from '../connection/ddl.ts'
import type { Session } from '../connection/session.ts'
import type { Registry } from '../model/registry.ts'
import { lockTimeoutSeconds, underLock } from './lock.ts'
import { makePlan } from './plan.ts'
import type { MigrationStep } from './step.ts'

/** The indexes that were made and that were not. */
export interface OnlineIndexes {
  readonly done: readonly MigrationStep[]
  /** The steps that have failed, with the reasons. */
  readonly failed: ReadonlyMap<string, string>
}

/** The input of makeOnlineIndexes(). */
export interface IndexWork {
  readonly database: Database
  readonly registry: Registry
  /** Ends the work before the next index; the one that is being made is made by the server all the same. */
  readonly signal?: AbortSignal
}

/** Milliseconds after which a process looks whether another one has made the indexes. */
const interval = 250

/** Makes the indexes that are missing. Throws what reading the catalogue throws. */
export async function makeOnlineIndexes(work: IndexWork): Promise<OnlineIndexes> {
  const { database } = work
  const { onlineIndexing } = database.ddl
  const pending = await database.readUnlimited(session => pendingIn(work, session))
  if (pending.length === 0) return { done: [], failed: new Map() }
  if (onlineIndexing === null) return inTransactions(work, pending)
  if (onlineIndexing.refusal !== null) return failed(pending, onlineIndexing.refusal)
  return database.onOwnConnection(session => whileOthersWork(work, onlineIndexing, session))
}

async function pendingIn({ database, registry }: IndexWork, session: Session): Promise<readonly MigrationStep[]> {
  const { steps } = await makePlan(database.ddl, session, registry, { drops: false })
  return steps.filter(step => step.isOnline === true)
}

/** Makes each index in a transaction of its own, for which other writers wait. */
async function inTransactions(work: IndexWork, pending: readonly MigrationStep[]): Promise<OnlineIndexes> {
  const { database, signal } = work
  const done: MigrationStep[] = []
  const failures = new Map<string, string>()
  for (const { name } of pending) {
    if (signal?.aborted === true) break
    try {
      const step = await underLock(database, async tx => {
        // Another process may have made it.
        const due = (await pendingIn(work, tx)).find(one => one.name === name)
        if (due !== undefined) await runAll(tx, due.sql)
        return due
      })
      if (step !== undefined) done.push(step)
    } catch (error) {
      failures.set(name, (error as Error).message)
    }
  }
  return { done, failed: failures }
}

/** Makes the indexes on a connection without a transaction, when no other process does. */
async function whileOthersWork(
  work: IndexWork,
  { opening, tryLock }: OnlineIndexing,
  session: Session,
): Promise<OnlineIndexes> {
  await runAll(session, opening)
  const done: MigrationStep[] = []
  const failures = new Map<string, string>()
  const end = Date.now() + lockTimeoutSeconds * 1000
  const isDue = (step: MigrationStep) => !failures.has(step.name)
  while (work.signal?.aborted !== true) {
    const isLocked = Number((await session.all(tryLock, []))[0]?.[0]) === 1
    // Read again under the lock: another process may have made some of them.
    const pending = (await pendingIn(work, session)).filter(isDue)
    if (pending.length === 0) break
    if (isLocked) {
      await makeEach(work, { session, pending, done, failures })
      break
    }
    if (Date.now() > end)
      return { done, failed: failed(pending, 'another process has made indexes for ten minutes').failed }
    await sleep(interval, undefined, { signal: work.signal }).catch(() => {})
  }
  return { done, failed: failures }
}

/** The steps that one process makes, and what becomes of them. */
interface OnlineIndexRun {
  readonly session: Session
  readonly pending: readonly MigrationStep[]
  readonly done: MigrationStep[]
  readonly failures: Map<string, string>
}

async function makeEach({ signal }: IndexWork, { session, pending, done, failures }: OnlineIndexRun): Promise<void> {
  for (const step of pending) {
    if (signal?.aborted === true) return
    try {
      await runAll(session, step.sql)
      done.push(step)
    } catch (error) {
      failures.set(step.name, (error as Error).message)
    }
  }
}

async function runAll(session: Session, texts: readonly string[]): Promise<void> {
  for (const text of texts) await session.run(text, [])
}

function failed(steps: readonly MigrationStep[], why: string): OnlineIndexes {
  return { done: [], failed: new Map(steps.map(({ name }) => [name, why])) }
}
