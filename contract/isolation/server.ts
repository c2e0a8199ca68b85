/**
 * The application of the contract in its own process: `fork('server.ts')` with config/database as JSON in
 * DATABASE_CONFIG.
 */

import { join } from 'node:path'
import { createServer, exitWith, stopOnSignals } from '@plinth/server'

const app = await createServer({
  dir: join(import.meta.dirname, '../app'),
  database: JSON.parse(process.env.DATABASE_CONFIG!),
  plugins: { rest: true, 'draft-publish': true, passwords: true, i18n: { config: { locales: ['en', 'fr', 'de'] } } },
  logger: { level: 'fatal' },
}).catch(exitWith)
stopOnSignals(app)
process.on('disconnect', () => process.exit(0))
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
