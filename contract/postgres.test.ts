/** The laws, the requirements of security and what the plugin of the fixtures does, on PostgreSQL. */
import { testOn } from '@plinth/testing/on-server'

await testOn('postgres', import.meta.dirname, 'laws', 'security', 'plugin')
