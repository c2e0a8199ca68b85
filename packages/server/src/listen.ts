// Listens where config/server or the environment says, and tells what is wrong with that place in words that name it.

import { typoOf, StartError } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'

/** A setting, and who says it. */
interface Said {
  readonly value: unknown
  readonly source: string
}

/**
 * Serves at config/server's `host` and `port`, else those of the environment's HOST and PORT, else 127.0.0.1 and 1337, and answers
 * the address. Closes a server that cannot.
 */
export async function listen(app: FastifyInstance): Promise<string> {
  const config = app.kernel.config.server ?? {}
  const host = said(config, 'host', '127.0.0.1')
  const port = said(config, 'port', 1337)
  try {
    checkNames(config)
    return await app.listen({ host: String(host.value), port: portOf(port) })
  } catch (error) {
    await app.close()
    throw toStartError(error, host, port)
  }
}

/** An empty variable is one that is not given. */
function said(config: Readonly<Record<string, unknown>>, name: 'host' | 'port', otherwise: unknown): Said {
  const given = config[name]
  if (given !== undefined && given !== null) return { value: given, source: `config/server: ${name}` }
  const variable = name.toUpperCase()
  const value = process.env[variable]
  if (value) return { value, source: `the environment variable ${variable}:` }
  return { value: otherwise, source: name }
}

/** What v4's file may say besides is not read. */
function checkNames(config: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(config)) {
    const meant = typoOf(key, ['host', 'port', 'proxy'])
    if (meant !== null)
      throw new StartError('PLINTH_CONFIG_LISTEN', `config/server: ${key} is not known, did you mean "${meant}"?`)
  }
}

/** What node:net takes; v4's files may give it as text. */
function portOf({ value, source }: Said): number {
  const port = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new StartError(
    'PLINTH_CONFIG_LISTEN',
    `${source} must be an integer from 0 to 65535, not ${JSON.stringify(value)}`,
  )
}

/** Other errors stay as they are. */
function toStartError(error: unknown, host: Said, port: Said): unknown {
  const { code } = error as { code?: unknown }
  const number = Number(port.value)
  const variable = `PORT=${number < 1024 ? 1337 : number + 1}`
  // A file that says a port need not read the variable.
  const another = port.source.startsWith('config')
    ? `choose another port in config/server, or by the environment where it is read there: ${variable}`
    : `choose another one: ${variable}`
  if (code === 'EADDRINUSE')
    return new StartError(
      'PLINTH_CONFIG_LISTEN',
      `${port.source} ${number} of ${host.value} is in use by another server: end that one, or ${another}`,
    )
  if (code === 'EACCES')
    return new StartError(
      'PLINTH_CONFIG_LISTEN',
      `${port.source} ${number} of ${host.value} may not be opened by this user: ${another}`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartError(
      'PLINTH_CONFIG_LISTEN',
      `${host.source} "${host.value}" is no address of this machine: "127.0.0.1" is for itself alone, "0.0.0.0" for all networks`,
    )
  return error
}
