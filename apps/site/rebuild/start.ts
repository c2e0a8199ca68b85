// Builds the site into dist, and again at each change of the magazine, until it is ended. PORT is where it listens, on this
// machine alone, and SITE_SECRET is that of the webhook.

import { join } from 'node:path'
import { build } from 'vite'
import { rebuilder } from './rebuilder.ts'

const { PORT = '5174', SITE_SECRET = '' } = process.env
if (SITE_SECRET.length < 16) throw new Error('SITE_SECRET must have at least 16 characters, and be that of the webhook')

const buildSite = async () => {
  await build({ root: join(import.meta.dirname, '..'), logLevel: 'warn' })
  console.log(`Built at ${new Date().toISOString()}`)
}

await buildSite()
rebuilder(SITE_SECRET, buildSite, error => console.error(error)).listen(Number(PORT), '127.0.0.1')
