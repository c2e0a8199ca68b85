// The database package of MySQL and MariaDB: what `connection` may contain, and how the server is reached.

import { defineDatabase, StartError } from '@plinth/kernel/database'
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
import { createMysqlDriver } from './driver.ts'

export default defineDatabase({
  name: 'mysql',
  connection: serverConnection,
  otherNames: otherServerNames,
  drivers: ['mysql2', 'mysql'],
  variables: () => serverVariables({ port: 3306, hasSchema: false }),
  databaseName: serverDatabase,
  place: settings => serverPlace('mysql', settings),
  account: serverAccount,
  isSilence: ({ message }) => message === 'connect ETIMEDOUT',
  storesLocalTimes: true,
  remarks: zoneRemarks,
  open(settings) {
    // Without a name, MariaDB connects to no database.
    if (!settings.connection.database)
      throw new StartError(
        'PLINTH_CONFIG_INVALID',
        'config/database: the name of the database is missing; set `connection.database` or the variable DATABASE_NAME',
      )
    return createMysqlDriver(serverSettings(settings))
  },
})
