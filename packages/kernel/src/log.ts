// What a server logs with: the levels there are, and lines for people.

import type { FastifyServerOptions } from 'fastify'
import { StartError } from './errors.ts'
import { nearest } from './nearest.ts'

type LoggerOption = FastifyServerOptions['logger']

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Fastify's logger at the level LOG_LEVEL says, or `info`: JSON, for whatever collects it. */
export function jsonLog(): { readonly level: string } {
  // An empty variable is one that is not given.
  return { level: process.env.LOG_LEVEL || 'info' }
}

/** pino tells of an unknown level by a stack in which neither the variable nor the levels are. */
export function checkLevel(logger: LoggerOption): void {
  if (typeof logger !== 'object' || logger.customLevels !== undefined) return
  const { level = 'info' } = logger
  if (levels.includes(level)) return
  const where = level === process.env.LOG_LEVEL ? 'the environment variable LOG_LEVEL' : "createServer's logger.level"
  const near = nearest(level, levels)
  const hint = near === null ? `: there are ${levels.join(', ')}` : `, did you mean "${near}"?`
  throw new StartError(`${where}: "${level}" is no level${hint}`)
}
