/** The recorded suites on MariaDB or MySQL. */
import { testOn } from './everywhere.ts'

await testOn('mysql', 'conformance.test.ts')
