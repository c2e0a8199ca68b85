// Where the content lies: one SQLite file, made at the first start; or with DATABASE_CLIENT=mysql or postgres on a server,
// which DATABASE_HOST, DATABASE_PORT, DATABASE_NAME, DATABASE_USERNAME and DATABASE_PASSWORD tell of.

import type { Env } from '@plinth/kernel'

export default ({ env }: { env: Env }) => {
  const client = env('DATABASE_CLIENT', 'sqlite')
  const connection = client === 'sqlite' ? { filename: env('DATABASE_FILENAME', '.data/example.db') } : {}
  return { connection: { client, connection, useNullAsDefault: true } }
}
