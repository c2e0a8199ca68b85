/** The second process of concurrent programs: writes what its parent says, on the same database. */
import { serveParent } from './processes.ts'
import type { Application } from './workshop.ts'

const [application, database] = process.argv.slice(2)
await serveParent(application as Application, JSON.parse(database!))
