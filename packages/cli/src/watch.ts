// Watches the files that make an application: those below src, config and database/migrations, and settings and code in
// the folder itself. Node's own recursive watching misses files that editors replace on Linux; folders are watched here.

import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'

/** The folders of an application that are watched with all folders in them. */
const roots = ['src', 'config', 'database/migrations']

/** Files that editors, databases and logs write while nothing of the application changes. */
const noise = /^\.(?!env)|^\.env\.lock$|~$|^4913$|\.(?:swp|swx|tmp|log|db|sqlite3?)(?:-\w+)?$|^node_modules$/

/** The names of files that count in the folder of the application itself. */
const settings = /^\.env|\.[cm]?[jt]s$|^package\.json$/

/** Watches until `close`. */
export class Watch {
  readonly #dir: string
  readonly #roots: readonly string[]
  readonly #onChange: (path: string) => void
  readonly #watchers = new Map<string, FSWatcher>()

  /** `more`: further folders. `onChange` is called with each path that has changed, relative to `dir`. */
  constructor(dir: string, more: readonly string[], onChange: (path: string) => void) {
    this.#dir = dir
    this.#roots = [...roots, ...more].map(one => join(dir, one))
    this.#onChange = onChange
    this.#add(dir)
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  /** Returns whether a folder is a root, in one, or on the way to one. */
  #counts(folder: string): boolean {
    return this.#roots.some(root => isWithin(root, folder) || isWithin(folder, root))
  }

  #add(folder: string): void {
    this.#remove(folder)
    try {
      const watcher = watch(folder, (event, name) => this.#note(event, folder, name))
      // A folder that is removed: the watcher of its parent reports it.
      watcher.on('error', () => watcher.close())
      this.#watchers.set(folder, watcher)
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory() && !noise.test(entry.name) && this.#counts(join(folder, entry.name)))
          this.#add(join(folder, entry.name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }

  /** Ends watching a folder and those in it. */
  #remove(folder: string): void {
    for (const [path, watcher] of this.#watchers)
      if (isWithin(path, folder)) {
        watcher.close()
        this.#watchers.delete(path)
      }
  }

  #note(event: string, folder: string, name: string | null): void {
    if (name === null || noise.test(basename(name))) return
    const path = join(folder, name)
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
    if (isFolder) {
      // Nothing about the folder itself matters, but it may be new, or another one than before.
      if (event !== 'rename' || !this.#counts(path)) return
      this.#add(path)
    } else if (this.#watchers.has(path)) this.#remove(path)
    const isIn = this.#roots.some(root => isWithin(path, root))
    if (isIn || (folder === this.#dir && settings.test(name))) this.#onChange(relative(this.#dir, path))
  }
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(folder + sep)
