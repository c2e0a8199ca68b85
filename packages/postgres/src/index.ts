// The database package of PostgreSQL: what `connection` may contain, and how the server is reached.

import { defineDatabase } from '@plinth/kernel/database'
import {
  otherServerNames,
  serverAccount,
  serverConnection,
  serverDatabase,
  serverPlace,
  serverSettings,
  serverVariables,
  zoneRemarks,
} from '@plinth/sql-servers'
import { createPostgresDriver } from './driver.ts'

// For packages of databases that speak the protocol of PostgreSQL.
export { createPostgresDriver }

export default defineDatabase({
  name: 'postgres',
  connection: serverConnection,
  otherNames: otherServerNames,
  drivers: ['pg'],
  variables: () => serverVariables({ port: 5432, hasSchema: true }),
  databaseName: serverDatabase,
  place: settings => serverPlace('postgres', settings),
  account: serverAccount,
  isSilence: ({ message }) => message === 'timeout expired',
  storesLocalTimes: true,
  remarks: zoneRemarks,
  open: settings => createPostgresDriver(serverSettings(settings)),
})
