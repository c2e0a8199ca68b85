// Runs the tests of roles and rules on PostgreSQL.

import { testOn } from '@plinth/testing/on-server'

await testOn('postgres', import.meta.dirname, 'roles', 'rules', 'property')
