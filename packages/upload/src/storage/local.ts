// Stores files in a folder of this machine, which is what v4's provider `local` does. It knows no records.

import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StoredFile, UploadProvider } from '../provider.ts'
import { storageError } from './errors.ts'

/** The folder of files that are not complete, inside of the folder of files. No name of a file begins with a dot. */
const unfinished = '.unfinished'

/** Keys have no other characters, so none of them leads out of the folder (security.md row 80). */
const safeKey = /^[A-Za-z0-9_][\w.-]*$/

/** Returns whether `key` can be that of a file. */
export function isKey(key: string): boolean {
  return key.length <= 255 && safeKey.test(key)
}

/** A provider on a local folder. */
export class LocalProvider implements UploadProvider {
  /** The folder of the files. */
  readonly folder: string
  /** The folder of files on their way into it, on the same file system. */
  readonly spool: string

  constructor(folder: string) {
    this.folder = folder
    this.spool = join(folder, unfinished)
  }

  async store({ key, stream }: StoredFile, signal: AbortSignal): Promise<void> {
    const target = this.#pathOf(key)
    // A file of that key may be read until the rename.
    const path = this.#partOf(key)
    try {
      await mkdir(this.spool, { recursive: true })
      await pipeline(stream, createWriteStream(path, { flags: 'wx', flush: true }), { signal })
      await this.#place(path, target)
    } catch (error) {
      stream.destroy()
      await rm(path, { force: true })
      throw storageError(error)
    }
  }

  /** Stores a complete file by giving it its name. `path` must be in the folder `spool`. */
  async adopt(path: string, key: string): Promise<void> {
    try {
      await sync(path)
      await this.#place(path, this.#pathOf(key))
    } catch (error) {
      throw storageError(error)
    }
  }

  /**
   * Gives a stored file another name as well, in the place of an earlier file of that name. The content is not copied
   * if the file system has hard links. Rejects with the code ENOENT if there is no such file.
   */
  async duplicate(from: string, to: string): Promise<void> {
    const [source, target] = [this.#pathOf(from), this.#pathOf(to)]
    const path = this.#partOf(to)
    try {
      await mkdir(this.spool, { recursive: true })
      // The time of the change, by which browsers ask whether there is newer content. It also tells that the part is in use.
      const now = new Date()
      await utimes(source, now, now)
      await link(source, path).catch(error => copyInstead(error, source, path))
      await this.#place(path, target)
    } catch (error) {
      throw storageError(error)
    } finally {
      // A rename to a name that the content has already does nothing.
      await rm(path, { force: true })
    }
  }

  /** A new path in the folder of parts. It begins with the key, by which `remove` finds it. */
  #partOf(key: string): string {
    return join(this.spool, `${key}.${randomBytes(5).toString('hex')}`)
  }

  async #place(path: string, target: string): Promise<void> {
    await rename(path, target)
    await sync(this.folder)
  }

  async remove(key: string): Promise<void> {
    await rm(this.#pathOf(key), { force: true })
    const parts = await readdir(this.spool).catch(() => [])
    const own = parts.filter(name => name.startsWith(`${key}.`))
    await Promise.all(own.map(name => rm(join(this.spool, name), { force: true })))
  }

  urlOf(key: string): string {
    return `/uploads/${key}`
  }

  async open(key: string): Promise<Readable> {
    const path = this.#pathOf(key)
    await stat(path)
    return createReadStream(path)
  }

  #pathOf(key: string): string {
    if (!isKey(key)) throw new TypeError(`${JSON.stringify(key)} cannot be the key of a file`)
    return join(this.folder, key)
  }
}

/** Copies a file of a file system without hard links; `error` says why there was none. */
async function copyInstead(error: unknown, source: string, path: string): Promise<void> {
  const { code } = error as { readonly code?: unknown }
  if (code === 'ENOENT' || code === 'ENOSPC' || code === 'EDQUOT') throw error
  await copyFile(source, path)
  await sync(path)
}

/** Waits until a file or a folder is on the disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
