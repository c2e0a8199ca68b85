// Mounts an application on a server that does not listen, for commands that look at its routes. Changes nothing in the
// database.

import type { FastifyInstance } from 'fastify'
import { withoutNewFile } from './missing-file.ts'
import { closing, keepTablesOfV4 } from './open.ts'
import { loadServer } from './server-package.ts'

/** The application, and what happens before its plugins are registered. */
interface MountSettings {
  readonly dir: string
  /** The command, for messages. */
  readonly command: string
  readonly prepare?: (app: FastifyInstance) => void
}

/** Runs `work` with the server, and closes it. Throws Failure if the packages of the server are not installed. */
export async function withMounted<T>(
  { dir, command, prepare }: MountSettings,
  work: (app: FastifyInstance) => Promise<T>,
): Promise<T> {
  const { plinth, serverDefaults } = await loadServer(command)
  const { default: Fastify } = await import('fastify')
  const app: FastifyInstance = Fastify({ ...serverDefaults, logger: false })
  prepare?.(app)
  return closing(
    () => app.close(),
    async () => {
      const options = await withoutNewFile(dir)
      await app.register(plinth, { ...options, dir, wholeServer: true, migrate: 'none', configure: keepTablesOfV4 })
      await app.ready()
      return work(app)
    },
  )
}
