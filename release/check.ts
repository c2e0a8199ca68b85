// Refuses changesets whose release would break installed applications: makes the plan of the next release without
// carrying it out.

import { join } from 'node:path'
import { faultsOf } from './plan.ts'

const faults = await faultsOf(join(import.meta.dirname, '..'))
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
