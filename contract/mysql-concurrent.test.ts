/** Random programs of concurrent writes on MariaDB or MySQL. */
import { testOn } from './everywhere.ts'

await testOn('mysql', 'property/concurrent.test.ts', 'property/invariants.test.ts')
