/** The recorded suites on PostgreSQL. */
import { testOn } from '@plinth/test-tools/on-server'

await testOn('postgres', import.meta.dirname, 'conformance.test.ts')
