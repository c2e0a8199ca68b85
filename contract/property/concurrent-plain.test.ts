// Random programs of concurrent writes on the plain application.

import { testConcurrentWrites } from './concurrent-writes.ts'

testConcurrentWrites('plain')
