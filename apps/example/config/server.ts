// The address of the server: on this machine only, unless HOST is set.

import type { Env } from '@plinth/kernel'

export default ({ env }: { env: Env }) => ({
  host: env('HOST', '127.0.0.1'),
  port: env.int('PORT', 1337),
})
