// The text that a start prints: the address, and requests to try, as far as the plugins serve them.

import type { FastifyInstance } from 'fastify'

const places = [
  ['/articles', 'its articles'],
  ['/categories', 'what they are about'],
  ['/homepage', 'its front page'],
  ['/pages', 'its other pages'],
] as const

const requests = [
  ['/articles', 'sort=publishedOn:desc&fields[0]=title&pagination[pageSize]=3'],
  ['/articles', 'filters[categories][slug]=bread&populate=author&pagination[pageSize]=1'],
  ['/homepage', 'populate[hero][populate]=*'],
] as const

/** The text for a server at `address`. */
export function welcome(app: FastifyInstance, address: string): string {
  const { prefix = '/api' } = (app.kernel.config.api?.rest ?? {}) as { prefix?: string }
  const isServed = ([path]: readonly [string, string]) => app.hasRoute({ method: 'GET', url: `${prefix}${path}` })
  const list = places.filter(isServed).map(([path, what]) => `  ${address}${prefix}${path.padEnd(11)}   ${what}`)
  const tries = requests.filter(isServed).map(([path, query]) => `  curl -g '${address}${prefix}${path}?${query}'`)
  const title = `\nTidewater, a small magazine, is served at ${address}\n`
  const hasGraphql = app.hasRoute({ method: 'POST', url: '/graphql' })
  const graphql = hasGraphql ? [`\nGraphQL, with an explorer for browsers: ${address}/graphql`] : []
  const stop = 'Ctrl+C stops the server.'
  if (list.length === 0) {
    const none = hasGraphql ? 'no REST routes' : 'no routes'
    return [title, `It has ${none}; \`rest: true\` in config/plugins.ts adds them.`, ...graphql, `\n${stop}\n`].join(
      '\n',
    )
  }
  const more = `apps/example/README.md is a tour in twenty-seven steps, with users, roles, GraphQL and files. ${stop}`
  return [title, ...list, '\nRequests to try:\n', ...tries, ...graphql, `\n${more}\n`].join('\n')
}
