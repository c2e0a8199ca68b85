// gatsby-source-strapi: its sourceNodes, with what Gatsby gives to it, on the routes of the content-type builder.

import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import t from 'tap'
import { openSite, published } from './fixtures/site.ts'

interface Node {
  readonly id: string
  readonly internal: { readonly type: string }
  readonly [name: string]: unknown
}

/** What the plugin uses of Gatsby. */
function gatsby() {
  const nodes = new Map<string, Node>()
  const cached = new Map<string, unknown>()
  const status: { current: Record<string, unknown> } = { current: {} }
  const faults: unknown[] = []
  const cache = {
    get: async (key: string) => cached.get(key),
    set: async (key: string, value: unknown) => void cached.set(key, value),
  }
  const api = {
    actions: {
      createNode: async (node: Node) => void nodes.set(node.id, node),
      deleteNode: (node: Node) => void nodes.delete(node.id),
      touchNode: () => {},
      setPluginStatus: (next: Record<string, unknown>) => Object.assign(status.current, next),
    },
    cache,
    getCache: () => cache,
    createContentDigest: (value: unknown) => createHash('md5').update(JSON.stringify(value)).digest('hex'),
    createNodeId: (text: string) => `node ${text}`,
    getNode: (id: string) => nodes.get(id),
    getNodes: () => [...nodes.values()],
    reporter: {
      info: () => {},
      success: () => {},
      warn: () => {},
      verbose: () => {},
      activityTimer: () => ({ start() {}, end() {}, setStatus() {} }),
      panic: (fault: unknown) => {
        faults.push(fault)
        throw new Error(String(fault))
      },
      panicOnBuild: (fault: unknown) => faults.push(fault),
      error: (fault: unknown) => faults.push(fault),
    },
    store: { getState: () => ({ status: { plugins: { 'gatsby-source-strapi': status.current } } }) },
  }
  return { api, nodes, faults }
}

t.test('gatsby-source-strapi', async t => {
  const { app, url, token, author } = await openSite(t)
  const { sourceNodes } = createRequire(import.meta.url)('gatsby-source-strapi/dist/gatsby-node.js') as {
    sourceNodes(api: object, options: object): Promise<void>
  }
  const options = {
    apiURL: url,
    accessToken: token,
    collectionTypes: ['article', 'author', 'user'],
    singleTypes: ['homepage'],
    remoteFileHeaders: {},
    maxParallelRequests: 5,
    queryLimit: 10,
  }
  const { api, nodes, faults } = gatsby()
  const ofType = (type: string) => [...nodes.values()].filter(node => node.internal.type === type)
  await sourceNodes(api, options)
  t.same(faults, [])
  t.equal(ofType('STRAPI_ARTICLE').length, published)
  t.equal(new Set(ofType('STRAPI_ARTICLE').map(node => node.strapi_id)).size, published, 'each of them once')
  t.match(ofType('STRAPI_AUTHOR'), [{ strapi_id: author, name: 'Ada' }])
  t.match(ofType('STRAPI_HOMEPAGE'), [{ greeting: 'Hello' }])
  t.match(ofType('STRAPI_USER'), [{ username: 'nell' }])
  t.equal(ofType('STRAPI__COMPONENT_SHARED_QUOTE').length, published)

  await app.kernel.query('api::author.author' as string).update(author, { data: { name: 'Ada L.' } })
  await sourceNodes(api, options)
  t.match(ofType('STRAPI_AUTHOR'), [{ name: 'Ada L.' }], 'a later run reads what has changed')
  t.equal(ofType('STRAPI_ARTICLE').length, published, 'and keeps the rest')
  t.same(faults, [])
})
