// Runs the files of fixtures/everywhere.ts on PostgreSQL.

import { testOn } from './fixtures/everywhere.ts'

await testOn('postgres')
