/** The recorded suites on MariaDB or MySQL. */
import { testOn } from '@plinth/test-tools/on-server'

await testOn('mysql', import.meta.dirname, 'conformance.test.ts')
