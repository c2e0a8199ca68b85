// The tests that use a database, once more on MySQL or MariaDB.

import { testOn } from '@plinth/test-tools/on-server'
import { withDatabase } from './fixtures/server-tests.ts'

await testOn('mysql', import.meta.dirname, ...withDatabase)
