// Refuses changesets that would stop a release, or raise a version nobody meant to: the plan of the next one is made, and
// thrown away.

import { join } from 'node:path'
import getReleasePlan from '@changesets/get-release-plan'

const { changesets, releases } = await getReleasePlan(join(import.meta.dirname, '..'))
if (changesets.length > 0 && releases.length === 0) throw new Error('changesets that release nothing')
for (const { name, type } of releases) {
  const isMeant = changesets.some(one => one.releases.some(each => each.name === name && each.type === type))
  // A plugin whose range of kernels is left becomes a major, and says so nowhere.
  if (type === 'major' && !isMeant) throw new Error(`${name} would be released as a major, which no changeset asks for`)
}
