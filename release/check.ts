// Refuses changesets whose release would break installed applications, by making the plan of the next release without
// carrying it out, and commits whose subjects do not have the form of CONTRIBUTING.md.

import { join } from 'node:path'
import { faultsOfCommits } from './commits.ts'
import { faultsOf } from './plan.ts'

const root = join(import.meta.dirname, '..')
const faults = [...(await faultsOf(root)), ...faultsOfCommits(root)]
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
