/** The laws, the requirements of security and what the plugin of the fixtures does, on PostgreSQL. */
import { testOn } from './everywhere.ts'

await testOn('postgres', 'laws', 'security', 'plugin')
