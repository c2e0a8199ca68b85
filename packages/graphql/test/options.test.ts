// The options of graphql.config (B-9.15 to B-9.23, service.md 9.1): each one has its effect, and others end the start.

import {
  extendSchema,
  type GraphQLObjectType,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
} from 'graphql'
import t from 'tap'
import { serve } from './fixtures/served.ts'

const introspection = '{ __schema { queryType { name } } }'

t.test('endpoint', async t => {
  const { ask, app } = await serve(t, { config: { endpoint: '/api/v2/ask' } })
  t.same((await ask('{ __typename }')).body, { data: { __typename: 'Query' } })
  const old = await app.inject({ method: 'GET', url: '/graphql?query={__typename}' })
  t.equal(old.statusCode, 404)
  for (const endpoint of ['graphql', '/:id', '/a?b', '/*', '/"x'])
    await t.rejects(serve(t, { config: { endpoint } }), {
      code: 'PLINTH_PLUGIN_CONFIG',
      message: /graphql\.config\.endpoint/,
    })
})

t.test('shadowCRUD: false', async t => {
  const { ask } = await serve(t, { config: { shadowCRUD: false } })
  const { body } = await ask('{ __schema { queryType { fields { name } } types { name } } }')
  const text = JSON.stringify(body)
  t.notMatch(text, /"(?:tags|articles|TagEntity|Article)"/)
  t.match(await ask('{ tags { data { id } } }'), {
    status: 400,
    body: { errors: [{ message: /Cannot query field "tags"/ }] },
  })
})

t.test('amountLimit, defaultLimit and maxLimit', async t => {
  const counted = async (config: Readonly<Record<string, unknown>>) => {
    const { ask, kernel } = await serve(t, { config })
    const tags = kernel.query('api::tag.tag')
    const ids: number[] = []
    for (let i = 0; i < 12; i++) ids.push(Number((await tags.create({ data: { label: `t${i}` } })).id))
    await kernel.query('api::article.article').create({ data: { title: 'A', tags: ids } })
    const lengths: number[] = []
    for (const args of ['', '(pagination: { limit: 8 })', '(pagination: { limit: -1 })']) {
      const { body } = await ask(
        `{ tags${args} { data { id } } articles { data { attributes { tags${args} { data { id } } } } } }`,
      )
      const { tags: root, articles } = body.data as {
        tags: { data: unknown[] }
        articles: { data: { attributes: { tags: { data: unknown[] } } }[] }
      }
      t.equal(articles.data[0]!.attributes.tags.data.length, root.data.length, 'nested lists have the same limits')
      lengths.push(root.data.length)
    }
    return lengths
  }
  t.same(await counted({}), [10, 8, 12], 'by default 10, and at most 100')
  t.same(await counted({ amountLimit: 5 }), [5, 5, 5])
  t.same(await counted({ defaultLimit: 3 }), [3, 8, 12])
  t.same(await counted({ defaultLimit: -1, amountLimit: 11 }), [11, 8, 11], 'no limit of its own, as in v4')
  t.same(await counted({ maxLimit: 6, amountLimit: 11 }), [6, 6, 6], 'the lower one')
})

t.test('depthLimit has the message of v4', async t => {
  const { ask } = await serve(t, { config: { depthLimit: 3 } })
  t.equal((await ask('{ tags { data { attributes { label } } } }')).status, 200)
  t.equal((await ask(introspection)).status, 200, 'introspection does not count')
  const deep = 'attributes { articles { data { id } } }'
  for (const text of [
    `query Deep { tags { data { ${deep} } } }`,
    `query Deep { tags { data { ...F } } } fragment F on TagEntity { ${deep} }`,
  ])
    t.match(await ask(text), {
      status: 400,
      body: {
        errors: [
          { message: "'Deep' exceeds maximum operation depth of 3", extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
        ],
      },
    })
})

t.test('introspection', async t => {
  const off = { status: 400, body: { errors: [{ message: /introspection/ }] } }
  const asks = async (config: Readonly<Record<string, unknown>>, production: boolean) =>
    (await serve(t, { config, production })).ask(introspection)
  t.match(await asks({}, false), { status: 200 })
  t.match(await asks({}, true), off)
  t.match(await asks({ apolloServer: { introspection: true } }, true), { status: 200 })
  t.match(await asks({ apolloServer: { introspection: false } }, false), off)
})

t.test('serverOptions reach mercurius', async t => {
  await t.rejects(serve(t, { config: { serverOptions: { cache: 'much' } } }), /Cache type is not supported/)
  const { ask } = await serve(t, { config: { serverOptions: { validationRules: [NoSchemaIntrospectionCustomRule] } } })
  t.match(await ask(introspection), { status: 400, body: { errors: [{ message: /introspection/ }] } })
  const calls: string[] = []
  const onRequest = async ({ method }: { method: string }) => void calls.push(method)
  const served = await serve(t, { config: { serverOptions: { additionalRouteOptions: { onRequest } } } })
  await served.ask('{ __typename }')
  t.same(calls, ['POST'])
})

t.test('a schema that mercurius transforms answers all operations', async t => {
  const louder = (schema: GraphQLSchema) => {
    const made = extendSchema(schema, parse('extend type Query { unused: Int }'))
    const { label } = (made.getType('Tag') as GraphQLObjectType).getFields()
    label!.resolve = ({ label }) => `${label}!`
    return made
  }
  const { ask, kernel } = await serve(t, { config: { serverOptions: { schemaTransforms: [louder] } } })
  await kernel.query('api::tag.tag').create({ data: { label: 'loud' } })
  t.match(await ask('{ tags { data { attributes { label } } } }'), {
    body: { data: { tags: { data: [{ attributes: { label: 'loud!' } }] } } },
  })
})

t.test('unknown options end the start, with the nearest name', async t => {
  const refused = async (config: Readonly<Record<string, unknown>>, message: RegExp) =>
    t.rejects(serve(t, { config }), { code: 'PLINTH_PLUGIN_CONFIG', message })
  await refused({ amountLimits: 5 }, /graphql\.config\.amountLimits: is not known, did you mean "amountLimit"\?/)
  await refused({ depthlimit: 5 }, /did you mean "depthLimit"\?/)
  await refused(
    { apolloServer: { introspections: true } },
    /apolloServer\.introspections: is not known, did you mean "introspection"/,
  )
  await refused({ limits: { field: 5 } }, /limits\.field: is not known, did you mean "fields"\?/)
  await refused({ amountLimit: 0 }, /amountLimit: must be at least 1/)
  await refused({ defaultLimit: 0 }, /defaultLimit: must be at least 1/)
  await refused({ artifacts: { shema: true } }, /artifacts\.shema: is not known, did you mean "schema"\?/)
})

t.test('options whose place is elsewhere say where', async t => {
  await t.rejects(
    serve(t, { config: { apolloServer: { formatError: () => null }, serverOptions: { queryDepth: 3 } } }),
    {
      code: 'PLINTH_PLUGIN_CONFIG',
      message:
        /apolloServer\.formatError is not supported: .*onResolution[\s\S]*serverOptions\.queryDepth is not supported: use depthLimit/,
    },
  )
  for (const name of ['graphiql', 'ide'])
    await t.rejects(serve(t, { config: { serverOptions: { [name]: true } } }), /use playgroundAlways/)
  for (const subscriptions of [true, { redis: 'redis://127.0.0.1:6379' }])
    await t.rejects(serve(t, { config: { subscriptions } }), {
      message:
        "config/plugins: graphql.config.subscriptions: they are the plugin 'graphql-subscriptions' with options of its own: npm install @plinth/graphql-subscriptions",
    })
})

t.test('the configuration of a project of v4 starts, and warns of what has no effect', async t => {
  const warnings: string[] = []
  const logger = { level: 'warn', stream: { write: (line: string) => void warnings.push(JSON.parse(line).msg) } }
  const config = {
    endpoint: '/graphql',
    shadowCRUD: true,
    playgroundAlways: false,
    depthLimit: 7,
    amountLimit: 100,
    generateArtifacts: true,
    artifacts: { schema: true, typegen: false },
    subscriptions: false,
    apolloServer: { tracing: true, introspection: true, cache: 'bounded', csrfPrevention: false },
    serverOptions: { jit: 1 },
  }
  const { ask } = await serve(t, { config, logger } as never)
  t.equal((await ask('{ tags { data { id } } }')).status, 200)
  const named = warnings
    .filter(one => one.includes('has no effect'))
    .map(one => /graphql\.config\.([\w.]+)/.exec(one)?.[1])
  t.same(named.sort(), ['apolloServer.cache', 'apolloServer.tracing', 'artifacts.schema', 'serverOptions.jit'])
})
