/** Random programs of concurrent writes on PostgreSQL. */
import { testOn } from '@plinth/test-tools/on-server'

await testOn('postgres', import.meta.dirname, 'property/concurrent.test.ts', 'property/invariants.test.ts')
