// Refuses changesets whose release would break what users have installed: the plan of the next release is made, and not
// carried out.

import { join } from 'node:path'
import { faultsOf } from './plan.ts'

const faults = await faultsOf(join(import.meta.dirname, '..'))
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
