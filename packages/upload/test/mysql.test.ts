// The tests that use a database, once more on MySQL or MariaDB.

import { testOn } from '@plinth/testing/on-server'
import { withDatabase } from './fixtures/server-tests.ts'

await testOn('mysql', import.meta.dirname, ...withDatabase)
