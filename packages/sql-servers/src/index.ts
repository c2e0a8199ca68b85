// The public surface of @plinth/sql-servers: what packages of database servers share. Loads neither knex nor a driver.

export { countIncoming } from './connections/incoming.ts'
export { type ManyWritersSettings, manyWriters } from './connections/many-writers.ts'
export type { Elect, ServerSession } from './connections/server-session.ts'
export { ServerUsage } from './connections/usage.ts'
export { serverCodecs, stampIso, timestampText, wholeOperand } from './dialect/codecs.ts'
export { type Ends, refuseBeyond } from './dialect/limits.ts'
export { lostBySystem } from './dialect/system-errors.ts'
export { offsetText, Zone } from './dialect/zone.ts'
export { momentReader, type ZonedTexts, zonedDialect } from './dialect/zoned.ts'
export {
  otherServerNames,
  type ServerSettings,
  serverAccount,
  serverConnection,
  serverDatabase,
  serverPlace,
  serverSettings,
} from './settings/connection.ts'
export { type ServerEnvironment, serverVariables } from './settings/environment.ts'
export { zoneRemarks } from './settings/zone-remarks.ts'
