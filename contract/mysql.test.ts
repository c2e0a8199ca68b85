/** The laws, the security requirements and the tests of the fixture plugin on MariaDB or MySQL. */
import { testOn } from '@plinth/test-tools/on-server'

await testOn('mysql', import.meta.dirname, 'laws', 'security', 'plugin')
