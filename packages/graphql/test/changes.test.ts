// The service `changes`: what a plugin that lets clients subscribe to changes receives of the endpoint.

import { openAccess } from '@plinth/kernel'
import t from 'tap'
import graphql from '../src/index.ts'
import { serve } from './fixtures/served.ts'
import { servingChanges } from './fixtures/serving-changes.ts'

t.test('subscriptions are in the schema if somebody serves changes', async t => {
  const names = '{ __schema { subscriptionType { fields { name } } } }'
  const without = await serve(t)
  t.same((await without.ask(names)).body, { data: { __schema: { subscriptionType: null } } })
  t.throws(() => without.kernel.services.find('graphql', 'changes')!.serve(() => {}), {
    code: 'PLINTH_GRAPHQL_LATE',
    message: /serve comes too late/,
  })
  const { plugin, received } = servingChanges(changes =>
    t.throws(() => changes.serve(() => {}), { code: 'PLINTH_GRAPHQL_EXTENSION', message: /another plugin/ }),
  )
  const { ask, kernel } = await serve(t, { plugins: { graphql: { plugin: graphql }, changes: { plugin } } })
  const fields = ['articleChanged', 'articlesChanged', 'tagChanged', 'tagsChanged'].map(name => ({ name }))
  t.match((await ask(names)).body, { data: { __schema: { subscriptionType: { fields } } } })
  t.match((await ask('subscription { tagsChanged { id } }')).body, {
    errors: [{ message: 'Subscriptions are sent over a WebSocket.' }],
  })
  await ask('mutation { createTag(data: { label: "a" }) { data { id } } }')
  const { subscribe, errorsOf, path, maxText } = received.endpoint!
  t.same([path, maxText], ['/graphql', 65_536])
  const caller = { context: kernel.context(openAccess), request: null }
  const query = 'subscription ($id: ID!) { tagChanged(id: $id) { action id data { attributes { label } } } }'
  const one = await subscribe({ query, variables: { id: '1' } }, caller)
  t.match(one, { uid: 'api::tag.tag', entry: 1 })
  t.ok(one.size > 2000 + one.variableSize)
  const change = { uid: 'api::tag.tag', action: 'update', id: 1, held: {} } as const
  t.type(one.identityOf(change, caller), 'string')
  const answer = await one.answer(change, caller)
  t.same(answer, {
    text: '{"data":{"tagChanged":{"action":"UPDATE","id":"1","data":{"attributes":{"label":"a"}}}}}',
    errors: null,
  })
  t.equal(await one.answer({ ...change, id: 2 }, caller), null, 'another entry')
  t.match(await subscribe({ query: '{ tags { data { id } } }' }, caller).catch(errorsOf), [
    { message: /are sent by POST/ },
  ])
  t.match(await subscribe(5, caller).catch(errorsOf), [{ message: /POST body missing/ }])
  t.equal(errorsOf(new Error('of the server')), null)
})
