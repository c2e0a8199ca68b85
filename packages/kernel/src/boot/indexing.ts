// Makes missing indexes after the start of a server, beside its requests. Whatever goes wrong is one line in the log.

import { setTimeout as sleep } from 'node:timers/promises'
import { type IndexWork, makeOnlineIndexes } from '../migrate/online-indexes.ts'
import type { Logger } from './logger.ts'

/** The work of one kernel, under way or done. */
export interface Indexing {
  /** Resolves when the work has ended. Never rejects. */
  readonly ended: Promise<void>
  /** Begins no further index, and waits a moment for the one that is being made: a server finishes it by itself. */
  stop(): Promise<void>
}

/** Milliseconds that stop() waits. */
const maxWait = 2000

/** Begins to make the indexes that are missing. */
export function startIndexing({ log, ...work }: Omit<IndexWork, 'signal'> & { readonly log: Logger }): Indexing {
  const stopping = new AbortController()
  const ended = makeAll({ ...work, signal: stopping.signal }, log)
  return {
    ended,
    async stop() {
      stopping.abort()
      await Promise.race([ended, sleep(maxWait, undefined, { ref: false })])
    },
  }
}

async function makeAll(work: IndexWork, log: Logger): Promise<void> {
  try {
    const { done, failed } = await makeOnlineIndexes(work)
    for (const { says } of done) log.info(`The start ${says}`)
    for (const [name, why] of failed)
      log.warn(
        `The index ${name.slice('index:'.length)} could not be made, without which queries are slower; the next start tries again: ${why}`,
      )
  } catch (error) {
    if (work.signal?.aborted !== true)
      log.warn(`Missing indexes could not be made; the next start tries again: ${(error as Error).message}`)
  }
}
