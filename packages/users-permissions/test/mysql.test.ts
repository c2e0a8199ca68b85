// Runs the tests of roles, rules, accounts and logins by third parties on MariaDB or MySQL.

import { testOn } from '@plinth/test-tools/on-server'

const accounts = ['codes', 'registration', 'sessions', 'tokens', 'users'].map(name => `accounts/${name}.test.ts`)
// Mistakes in settings, and the number of plans, are the same on every database.
const rules = ['members', 'missing-values', 'operators', 'reading', 'writing'].map(name => `rules/${name}.test.ts`)
const logins = ['login', 'tokens'].map(name => `providers/${name}.test.ts`)

await testOn('mysql', import.meta.dirname, 'roles', 'property', ...rules, ...accounts, ...logins)
