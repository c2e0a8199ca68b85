// The folder for temporary files of a run of tests. It is removed with the process, also if that is stopped.

import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The space that the temporary files of tests need at most, in bytes. */
const neededSpace = 2 ** 30

/** The folder of the system whose files are in memory. */
export const memory = '/dev/shm'

/** Returns whether this number of bytes is free there. */
export function hasRoomInMemory(bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return process.platform === 'linux' && bavail * bsize >= bytes
  } catch {
    return false
  }
}

/** Makes the folder: in memory if there is room, because databases of tests need not survive anything. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(hasRoomInMemory(neededSpace) ? memory : tmpdir(), 'plinth-tests-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
