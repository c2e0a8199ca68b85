// The published packages of a workspace. Needs nothing that is installed, because it runs wherever a package is packed.

import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The parts of a package.json that a release is about. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly license?: string
  readonly homepage?: string
  readonly repository?: { readonly directory?: string }
  readonly keywords?: readonly string[]
  readonly exports?: Readonly<Record<string, unknown>>
  readonly bin?: Readonly<Record<string, string>>
  /** Dependencies whose code is in a file of the package, in `lib`. */
  readonly bundled?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** The published packages of the workspace in `root`: their folders, with their manifests. */
export async function publishedIn(root: string): Promise<ReadonlyMap<string, Manifest>> {
  const found = new Map<string, Manifest>()
  for await (const path of glob('packages/*/package.json', { cwd: root })) {
    const manifest = JSON.parse(await readFile(join(root, path), 'utf8')) as Manifest
    if (manifest.private !== true) found.set(join(root, path, '..'), manifest)
  }
  return found
}

/** The manifest of a package as it is published: what its files contain is not installed with it. */
export function withoutBundled({ bundled = [], ...manifest }: Manifest): Manifest {
  if (bundled.length === 0) return manifest
  const kept = Object.entries(manifest.dependencies ?? {}).filter(([name]) => !bundled.includes(name))
  return { ...manifest, dependencies: Object.fromEntries(kept) }
}
