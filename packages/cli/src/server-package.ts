// Loads @plinth/server, which only some commands need: an application may use the kernel without a server.

import { Failure } from './failure.ts'
import { isInstalled } from './installed.ts'

/** The packages that serve an application. */
export type ServerPackage = typeof import('@plinth/server')

/** Returns whether the packages of the server are installed. */
export function hasServer(): boolean {
  return missing().length === 0
}

/** Throws Failure with the command that installs the packages of the server, if one of them is missing. */
export function requireServer(command: string): void {
  const names = missing()
  if (names.length > 0)
    throw new Failure(
      `${command} needs ${names.join(' and ')}, which the application does not have: npm install ${names.join(' ')}`,
    )
}

/** The server's functions. Throws Failure if its packages are not installed. */
export async function loadServer(command: string): Promise<ServerPackage> {
  requireServer(command)
  return import('@plinth/server')
}

function missing(): string[] {
  return ['@plinth/server', 'fastify'].filter(name => !isInstalled(name))
}
