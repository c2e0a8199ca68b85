// Reads what files import, for laws about the order of folders and about circles.

import { glob, readdir, readFile } from 'node:fs/promises'
import { join, posix, relative, sep } from 'node:path'

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..')

/** A file: its path with slashes, relative to a folder such as `src`, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** Reads all TypeScript files below a folder. */
export async function sourcesBelow(src: string): Promise<SourceFile[]> {
  const entries = await readdir(src, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
      .map(async ({ parentPath, name }) => ({
        path: relative(src, join(parentPath, name)).replaceAll(sep, '/'),
        text: await readFile(join(parentPath, name), 'utf8'),
      })),
  )
}

/** Reads the files that match patterns, by their paths below the root, without those that are installed or built. */
export async function filesOf(patterns: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  const exclude = (name: string) => /(?:^|\/)(?:node_modules|dist|\.tap)$/.test(name)
  for await (const name of glob([...patterns], { cwd: root, exclude })) {
    const path = name.replaceAll(sep, '/')
    files.push({ path, text: await readFile(join(root, path), 'utf8') })
  }
  return files.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** Lists what a text imports or re-exports, in statements, calls and types. */
export function importsOf(text: string): string[] {
  const matches = text.matchAll(/(?:^|[\s}])from '([^']+)'|\bimport\(\s*'([^']+)'\s*\)|^import '([^']+)'/gm)
  return [...matches].map(([, from, call, bare]) => (from ?? call ?? bare)!)
}

/** The folder or the top-level file to which a path below `src` belongs. */
export const layerOf = (path: string): string => path.split('/')[0]!

/** Lists the files that a file imports, by their paths below `src`. */
export function targetsOf({ path, text }: SourceFile): string[] {
  return importsOf(text)
    .filter(name => name.startsWith('.'))
    .map(name => posix.join(posix.dirname(path), name))
}

/** Lists `path → target` for the imports of a file that lead to a higher layer or to no layer. `order` is from below. */
export function upward(file: SourceFile, order: readonly string[]): string[] {
  const own = order.indexOf(layerOf(file.path))
  const fits = (target: string) => order.includes(layerOf(target)) && order.indexOf(layerOf(target)) <= own
  return targetsOf(file)
    .filter(target => !fits(target))
    .map(target => `${file.path} → ${target}`)
}

/** Lists the circles of imports: groups of files of which each leads to all others, types included. */
export function circles(files: readonly SourceFile[]): string[][] {
  const paths = new Set(files.map(one => one.path))
  const targets = new Map(files.map(one => [one.path, targetsOf(one).filter(path => paths.has(path))]))
  const groups: string[][] = []
  // Tarjan's algorithm.
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const visit = (path: string): void => {
    order.set(path, order.size)
    lowest.set(path, order.get(path)!)
    stack.push(path)
    for (const next of targets.get(path)!) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(next)!))
    }
    if (lowest.get(path) !== order.get(path)) return
    const group = stack.splice(stack.indexOf(path))
    if (group.length > 1) groups.push(group.sort())
  }
  for (const path of paths) if (!order.has(path)) visit(path)
  return groups
}
