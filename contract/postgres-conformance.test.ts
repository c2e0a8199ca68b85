/** The recorded suites on PostgreSQL. */
import { testOn } from '@plinth/testing/on-server'

await testOn('postgres', import.meta.dirname, 'conformance.test.ts')
