/** The laws, the requirements of security and what the plugin of the fixtures does, on MariaDB or MySQL. */
import { testOn } from './everywhere.ts'

await testOn('mysql', 'laws', 'security', 'plugin')
