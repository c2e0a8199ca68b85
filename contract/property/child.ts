/** The second process of concurrent programs: runs the writes that its parent sends, on the same database. */

import { serveParent } from './processes.ts'
import type { Application } from './workshop.ts'

const [application, database] = process.argv.slice(2)
await serveParent(application as Application, JSON.parse(database!))
