// The files of a v4 project, read as text and parsed when they are asked for. Knows where v4 looks (B-13.3 to B-13.5).

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { importedBy } from '../syntax/imported.ts'
import { SourceModule } from '../syntax/module.ts'
import type { FileFault } from './model.ts'

const endings = ['.ts', '.js', '.cjs', '.mjs', '.mts', '.cts', '.json']

/** Reads files of one project, each once. */
export class Sources {
  readonly dir: string
  readonly #modules = new Map<string, SourceModule | null>()
  readonly #faults: FileFault[] = []
  #code: readonly string[] | null = null

  constructor(dir: string) {
    this.dir = dir
  }

  /** Files that could not be parsed. */
  get faults(): readonly FileFault[] {
    return this.#faults
  }

  /** The names in a folder, sorted; none if it is not there. */
  list(folder: string): readonly string[] {
    const path = join(this.dir, folder)
    return this.#isFolder(folder) ? readdirSync(path).sort() : []
  }

  /** The names of the folders in a folder. */
  folders(folder: string): readonly string[] {
    return this.list(folder).filter(name => this.#isFolder(`${folder}/${name}`))
  }

  /** The files of code or JSON in a folder, with their names without ending; also if they differ only in it. */
  files(folder: string, isJsonToo = true): readonly { readonly name: string; readonly path: string }[] {
    return this.list(folder).flatMap(file => {
      const [, name, ending] = /^(.+)(?<!\.d)(\.[cm]?[jt]s|\.json)$/.exec(file) ?? []
      if (name === undefined || (ending === '.json' && !isJsonToo)) return []
      return this.#isFile(`${folder}/${file}`) ? [{ name, path: `${folder}/${file}` }] : []
    })
  }

  /** All files of code below a folder, but for those of packages and of the administration panel. */
  below(folder: string): readonly string[] {
    const path = join(this.dir, folder)
    if (!existsSync(path)) return []
    const entries = readdirSync(path, { recursive: true, withFileTypes: true })
    return entries
      .filter(one => /(?<!\.d)\.[cm]?[jt]s$/.test(one.name) && !/\.(?:example|test|spec)\./.test(one.name))
      .map(one => relative(this.dir, join(one.parentPath, one.name)).replaceAll('\\', '/'))
      .filter(one => !/(?:^|\/)node_modules\/|^src\/(?:plugins\/[^/]+\/)?admin\//.test(one) && this.#isFile(one))
      .sort()
  }

  /** The files whose code v4 runs: of `src`, of `config`, which has the cron tasks, and what they import of the project. */
  code(): readonly string[] {
    if (this.#code !== null) return this.#code
    const files = new Set([...this.below('src'), ...this.below('config')])
    // A set gives what is added to it while it is read.
    for (const file of files)
      for (const source of importedBy(this.module(file)?.program ?? [])) {
        const path = posix.normalize(posix.join(posix.dirname(file), source))
        const located = path.startsWith('..') || /(?:^|\/)node_modules\//.test(path) ? null : this.locate(path)
        if (located !== null && !located.endsWith('.json')) files.add(located)
      }
    this.#code = [...files]
    return this.#code
  }

  /** The file that a path without ending means; null if there is none. */
  locate(path: string): string | null {
    const candidates = [path, ...endings.map(one => path + one), ...endings.map(one => `${path}/index${one}`)]
    const bare = path.replace(/\.[cm]?js$/, '')
    if (bare !== path) candidates.push(`${bare}.ts`)
    return candidates.find(one => this.#isFile(one)) ?? null
  }

  /** The text of a file, without the mark by which editors say that it is UTF-8. */
  text(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8').replace(/^\uFEFF/, '')
  }

  /** The file as a module; null if it could not be parsed, which `faults` then has. */
  module(path: string): SourceModule | null {
    const cached = this.#modules.get(path)
    if (cached !== undefined) return cached
    // Set first: modules may import each other in a circle.
    this.#modules.set(path, null)
    try {
      const module = new SourceModule(path, this.text(path), (from, source) => this.#imported(from, source))
      this.#modules.set(path, module)
      return module
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      const line = (error as { readonly loc?: { readonly line: number } }).loc?.line ?? 0
      this.#faults.push({ file: path, line, why: `it cannot be parsed: ${error.message}` })
      return null
    }
  }

  // Of a symbolic link that leads nowhere, neither is true.
  #isFile = (path: string) => statSync(join(this.dir, path), { throwIfNoEntry: false })?.isFile() === true
  #isFolder = (path: string) => statSync(join(this.dir, path), { throwIfNoEntry: false })?.isDirectory() === true

  #imported(from: string, source: string): SourceModule | null {
    const path = posix.normalize(posix.join(posix.dirname(from), source))
    if (path.startsWith('..')) return null
    const file = this.locate(path)
    return file === null ? null : this.module(file)
  }
}
