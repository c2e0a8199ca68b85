// The main module of a thread that changes one database again and again, one transaction a time, so that tests can race
// with it. Its data are the address of the database and, for each kind of transaction, its SQL with `#` for a number that
// grows. Ends when the first message arrives.

import { parentPort, workerData } from 'node:worker_threads'
import { openMysql, openPostgres, openSqlite } from '@plinth/test-tools/connections'

const { client, connection, transactions } = workerData
let isEnding = false
parentPort!.once('message', () => {
  isEnding = true
})

const open =
  client === 'sqlite'
    ? ({ filename }: { filename: string }) => openSqlite(filename)
    : client === 'mysql'
      ? openMysql
      : openPostgres
const opened = await open(connection)
for (let number = 1; !isEnding; number++) {
  await opened.run(transactions[number % transactions.length].replaceAll('#', String(number)))
  // Messages arrive in later turns.
  await new Promise(resolve => setImmediate(resolve))
}
await opened.close()
