// Checks the log level of a server, and configures its loggers: JSON lines, or plain lines for people.

import { authorPrefix, nearest, StartError } from '@plinth/kernel'
import type { FastifyServerOptions } from 'fastify'

type LoggerOption = FastifyServerOptions['logger']

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Options of Fastify's JSON logger, at the level in LOG_LEVEL or at `info`. */
export function jsonLog(): { readonly level: string } {
  // An empty variable counts as not set.
  return { level: process.env.LOG_LEVEL || 'info' }
}

/** Throws StartError for an unknown level: pino's own error names neither the variable nor the levels. */
export function checkLevel(logger: LoggerOption): void {
  if (typeof logger !== 'object' || logger.customLevels !== undefined) return
  const { level = 'info' } = logger
  if (levels.includes(level)) return
  const where = level === process.env.LOG_LEVEL ? 'The environment variable LOG_LEVEL' : "createServer's logger.level"
  const near = nearest(level, levels)
  const hint = near === null ? `; the levels are ${levels.join(', ')}` : `, did you mean "${near}"?`
  throw new StartError('PLINTH_CONFIG_INVALID', `${where}: "${level}" is not a log level${hint}`)
}

/**
 * A logger for people: writes a line to stderr for each record at `level` or above. `info` also logs every request, for
 * which JSON is more useful.
 */
export function plainLog(level = 'warn'): { readonly level: string; readonly stream: { write(record: string): void } } {
  return { level, stream: { write: record => void process.stderr.write(plainText(JSON.parse(record) as LogRecord)) } }
}

/** The fields of pino's records that are printed. */
interface LogRecord {
  readonly level: number
  readonly msg?: string
  readonly err?: { readonly message: string; readonly stack: string; readonly plugin?: string; readonly hook?: string }
}

function plainText({ level, msg = '', err }: LogRecord): string {
  const word = level >= 50 ? 'error' : level >= 40 ? 'warning' : 'info'
  if (err === undefined) return `${word}: ${msg}\n`
  // A record without its own message ends in the error's message, with which the stack begins.
  const said = msg.endsWith(err.message) ? msg.slice(0, msg.length - err.message.length) : `${msg}: `
  const who = authorPrefix(err)
  return `${word}: ${said.startsWith(who) ? '' : who}${said}${err.stack}\n`
}
