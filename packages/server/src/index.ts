// The public surface of @plinth/server.

export { serverDefaults } from './defaults.ts'

export { exitWith, stopOnSignals } from './exit.ts'
// An import would not stand in the built types, and what host.ts declares would not reach the packages that import it.
export type {} from './host.ts'
export { listen } from './listen.ts'
export { plainLog, redactedLog } from './log.ts'
export { type PlinthOptions, plinth } from './plugin.ts'
export { createServer, type ServerOptions } from './server.ts'
export { type RequestLinesOptions, requestLines } from './terminal/index.ts'
export * from './transport.ts'
