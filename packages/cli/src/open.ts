// Opens the application in a folder as a kernel that has loaded the model and has changed nothing in the database.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Command, createKernel, type Kernel, redactText } from '@plinth/kernel'
import { errorLog } from './error-log.ts'
import { Failure } from './failure.ts'
import { refuseMissingFile, withoutNewFile } from './missing-file.ts'

/**
 * Prefixes of the tables of v4's plugins, and of the record of an import that has not ended: a plan drops none of them,
 * also if no plugin of Plinth's is enabled for them.
 */
export const tablesOfV4: readonly string[] = ['up_', 'upload_', 'files', 'i18n_', 'plinth_import']

/**
 * Tables of Plinth's own that no content type has: those that Plinth's plugins make themselves (`ownTables`), which may be
 * left from a plugin that is not enabled any more, and the record of an import.
 */
export const ownTables: readonly string[] = [
  'entry_versions_key',
  'idempotency_answers',
  'plinth_advice',
  'plinth_import',
  'upload_journal',
  'webhooks_dead',
  'webhooks_outbox',
  'webhooks_stored',
]

/** Tells a kernel which tables of a v4 database have no content type. */
export const keepTablesOfV4 = (kernel: Kernel): void => kernel.contentTypes.addForeignTables(tablesOfV4)

/** The option for the folder of the application, which every command has. */
export const dirOption = { type: 'string', description: "the application's folder", valueHint: 'folder' } as const

/** Returns whether a folder contains an application. */
export const isApplication = (dir: string): boolean =>
  ['config', 'src/api', 'src/components'].some(name => existsSync(join(resolve(dir), name)))

/** The message for a folder that contains no application. */
export const noApplication = (dir: string): string =>
  `${resolve(dir)} contains no application: it has none of config/, src/api/ and src/components/`

/** The absolute folder that `--dir` names. Throws if it contains no application. */
export function folderOf(dir = '.'): string {
  if (!isApplication(dir)) throw new Failure(noApplication(dir))
  return resolve(dir)
}

/** Maximum time in which the plugins of an application close what they have opened, in milliseconds. */
const maxTime = 5000

/**
 * Runs `work` with the kernel, and closes the kernel. Throws what `work` throws, whatever becomes of the closing.
 * `withoutDatabase` says what happens if the file of SQLite is not there: by default, `work` has an empty database in memory.
 */
export async function withKernel<T>(
  dir: string | undefined,
  work: (kernel: Kernel) => Promise<T>,
  { withoutDatabase = 'run' }: Pick<Command, 'withoutDatabase'> = {},
): Promise<T> {
  const logger = { ...errorLog, info: (text: string) => console.error(redactText(text)), warn: () => {} }
  const folder = folderOf(dir)
  if (withoutDatabase === 'refuse') await refuseMissingFile(folder)
  const options = withoutDatabase === 'run' ? await withoutNewFile(folder) : {}
  const kernel = await createKernel({ ...options, dir: folder, migrate: 'none', logger, configure: keepTablesOfV4 })
  return closing(
    () => kernel.close(),
    () => work(kernel),
  )
}

/**
 * Runs `work`, then `close`, for which it does not wait longer than five seconds. What `work` throws is thrown even if the
 * closing fails or does not end, because it is the reason why the command fails.
 */
export async function closing<T>(close: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  const timer = new AbortController()
  const late = (closed: Promise<unknown>) =>
    Promise.race([
      closed,
      delay(maxTime, null, { signal: timer.signal }).then(() => {
        throw new Failure(`the application did not close within ${maxTime / 1000} seconds`)
      }),
    ]).finally(() => timer.abort())
  let value: T
  try {
    value = await work()
  } catch (error) {
    await late(close()).catch(fault => console.error(redactText(`plinth: ${(fault as Error).message}`)))
    throw error
  }
  await late(close())
  return value
}
