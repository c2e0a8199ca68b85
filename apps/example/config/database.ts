// Where the content lies: one SQLite file, made at the first start.

import type { ConfigEnv } from './env.ts'

export default ({ env }: ConfigEnv) => ({
  connection: {
    client: 'sqlite',
    connection: { filename: env('DATABASE_FILENAME', '.data/example.db') },
    useNullAsDefault: true,
  },
})
