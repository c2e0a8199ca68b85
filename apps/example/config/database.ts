// The database of the content: one SQLite file, created by the first start, or with DATABASE_CLIENT=mysql or
// postgres on the server that DATABASE_HOST, DATABASE_PORT, DATABASE_NAME, DATABASE_USERNAME and DATABASE_PASSWORD
// name. A request waits at most DATABASE_CONNECTION_TIMEOUT milliseconds for the database.

import type { Env } from '@plinth/kernel'

export default ({ env }: { env: Env }) => {
  const client = env('DATABASE_CLIENT', 'sqlite')
  const connection = client === 'sqlite' ? { filename: env('DATABASE_FILENAME', '.data/example.db') } : {}
  const acquireConnectionTimeout = env.int('DATABASE_CONNECTION_TIMEOUT', 5000)
  return { connection: { client, connection, acquireConnectionTimeout, useNullAsDefault: true } }
}
