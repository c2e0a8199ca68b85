/** Random programs of concurrent writes on MariaDB or MySQL. */
import { testOn } from '@plinth/test-tools/on-server'

await testOn('mysql', import.meta.dirname, 'property/concurrent.test.ts', 'property/invariants.test.ts')
