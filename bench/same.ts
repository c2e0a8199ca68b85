// Servers with different plugins must give the same answers, byte for byte, before their speeds are compared.

import { stranger, tokenOf } from './callers.ts'
import type { Request, Scenario } from './scenarios.ts'
import type { Server } from './server.ts'
import { spread } from './verify.ts'

/** A request that the rules answer with nothing, for a user who may see no entry. */
const LIST: Request = { method: 'GET', path: '/api/articles' }

/**
 * Compares the answers of servers: `scenarios` holds for each scenario what is sent to each server. Stops the servers. Throws
 * an error at the first answer that differs from that of the first server, or if rules hide nothing from the stranger.
 */
export async function requireSame(
  servers: readonly Server[],
  scenarios: readonly (readonly Scenario[])[],
): Promise<void> {
  try {
    for (const own of scenarios) await compare(servers, own)
    for (const [index, server] of servers.entries()) {
      const isRuled = scenarios[0]![index]!.requests[0]!.headers?.authorization !== undefined
      if (isRuled) await requireHidden(server)
    }
  } finally {
    await Promise.all(servers.map(server => server.stop()))
  }
}

async function compare(servers: readonly Server[], own: readonly Scenario[]): Promise<void> {
  const requests = own.map(scenario => spread(scenario))
  for (const [at, first] of requests[0]!.entries()) {
    if (first.method !== 'GET') continue
    const expected = await answer(servers[0]!, first)
    for (const [index, server] of servers.entries()) {
      const of = own[index]!.requests.find(({ path }) => path === first.path)!
      if ((await answer(server, of)) !== expected)
        throw new Error(
          `${own[0]!.key}, request ${at}: ${first.path}: server ${index} gives another answer than the first`,
        )
    }
  }
}

async function answer(server: Server, { path, ...request }: Request): Promise<string> {
  const response = await fetch(server.address + path, request)
  return `${response.status} ${await response.text()}`
}

async function requireHidden(server: Server): Promise<void> {
  const text = await answer(server, { ...LIST, headers: { authorization: `Bearer ${tokenOf(stranger)}` } })
  if (!text.includes('"total":0')) throw new Error(`The rules hide nothing: ${text.slice(0, 200)}`)
}
