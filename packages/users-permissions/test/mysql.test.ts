// Runs the tests of roles and rules on MariaDB or MySQL.

import { testOn } from '@plinth/testing/on-server'

await testOn('mysql', import.meta.dirname, 'roles', 'rules', 'property')
