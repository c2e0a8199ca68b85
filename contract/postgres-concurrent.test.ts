/** Random programs of concurrent writes on PostgreSQL. */
import { testOn } from './everywhere.ts'

await testOn('postgres', 'property/concurrent.test.ts', 'property/invariants.test.ts')
