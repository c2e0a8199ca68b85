// The addresses of a running application that a developer opens first.

import { loadConfig } from '@plinth/kernel'
import type { FastifyInstance } from 'fastify'
import { loadServer } from './server-package.ts'

/** Addresses by what is there, in the order in which they are printed. */
export type Addresses = Readonly<Record<string, string>>

/** The addresses of the server: of each transport that has routes, and of the health check. */
export async function addressesOf(app: FastifyInstance, address: string, dir: string): Promise<Addresses> {
  const { apiPrefix } = await loadServer('plinth dev')
  const prefix = apiPrefix(app.kernel)
  const paths = app.kernel.contentTypes
    .values()
    .filter(type => type.uid.startsWith('api::'))
    .map(type => `${prefix}/${type.kind === 'singleType' ? type.singularName : type.pluralName}`)
  const served = paths.filter(url => app.hasRoute({ method: 'GET', url }))
  const endpoint = await graphqlPath(dir)
  return {
    ...(served.length > 0 && { REST: `${address}${prefix}` }),
    ...(app.hasRoute({ method: 'POST', url: endpoint }) && { GraphQL: `${address}${endpoint}` }),
    ...(app.hasRoute({ method: 'GET', url: '/_health' }) && { health: `${address}/_health` }),
  }
}

/** The path of GraphQL, as config/plugins sets it. */
async function graphqlPath(dir: string): Promise<string> {
  const { graphql } = (await loadConfig(dir, 'plugins')) as {
    readonly graphql?: { readonly config?: { readonly endpoint?: string } }
  }
  return graphql?.config?.endpoint ?? '/graphql'
}

/** A line for each address, or one that says why there are none. */
export function addressesText(addresses: Addresses): string {
  const names = Object.keys(addresses)
  const width = Math.max(...names.map(name => name.length), 0)
  const lines = names.map(name => `  ${name.padEnd(width)}  ${addresses[name]}`)
  if (!names.includes('REST') && !names.includes('GraphQL'))
    lines.push('  No plugin adds routes for content; `rest: true` in config/plugins does.')
  return lines.join('\n')
}
