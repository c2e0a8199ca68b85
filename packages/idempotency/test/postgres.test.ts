// The tests that use a database, once more on PostgreSQL.

import { testOn } from '@plinth/test-tools/on-server'
import { withDatabase } from './fixtures/server-tests.ts'

await testOn('postgres', import.meta.dirname, ...withDatabase)
