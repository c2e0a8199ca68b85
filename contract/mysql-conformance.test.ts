/** The recorded suites on MariaDB or MySQL. */
import { testOn } from '@plinth/testing/on-server'

await testOn('mysql', import.meta.dirname, 'conformance.test.ts')
