// Runs the files of fixtures/server-tests.ts on MariaDB or MySQL.

import { testOn } from './fixtures/server-tests.ts'

await testOn('mysql')
