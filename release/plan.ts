// The plan of the next release, as the changesets make it, and what is wrong with it.

import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getReleasePlan } from '@changesets/get-release-plan'

/** The parts of a package.json that a release is about. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
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

/** What is wrong with the plan of the next release; empty if nothing is. */
export async function faultsOf(root: string): Promise<string[]> {
  const { changesets, releases } = await getReleasePlan(root)
  if (changesets.length > 0 && releases.length === 0) return ['The changesets release nothing.']
  const planned = new Map(releases.map(one => [one.name, one]))
  const isBreaking = (name: string) => {
    const { oldVersion, newVersion } = planned.get(name) ?? {}
    return !!oldVersion && !!newVersion && compatible(oldVersion) !== compatible(newVersion)
  }
  const packages = [...(await publishedIn(root)).values()]
  return packages.flatMap(({ name, version, peerDependencies = {} }) => {
    const left = Object.keys(peerDependencies).filter(isBreaking)
    if (left.length === 0 || isBreaking(name)) return []
    const wanted = version.startsWith('0.') ? 'minor' : 'major'
    const needs = left.map(peer => `${peer} ${planned.get(peer)?.newVersion}`).join(' and ')
    return [
      `${name} ${planned.get(name)?.newVersion} would need ${needs}, so its release is ${wanted}: say so in a changeset.`,
    ]
  })
}

/** The part of a version that all versions in its caret range have in common: 0.4 of 0.4.2, and 1 of 1.4.2. */
function compatible(version: string): string {
  return /^(?:0\.)*\d+/.exec(version)![0]
}
