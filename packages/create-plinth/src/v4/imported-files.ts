// Takes along the files that the settings of a v4 project import, and theirs, and writes all of them as Node runs them.

import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { Language } from '../choices.ts'
import { needsOf } from './code.ts'
import { type ImportedFile, isCommonJs, moduleForm } from './module-form.ts'
import { plainText } from './plain-text.ts'

/** Files of an application, by their paths, which are those of the project. */
export interface ImportContext {
  readonly dir: string
  readonly language: Language
  /** The files of settings; those that they import are added. */
  readonly files: Record<string, string>
  /** The sentences that the owner should read. */
  readonly left: string[]
}

const isProgram = (path: string) => /\.[cm]?[jt]s$/.test(path)
const endings = ['', '.ts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js', '/index.json']

/** Adds the files, and changes those of TypeScript so that Node runs them. */
export async function takeImports({ dir, language, files, left }: ImportContext): Promise<void> {
  const settings = new Set(Object.keys(files))
  /** The file that an import of a file stands for. */
  const targets = new Map<string, string>()
  const queue = Object.keys(files).filter(isProgram)
  for (const path of queue) {
    for (const source of needsIn(path, files[path]!, left)) {
      const target = await locate({ dir, files }, posix.join(posix.dirname(path), source))
      const text = target === null ? null : (files[target] ?? plainText(await readFile(join(dir, target), 'utf8')))
      const fault = target === null ? 'which is not taken along: copy it' : reasonAgainst(target, text!)
      if (fault !== null) {
        left.push(`${path}: imports ${source}, ${fault}`)
        continue
      }
      targets.set(`${path}\n${source}`, target!)
      if (files[target!] !== undefined) continue
      files[target!] = text!
      if (isProgram(target!)) queue.push(target!)
    }
  }
  if (language === 'ts') writeModules({ files, left, targets, settings })
}

function needsIn(path: string, text: string, left: string[]): readonly string[] {
  try {
    return needsOf(text).files
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    left.push(`${path}: cannot be read: ${error.message}`)
    return []
  }
}

/** The file of the application or of the project; null if there is none, or if it is outside of the project. */
async function locate({ dir, files }: Pick<ImportContext, 'dir' | 'files'>, path: string): Promise<string | null> {
  if (path.startsWith('..')) return null
  for (const ending of endings) {
    const file = `${path}${ending}`
    if (!/\.\w+$/.test(file) || file.includes('node_modules/')) continue
    if (files[file] !== undefined) return file
    const isThere = await readFile(join(dir, file)).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return null
}

/** Returns why a file is not taken; null if it is. */
function reasonAgainst(path: string, text: string): string | null {
  if (!isProgram(path)) return null
  try {
    return needsOf(text).usesStrapi ? 'which uses `strapi`, and is not taken along: write it again without' : null
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `which cannot be read: ${error.message}`
  }
}

interface WriteContext extends Pick<ImportContext, 'files' | 'left'> {
  readonly targets: ReadonlyMap<string, string>
  readonly settings: ReadonlySet<string>
}

/** Files that are imported stay CommonJS if they were written so; their ending says it. */
function writeModules({ files, left, targets, settings }: WriteContext): void {
  const programs = Object.keys(files).filter(path => isProgram(path) && isReadable(files[path]!))
  const endingOf = (path: string) =>
    !settings.has(path) && programs.includes(path) && isCommonJs(files[path]!)
      ? path.replace(/\.(?=[jt]s$)/, '.c')
      : path
  const renamed = new Map(programs.map(path => [path, endingOf(path)]))
  for (const path of programs) {
    const text = files[path]!
    const resolve = (source: string): ImportedFile | null => {
      const target = targets.get(`${path}\n${source}`)
      if (target === undefined) return null
      const file = renamed.get(target) ?? target
      const specifier = posix.relative(posix.dirname(path), file)
      return { specifier: specifier.startsWith('.') ? specifier : `./${specifier}`, isCommonJs: /\.c[jt]s$/.test(file) }
    }
    const folder = posix.dirname(path)
    const built = posix.join(posix.relative(folder, ''), 'dist', folder)
    const isOfCommonJs = renamed.get(path) !== path || /\.c[jt]s$/.test(path)
    const { text: written, notes } = moduleForm({ text, built, resolve, stays: isOfCommonJs })
    left.push(...notes.map(one => `${path}: ${one}`))
    delete files[path]
    files[renamed.get(path)!] = written
  }
}

function isReadable(text: string): boolean {
  try {
    isCommonJs(text)
    return true
  } catch {
    return false
  }
}
