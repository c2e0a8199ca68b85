// The plan of the next release, as the changesets make it, and what is wrong with it.

import { getReleasePlan } from '@changesets/get-release-plan'
import { type Manifest, publishedIn } from './published.ts'

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
  return packages.flatMap(manifest => {
    const { name, version } = manifest
    const left = Object.keys(neededBy(manifest)).filter(isBreaking)
    if (left.length === 0 || isBreaking(name)) return []
    const wanted = version.startsWith('0.') ? 'minor' : 'major'
    const needs = left.map(peer => `${peer} ${planned.get(peer)?.newVersion}`).join(' and ')
    return [
      `${name} ${planned.get(name)?.newVersion ?? version} would need ${needs}, so its release is ${wanted}: say so in a changeset.`,
    ]
  })
}

/** The packages whose versions a package is for. create-plinth writes those of its devDependencies into new applications. */
function neededBy({ name, peerDependencies = {}, devDependencies = {} }: Manifest): Readonly<Record<string, string>> {
  return name === 'create-plinth' ? devDependencies : peerDependencies
}

/** The part of a version that all versions in its caret range have in common: 0.4 of 0.4.2, and 1 of 1.4.2. */
function compatible(version: string): string {
  return /^(?:0\.)*\d+/.exec(version)![0]
}
