// Where the server listens.

import type { ConfigEnv } from './env.ts'

export default ({ env }: ConfigEnv) => ({
  host: env('HOST', '127.0.0.1'),
  port: env.int('PORT', 1337),
})
