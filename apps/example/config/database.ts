// Where the content lies: one SQLite file, made at the first start.

import type { Env } from '@plinth/kernel'

export default ({ env }: { env: Env }) => ({
  connection: {
    client: 'sqlite',
    connection: { filename: env('DATABASE_FILENAME', '.data/example.db') },
    useNullAsDefault: true,
  },
})
