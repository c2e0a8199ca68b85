/** The laws, the security requirements and the tests of the fixture plugin on PostgreSQL. */
import { testOn } from '@plinth/test-tools/on-server'

await testOn('postgres', import.meta.dirname, 'laws', 'security', 'plugin')
