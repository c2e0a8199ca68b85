/** The recorded suites on PostgreSQL. */
import { testOn } from './everywhere.ts'

await testOn('postgres', 'conformance.test.ts')
