// Runs the files of fixtures/everywhere.ts on MariaDB or MySQL.

import { testOn } from './fixtures/everywhere.ts'

await testOn('mysql')
