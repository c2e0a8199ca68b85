// Subscriptions and extensions of the schema: what surrounds fields surrounds them at each event.

import type { ExtensionService, Middleware } from '@plinth/graphql'
import { definePlugin } from '@plinth/kernel'
import t from 'tap'
import { start } from './fixtures/boot.ts'
import { connect, listen, pause } from './fixtures/subscriber.ts'

/** The option `plugins` with a plugin that extends the schema. */
const extending = (extend: (service: ExtensionService) => void) => ({
  own: {
    plugin: definePlugin({
      name: 'own',
      after: ['graphql'],
      register: ({ kernel }) => extend(kernel.services.find('graphql', 'extension') as ExtensionService),
    }),
  },
})

const extended = (use: object) => extending(service => service.use(use))

t.test('own fields, and middlewares that change arguments', async t => {
  const seen: unknown[] = []
  const plugins = extended({
    typeDefs: 'extend type Tag { loud: String }',
    resolvers: { Tag: { loud: (tag: { readonly label: string }) => tag.label.toUpperCase() } },
    resolversConfig: {
      'Subscription.tagsChanged': {
        middlewares: [
          ((next, parent, args, context, info) => {
            seen.push(args)
            return next(parent, { ...args, filters: { color: { eq: 'red' } } }, context, info)
          }) satisfies Middleware,
        ],
      },
    },
  })
  const { app, of } = await start(t, { plugins })
  const { subscribe } = await connect(t, await listen(app))
  const received = await subscribe('subscription { tagsChanged { action id data { attributes { loud label } } } }')
  const one = await subscribe('subscription { tagChanged(id: 1) { data { attributes { loud } } } }')
  await of('tag').create({ data: { label: 'a', color: 'green' } })
  await of('tag').create({ data: { label: 'b', color: 'red' } })
  await received.until(1)
  await one.until(1)
  await pause()
  t.same(received.events, [
    { data: { tagsChanged: { action: 'CREATE', id: '2', data: { attributes: { loud: 'B', label: 'b' } } } } },
  ])
  t.same(one.events, [{ data: { tagChanged: { data: { attributes: { loud: 'A' } } } } }])
  t.same(seen.length, 2)
})

t.test('policies are asked at each event, and end what they refuse', async t => {
  let isAllowed = true
  const plugins = extended({
    resolversConfig: { 'Subscription.tagsChanged': { policies: [() => isAllowed] } },
  })
  const { app, of } = await start(t, { plugins })
  const { subscribe } = await connect(t, await listen(app))
  const received = await subscribe('subscription { tagsChanged { id } }')
  await of('tag').create({ data: { label: 'a' } })
  await received.until(1)
  isAllowed = false
  await of('tag').create({ data: { label: 'b' } })
  await received.until(2)
  t.same(received.events, [{ data: { tagsChanged: { id: '1' } } }])
  t.match(received.error, [{ extensions: { code: 'FORBIDDEN' } }])
})

t.test('what is switched off cannot be subscribed to', async t => {
  const plugins = extending(service => {
    service.shadowCRUD('api::tag.tag').disableAction('find')
    service.shadowCRUD('api::person.person').disableQueries()
    service.shadowCRUD('api::article.article').field('body').disableOutput()
  })
  const { app, ask } = await start(t, { plugins })
  await listen(app)
  const { body } = await ask('{ __schema { subscriptionType { fields { name args { name } } } } }')
  const names = body.data.__schema.subscriptionType.fields.map((one: { readonly name: string }) => one.name)
  t.same(names.sort(), ['articleChanged', 'articlesChanged', 'homeChanged', 'tagChanged'])
})
