// Checks the log level of a server, and configures its loggers: JSON lines, or plain lines for people. What is secret is
// left out of all of them.

import { authorPrefix, nearest, redactLine, StartError } from '@plinth/kernel'
import type { FastifyServerOptions } from 'fastify'

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
  readonly err?: { readonly message: string; readonly stack: string; readonly plugin?: string; readonly hook?: string }
}

function plainText(record: LogRecord): string {
  return `${printable(textOf(record))}\n`
}

/** Control characters, which a terminal would obey: clients choose a part of some messages. */
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** A text that can neither control a terminal nor begin a line of its own, as if it were another record. */
function printable(text: string): string {
  return text
    .replace(control, one => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(/\n(?! )/g, '\n    ')
}

function textOf({ level, msg = '', err }: LogRecord): string {
  const word = level >= 50 ? 'error' : level >= 40 ? 'warning' : 'info'
  if (err === undefined) return `${word}: ${msg}`
  // A record without its own message ends in the error's message, with which the stack begins.
  const ownMessage = msg.endsWith(err.message) ? msg.slice(0, msg.length - err.message.length) : `${msg}: `
  const who = authorPrefix(err)
  return `${word}: ${ownMessage.startsWith(who) ? '' : who}${ownMessage}${err.stack}`
}
