// Refuses changesets that would stop a release: the plan of the next one is made, and thrown away.

import { join } from 'node:path'
import getReleasePlan from '@changesets/get-release-plan'

const plan = await getReleasePlan(join(import.meta.dirname, '..'))
if (plan.changesets.length > 0 && plan.releases.length === 0) throw new Error('changesets that release nothing')
