// Listens at the address in config/server or the environment, with errors that name the setting that is wrong.

import { StartError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'

/** A setting and its source. */
interface Setting {
  readonly value: unknown
  readonly source: string
}

/**
 * Listens at the `host` and `port` of config/server, else at HOST and PORT of the environment, else at 127.0.0.1 and
 * 1337, and returns the address. If listening fails, it closes the server.
 */
export async function listen(app: FastifyInstance): Promise<string> {
  const config = app.kernel.config.server ?? {}
  const host = settingOf(config, 'host', '127.0.0.1')
  const port = settingOf(config, 'port', 1337)
  try {
    return await app.listen({ host: String(host.value), port: portOf(port) })
  } catch (error) {
    await app.close()
    throw toStartError(error, host, port)
  }
}

/** An empty variable counts as not set. */
function settingOf(config: Readonly<Record<string, unknown>>, name: 'host' | 'port', otherwise: unknown): Setting {
  const setting = config[name]
  if (setting !== undefined && setting !== null) return { value: setting, source: `config/server: ${name}` }
  const variable = name.toUpperCase()
  const value = process.env[variable]
  if (value) return { value, source: `The environment variable ${variable}:` }
  return { value: otherwise, source: name === 'host' ? 'The host' : 'The port' }
}

/** The port as node:net accepts it; v4's files may give it as text. */
function portOf({ value, source }: Setting): number {
  const port = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new StartError(
    'PLINTH_CONFIG_LISTEN',
    `${source} must be an integer from 0 to 65535, not ${JSON.stringify(value)}`,
  )
}

/** Converts errors of listening to StartError, and returns other errors unchanged. */
function toStartError(error: unknown, host: Setting, port: Setting): unknown {
  const { code } = error as { code?: unknown }
  const number = Number(port.value)
  const variable = `PORT=${number < 1024 ? 1337 : number + 1}`
  // A file that sets the port may not read the variable.
  const another = port.source.startsWith('config')
    ? `choose another port in config/server, or set ${variable} if config/server reads it`
    : `choose another port: ${variable}`
  if (code === 'EADDRINUSE')
    return new StartError(
      'PLINTH_CONFIG_LISTEN',
      `${port.source} ${number} of ${host.value} is in use by another server; stop that server, or ${another}`,
    )
  if (code === 'EACCES')
    return new StartError(
      'PLINTH_CONFIG_LISTEN',
      `${port.source} ${number} of ${host.value} may not be opened by this user; ${another}`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartError(
      'PLINTH_CONFIG_LISTEN',
      `${host.source} "${host.value}" is not an address of this machine; "127.0.0.1" serves this machine only, "0.0.0.0" all networks`,
    )
  return error
}
