// Random programs of concurrent writes on the application of the contract.

import { testConcurrentWrites } from './concurrent-writes.ts'

testConcurrentWrites('contract')
