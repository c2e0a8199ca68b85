// What databases do, on MariaDB or MySQL.

import { testOn } from './fixtures/everywhere.ts'

await testOn('mysql')
