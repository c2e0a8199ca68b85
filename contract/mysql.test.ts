/** The laws, the requirements of security and what the plugin of the fixtures does, on MariaDB or MySQL. */
import { testOn } from '@plinth/testing/on-server'

await testOn('mysql', import.meta.dirname, 'laws', 'security', 'plugin')
