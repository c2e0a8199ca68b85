// Listens where config/server says, and tells what is wrong with that place in words that name it.

import type { FastifyInstance } from 'fastify'
import { StartError } from './errors.ts'

/** Serves at config/server's `host` and `port` (127.0.0.1 and 1337) and answers the address. Closes a server that cannot. */
export async function listen(app: FastifyInstance): Promise<string> {
  const { host = '127.0.0.1', port = 1337 } = app.kernel.config.server ?? {}
  try {
    return await app.listen({ host: String(host), port: portOf(port) })
  } catch (error) {
    await app.close()
    throw toStartError(error, String(host), Number(port))
  }
}

/** What node:net takes; v4's files may give it as text. */
function portOf(given: unknown): number {
  const port = typeof given === 'string' && given !== '' ? Number(given) : given
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new StartError(`config/server: port must be an integer from 0 to 65535, not ${JSON.stringify(given)}`)
}

/** Other errors stay as they are. */
function toStartError(error: unknown, host: string, port: number): unknown {
  const { code } = error as { code?: unknown }
  const another = `choose another port in config/server or by the environment: PORT=${port < 1024 ? 1337 : port + 1}`
  if (code === 'EADDRINUSE')
    return new StartError(
      `config/server: port ${port} of ${host} is in use by another server: end that one, or ${another}`,
    )
  if (code === 'EACCES')
    return new StartError(`config/server: port ${port} of ${host} may not be opened by this user: ${another}`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartError(
      `config/server: host "${host}" is no address of this machine: "127.0.0.1" is for itself alone, "0.0.0.0" for all networks`,
    )
  return error
}
