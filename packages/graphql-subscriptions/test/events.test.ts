// Events of subscriptions: what subscribers receive, in which form, and what they do not receive.

import { eq, type Kernel, perRequest, systemAccess } from '@plinth/kernel'
import t from 'tap'
import { start } from './fixtures/boot.ts'
import { connect, listen, pause } from './fixtures/subscriber.ts'

const article = (title: string, more: object = {}) => ({
  data: { title, publishedAt: '2024-01-01T00:00:00.000Z', ...more },
})

t.test('creations, updates and deletions arrive in the form of queries', async t => {
  const { app, of, ask } = await start(t)
  const { subscribe } = await connect(t, await listen(app))
  const all = await subscribe(
    'subscription { tagsChanged { action id data { id attributes { label parent { data { id attributes { label } } } } } __typename } }',
  )
  const one = await subscribe('subscription One($id: ID!) { tagChanged(id: $id) { id what: action } }', { id: '2' })
  await ask('mutation { createTag(data: { label: "a" }) { data { id } } }')
  await of('tag').create({ data: { label: 'b', parent: 1 } })
  await all.until(2)
  await of('tag').update(2, { data: { label: 'c' } })
  await all.until(3)
  await of('tag').delete(2)
  await all.until(4)
  // The question sees the entry as it is: what has changed twice since may arrive as the second change left it.
  t.same(
    all.events.map(({ data: { tagsChanged: one } }) => `${one.action} ${one.id}`),
    ['CREATE 1', 'CREATE 2', 'UPDATE 2', 'DELETE 2'],
  )
  t.same(all.events[0].data.tagsChanged, {
    action: 'CREATE',
    id: '1',
    data: { id: '1', attributes: { label: 'a', parent: { data: null } } },
    __typename: 'TagEntityChange',
  })
  t.same(all.events[3].data.tagsChanged, { action: 'DELETE', id: '2', data: null, __typename: 'TagEntityChange' })
  await one.until(3)
  t.same(
    one.events.map(({ data }) => data.tagChanged),
    ['CREATE', 'UPDATE', 'DELETE'].map(what => ({ id: '2', what })),
  )
  t.equal(one.error, null)
})

t.test('an event has the same answer as the query', async t => {
  const { app, of, ask } = await start(t)
  const { subscribe } = await connect(t, await listen(app))
  const selection =
    '{ id attributes { title kind big doc seo { text } zone { __typename ... on ComponentALink { url } } } }'
  const received = await subscribe(
    `subscription ($f: ArticleFiltersInput) { articlesChanged(filters: $f) { data ${selection} } }`,
    { f: { title: { startsWith: 'yes' } } },
  )
  await of('article').create(article('no'))
  const zone = [{ __component: 'a.link', url: '/x' }]
  await of('article').create(article('yes', { kind: 'two words', big: '42', doc: [1], seo: { text: 's' }, zone }))
  await received.until(1)
  const { body } = await ask(`{ article(id: 2) { data ${selection} } }`)
  t.same(received.events, [{ data: { articlesChanged: { data: body.data.article.data } } }])
})

t.test('no event is sent before COMMIT, nor after a rollback', async t => {
  const { app, kernel, of } = await start(t)
  const { subscribe } = await connect(t, await listen(app))
  const received = await subscribe('subscription { tagsChanged { id } }')
  const refused = kernel.transaction(async () => {
    await of('tag').create({ data: { label: 'a' } })
    await pause()
    t.equal(received.events.length, 0, 'not before COMMIT')
    throw new RangeError('no')
  })
  await t.rejects(refused, RangeError)
  await pause()
  t.equal(received.events.length, 0, 'not after a rollback')
  await kernel.transaction(async () => {
    await of('tag').create({ data: { label: 'b' } })
    await pause()
    t.equal(received.events.length, 0, 'not before COMMIT')
  })
  await received.until(1)
  t.equal(received.events.length, 1)
})

t.test('an event asks equal questions once', async t => {
  const asked: string[] = []
  const configure = (kernel: Kernel) => kernel.hooks.on('onStatement', text => void asked.push(text))
  const { app, of } = await start(t, { configure })
  const url = await listen(app)
  const query = 'subscription { tagsChanged { data { attributes { label color } } } }'
  const connections = await Promise.all(Array.from({ length: 5 }, () => connect(t, url)))
  const equal = await Promise.all(connections.flatMap(one => [one.subscribe(query), one.subscribe(query)]))
  await of('tag').create({ data: { label: 'warm' } })
  await Promise.all(equal.map(one => one.until(1)))
  asked.length = 0
  await of('tag').create({ data: { label: 'a', color: 'red' } })
  await Promise.all(equal.map(one => one.until(2)))
  const questions = asked.filter(
    text => /^select/i.test(text) && /label/.test(text) && /color/.test(text) && !/insert/i.test(text),
  )
  t.equal(questions.length, 1, 'ten subscribers, one question')
  for (const one of equal)
    t.same(one.events[1], { data: { tagsChanged: { data: { attributes: { label: 'a', color: 'red' } } } } })
  const other = await connections[0]!.subscribe('subscription { tagsChanged { data { attributes { label } } } }')
  asked.length = 0
  await of('tag').create({ data: { label: 'b' } })
  await other.until(1)
  await Promise.all(equal.map(one => one.until(3)))
  t.equal(
    asked.filter(text => /^select/i.test(text) && /label/.test(text)).length,
    2,
    'another question is another one',
  )
})

t.test('an event asks once for all callers with the same rights', async t => {
  const asked: string[] = []
  const configure = ({ hooks, auth }: Kernel) => {
    hooks.on('onStatement', text => void asked.push(text))
    auth.use({
      name: 'test',
      authenticate({ headers }) {
        const [rights] = String(headers['x-user'] ?? 'none').split('-')
        return { ...systemAccess, key: rights!, user: { id: headers['x-user'] } }
      },
    })
    hooks.on('prePlan', (draft, { key }) => {
      if (draft.type.uid === 'api::tag.tag' && key === 'reader')
        draft.where(
          eq(
            'color',
            perRequest(() => 'red'),
          ),
        )
    })
  }
  const { app, of } = await start(t, { configure })
  const url = await listen(app)
  const users = ['editor-1', 'editor-2', 'editor-3', 'reader-1', 'reader-2', 'reader-3']
  const query = 'subscription { tagsChanged { data { attributes { label color } } } }'
  const all = await Promise.all(
    users.map(async user => (await connect(t, url, { headers: { 'x-user': user } })).subscribe(query)),
  )
  const [editors, readers] = [all.slice(0, 3), all.slice(3)]
  await of('tag').create({ data: { label: 'warm', color: 'red' } })
  await Promise.all(all.map(one => one.until(1)))
  const questions = () => asked.filter(text => /^select/i.test(text) && /label/.test(text) && /color/.test(text)).length
  asked.length = 0
  await of('tag').create({ data: { label: 'a', color: 'red' } })
  await Promise.all(all.map(one => one.until(2)))
  t.equal(questions(), 2, 'six subscribers with two kinds of rights')
  asked.length = 0
  await of('tag').create({ data: { label: 'b', color: 'green' } })
  await Promise.all(editors.map(one => one.until(3)))
  await pause()
  t.equal(questions(), 2)
  for (const one of readers) t.equal(one.events.length, 2, 'the rule hides it')
})

t.test('writes are observed only for types with subscribers', async t => {
  const { app, kernel } = await start(t)
  const context = kernel.context(systemAccess)
  const when = (uid: string) => kernel.hooks.compiled.onCommit!.switchFor(uid, 'create')!(context)
  const { subscribe } = await connect(t, await listen(app))
  t.notOk(when('api::tag.tag'))
  const received = await subscribe('subscription { tagsChanged { id } }')
  t.ok(when('api::tag.tag'))
  t.notOk(when('api::person.person'), 'not for other types')
  received.stop()
  await pause()
  t.notOk(when('api::tag.tag'), 'not any more')
})

t.test('a single type has a subscription without an id', async t => {
  const { app, ask } = await start(t)
  const { subscribe } = await connect(t, await listen(app))
  const received = await subscribe('subscription { homeChanged { action data { attributes { heading } } } }')
  await ask('mutation { updateHome(data: { heading: "Hello" }) { data { id } } }')
  await received.until(1)
  t.match(received.events, [{ data: { homeChanged: { data: { attributes: { heading: 'Hello' } } } } }])
})
