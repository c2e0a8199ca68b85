// Runs the files of fixtures/server-tests.ts on PostgreSQL.

import { testOn } from './fixtures/server-tests.ts'

await testOn('postgres')
