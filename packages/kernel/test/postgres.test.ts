// What databases do, on PostgreSQL.

import { testOn } from './fixtures/everywhere.ts'

await testOn('postgres')
