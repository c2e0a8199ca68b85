// Checks the log level of a server, and configures its loggers: JSON lines, or plain lines for people. What is secret is
// left out of all of them.

import { styleText } from 'node:util'
import { authorPrefix, nearest, redactLine, StartError } from '@plinth/kernel'
import type { FastifyServerOptions } from 'fastify'
import { printable } from './printable.ts'

type LoggerOption = FastifyServerOptions['logger']

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Options of Fastify's JSON logger, at the level in LOG_LEVEL or at `info`. */
export function jsonLog(): { readonly level: string } {
  // An empty variable counts as not set.
  return { level: process.env.LOG_LEVEL || 'info' }
}

/**
 * Options for Fastify's `logger` that leave secrets out of every line, whoever logs: passwords, tokens, headers of
 * authentication, cookies, and the parameters of URLs that hold such. False if there is to be no log.
 */
export function redactedLog(logger: LoggerOption = true): LoggerOption {
  if (logger === false) return false
  const options = logger === true ? {} : logger
  const own = options.hooks?.streamWrite
  const streamWrite = own === undefined ? redactLine : (line: string) => redactLine(own(line))
  return { ...options, hooks: { ...options.hooks, streamWrite } }
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
  /** The method and the path of the request that the record is about. */
  readonly at?: string
  readonly err?: { readonly message: string; readonly stack: string; readonly plugin?: string; readonly hook?: string }
}

/** The word of a record, in colour if the standard error output is a terminal that shows colours. */
function wordOf(level: number): string {
  const [word, style] =
    level >= 50
      ? (['error', 'red'] as const)
      : level >= 40
        ? (['warning', 'yellow'] as const)
        : (['info', 'dim'] as const)
  return styleText(style, word, { stream: process.stderr })
}

function plainText(record: LogRecord): string {
  const at = record.at === undefined ? '' : `${record.at}: `
  return `${wordOf(record.level)}: ${printable(`${at}${textOf(record)}`)}\n`
}

function textOf({ msg = '', err }: LogRecord): string {
  if (err === undefined) return msg
  // A record without its own message ends in the error's message, with which the stack begins.
  const ownMessage = msg.endsWith(err.message) ? msg.slice(0, msg.length - err.message.length) : `${msg}: `
  const who = authorPrefix(err)
  return `${ownMessage.startsWith(who) ? '' : who}${ownMessage}${err.stack}`
}
