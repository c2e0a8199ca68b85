// What a server logs with: the levels there are, and lines for people.

import { blamed, nearest, StartError } from '@plinth/kernel'
import type { FastifyServerOptions } from 'fastify'

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
  throw new StartError('PLINTH_CONFIG_INVALID', `${where}: "${level}" is no level${hint}`)
}

/**
 * A logger for people: what is at `level` or above is a line on the error output. `info` also tells of every request, for which
 * JSON serves better.
 */
export function plainLog(level = 'warn'): { readonly level: string; readonly stream: { write(record: string): void } } {
  return { level, stream: { write: record => void process.stderr.write(plainText(JSON.parse(record) as LogRecord)) } }
}

/** What of pino's records people read. */
interface LogRecord {
  readonly level: number
  readonly msg?: string
  readonly err?: { readonly message: string; readonly stack: string; readonly plugin?: string; readonly hook?: string }
}

function plainText({ level, msg = '', err }: LogRecord): string {
  const word = level >= 50 ? 'error' : level >= 40 ? 'warning' : 'info'
  if (err === undefined) return `${word}: ${msg}\n`
  // Without words of its own a record ends in those of the error, with which its stack begins.
  const said = msg.endsWith(err.message) ? msg.slice(0, msg.length - err.message.length) : `${msg}: `
  const who = blamed(err)
  return `${word}: ${said.startsWith(who) ? '' : who}${said}${err.stack}\n`
}
