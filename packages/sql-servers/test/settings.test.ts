// The settings that servers have in common: those that exclude each other.

import type { DriverSettings } from '@plinth/kernel/database'
import { thrown } from '@plinth/test-tools/fixtures'
import t from 'tap'
import { serverSettings } from '../src/index.ts'

const settings: DriverSettings = {
  dir: '.',
  connection: {},
  pool: { min: 0, max: 10 },
  acquireTimeout: 5000,
  statementTimeout: 15_000,
  lockTimeout: 3000,
  idleTransactionTimeout: 30_000,
  synchronous: 'normal',
  rememberTotals: false,
  consistentReads: undefined,
  preparedStatements: true,
  storedTimeZone: undefined,
}

t.test('totals that are remembered are not those of a snapshot', async t => {
  for (const consistentReads of [undefined, false])
    t.match(serverSettings({ ...settings, rememberTotals: true, consistentReads }), { rememberTotals: true })
  t.match(serverSettings({ ...settings, consistentReads: true }), { consistentReads: true })
  const both = { ...settings, rememberTotals: true, consistentReads: true }
  t.match(await thrown(t, async () => serverSettings(both)), {
    code: 'PLINTH_CONFIG_INVALID',
    message:
      'config/database: rememberTotals and consistentReads exclude each other, because a total that is remembered may be of another moment than the entries; remove one of them',
  })
})
