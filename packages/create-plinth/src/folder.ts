// Writes an application into a new folder, and never over anything.

import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Files } from './project/files-by-path.ts'
import { Refusal } from './refusal.ts'

/** Makes the folder. Throws Refusal if it has files already, or is one. */
export async function makeFolder(dir: string, folder: string): Promise<void> {
  const entries = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new Refusal(error.code === 'ENOTDIR' ? `${folder} is a file` : error.message)
  })
  if (entries.length > 0) {
    const firstNames = `${entries.slice(0, 3).join(', ')}${entries.length > 3 ? ', …' : ''}`
    throw new Refusal(
      `the folder ${folder} is not empty (${firstNames}): choose another one, which nothing is written over`,
    )
  }
  await mkdir(dir, { recursive: true })
}

/** Writes the files. Nobody else of this machine may read those that have secrets. */
export async function writeFiles(dir: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const target = join(dir, path)
    const mode = path === '.env' ? 0o600 : 0o644
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text, { flag: 'wx', mode })
    // The mask of the process may have taken more away, but never leaves more.
    if (path === '.env') await chmod(target, mode)
  }
}

/** Removes what was written, so that the next attempt finds the folder as this one did. */
export async function clearFolder(dir: string): Promise<void> {
  for (const name of await readdir(dir)) await rm(join(dir, name), { recursive: true })
}
