/**
 * The fixture plugin, found by the name of its package, uses every extension point, and each of them works as
 * documented.
 */

import t from 'tap'
import { boot, client, type Entry } from '../boot.ts'
import { contentTypes, info, start, titles, words } from './stories.ts'

t.test('reading time', async t => {
  const { api, kernel, measured, statements } = await start(t, { config: { short: 2 } })
  await api.create('shelves', { label: 'left' })
  await api.create(
    'stories',
    { title: 'short', text: words(100), shelf: 1 },
    { title: 'long', text: words(900), shelf: 1 },
    { title: 'none' },
  )

  t.test('attributes of a type of the application (preModel), set when it is written (preWrite)', async t => {
    const { body } = await api.post('/api/stories', { data: { title: 'x', text: words(201), readingMinutes: 99 } })
    t.match(body.data, { attributes: { readingMinutes: 2 } })
    t.match((await api.put('/api/stories/4', { data: { text: words(401) } })).body.data, {
      attributes: { readingMinutes: 3 },
    })
    t.match((await api.put('/api/stories/4', { data: { title: 'y' } })).body.data, {
      attributes: { readingMinutes: 3 },
    })
    await api.delete('/api/stories/4')
    const [shelf] = await api.list('/api/shelves')
    t.notOk(Object.hasOwn(shelf!.attributes, 'readingMinutes'), 'and not on types without the option')
  })

  t.test('a service', async t => {
    t.equal(kernel.plugin('reading-time').service('measure')(words(201)), 2)
    t.throws(() => kernel.plugin('reading-tme').service('measure'), { message: /did you mean "reading-time\.measure"/ })
  })

  t.test('a table of its own, which migrations leave alone', async t => {
    const [start, ...others] = await kernel.knex('reading_time_starts')
    t.same(others, [])
    // Servers return a bigint as a text.
    t.match({ id: start.id, started: Number(start.started_at) > 0 }, { id: 1, started: true })
    t.ok(kernel.contentTypes.isForeignTable('reading_time_starts'))
  })

  t.test('an attribute type', async t => {
    const refused = await api.post('/api/readings', { data: { minutes: 1.5 } })
    t.match(refused.body.error, {
      status: 400,
      name: 'ValidationError',
      message: 'minutes must be a whole number of minutes',
    })
  })

  t.test('a content type, with routes of its own', async t => {
    const readings = await api.list('/api/readings?sort=minutes')
    t.match(
      readings.map(({ attributes }) => attributes),
      [{ minutes: 1, of: 'api::story.story' }, { minutes: 2 }, { minutes: 3 }, { minutes: 5 }],
    )
  })

  t.test('an action that everybody may do', async t => {
    for (const authorization of ['', 'Reader', 'Reader ann', 'Bearer x']) {
      const headers: Record<string, string> = authorization === '' ? {} : { authorization }
      const { status, body } = await api.get('/reading-time/speed', headers)
      t.match({ status, body }, { status: 200, body: { wordsPerMinute: 200, user: null } }, authorization)
    }
    t.equal((await api.get('/reading-time', { authorization: 'Bearer x' })).status, 401)
  })

  t.test('a type with the plugin’s routes, and a policy', async t => {
    const keep = (body: object, headers = {}) => api.post('/reading-time/habits', body, headers)
    t.match(await keep({ reader: 'ann', wordsPerMinute: 300, note: 'n' }), { status: 200, body: { reader: 'ann' } })
    t.match(await keep({ reader: 'bob', wordsPerMinute: 3000 }), {
      status: 403,
      body: { error: { message: 'Forbidden' } },
    })
    t.equal((await keep({ reader: 'bob' }, { authorization: 'Reader ann' })).status, 403)
    const { body } = await api.get('/reading-time/habits')
    t.match(body, [{ reader: 'ann', wordsPerMinute: 300 }])
    t.notOk('note' in (body as unknown as object[])[0]!, 'which another one extended by something private')
    t.equal((await api.get('/api/habits')).status, 404, 'and none of the REST API')
  })

  t.test('a parameter whose value is the shape', async t => {
    t.same(titles(await api.list('/api/stories?readingTime=short')), ['short'])
    t.same(titles(await api.list('/api/stories?readingTime=long')), ['long'])
    t.equal((await api.get('/api/stories?readingTime=endless')).status, 400)
    t.equal((await api.list('/api/shelves?readingTime=short')).length, 1, 'does nothing to other types')
    t.same(
      (await kernel.query('api::story.story').findMany({ readingTime: 'long' })).map(({ title }) => title),
      ['long'],
    )
    t.equal(await kernel.query('api::story.story').count({ readingTime: 'long' }), 1)
  })

  t.test('a parameter whose value is bound', async t => {
    t.same(titles(await api.list('/api/stories?maxMinutes=4')), ['short'])
    const { plans } = kernel.engine
    const before = plans.size
    for (let minutes = 5; minutes < 50; minutes++) {
      t.same(titles(await api.list(`/api/stories?maxMinutes=${minutes}`)), ['short', 'long'])
    }
    t.equal(plans.size, before, 'and makes no plans')
    const refused = await api.get('/api/stories?maxMinutes=soon')
    t.match(refused.body.error, { status: 400, message: 'maxMinutes must be a number of minutes' })
    const [shelf] = await api.list('/api/shelves?maxMinutes=4&populate=stories')
    t.match(shelf?.attributes.stories, { data: [{ attributes: { title: 'short' } }] }, 'reaches what is populated')
    t.equal((shelf!.attributes.stories as { data: unknown[] }).data.length, 1)
    t.same(await api.list('/api/shelves?maxMinutes=4&filters[stories][title]=long'), [], 'and what filters pass')
  })

  t.test('an operator', async t => {
    t.same(titles(await api.list('/api/stories?filters[text][$words]=500')), ['long'])
    t.same(titles(await api.list('/api/stories?filters[$not][text][$words]=500')), ['short'])
    t.match((await api.list('/api/shelves?filters[stories][text][$words]=900')).length, 1)
    t.equal((await api.get('/api/stories?filters[text][$words]=many')).status, 400)
  })

  t.test('a rule on every read, by a value of the request (prePlan, late)', async t => {
    const patient = async (minutes: string, url: string) => (await api.get(url, { 'x-patience': minutes })).body
    const { plans } = kernel.engine
    t.same(titles((await patient('3', '/api/stories')).data as Entry[]), ['short', 'none'])
    const before = plans.size
    for (let i = 10; i < 40; i++) {
      t.same(titles((await patient(String(i), '/api/stories')).data as Entry[]), ['short', 'long', 'none'])
    }
    t.equal(plans.size, before, 'no plans for values')
    t.equal((await patient('3', '/api/stories')).meta?.pagination?.total, 2, 'the total counts what is seen')
    t.equal((await api.get('/api/stories/2', { 'x-patience': '3' })).status, 404)
    t.equal(
      (await api.get('/api/stories/2', { 'x-patience': '5' })).status,
      200,
      'nothing is remembered of the caller before',
    )
    const shelf = (await patient('3', '/api/shelves?populate=stories')).data as Entry[]
    t.equal((shelf[0]!.attributes.stories as { data: unknown[] }).data.length, 1)
    t.same((await patient('3', '/api/shelves?filters[stories][title]=long')).data, [], 'not even through a filter')
  })

  t.test('meta of entries and of the response (preReply)', async t => {
    const { body } = await api.get('/api/stories?sort=id')
    const metas = (body.data as unknown as { readonly meta: unknown }[]).map(({ meta }) => meta)
    t.same(metas, [
      { readings: [1], longest: 1 },
      { readings: [5], longest: 5 },
      { readings: [], longest: null },
    ])
    t.match(body.meta, { pagination: { total: 3 }, readingTime: { wordsPerMinute: 200, hits: Number } })
    t.same((await api.get('/api/shelves/1')).body.meta, {})
  })

  t.test('a route (onMount)', async t => {
    t.match((await api.get('/reading-time/stories')).body, { entries: 3, minutes: 6 })
    t.match((await api.get('/reading-time/stories', { 'x-patience': '3' })).body, { entries: 2, minutes: 1 })
    t.match((await api.get('/reading-time/shelves')).body, { error: { status: 404, name: 'NotFoundError' } })
  })

  t.test('an answer from a cache (preExecute, onExecute), until a write (onCommit, plan.reads)', async t => {
    const url = '/api/stories?sort=title&populate=shelf'
    const first = await api.get(url)
    statements.length = 0
    const second = await api.get(url)
    t.same(second.body.data, first.body.data)
    t.same(statements, [], 'no statement at all')
    await api.put('/api/shelves/1', { data: { label: 'right' } })
    const [story] = (await api.get(url)).body.data as Entry[]
    t.match(story!.attributes.shelf, { data: { attributes: { label: 'right' } } }, 'a populated type counts as read')
  })

  t.test(
    'further writes in the transaction (onWrite), and a hook of the plugin after the commit (onCommit)',
    async t => {
      measured.length = 0
      const [id] = await api.create('stories', { title: 'told', text: words(150) })
      t.same(measured, [{ uid: 'api::story.story', id, minutes: 1, before: null }])
      const before = await kernel.query('plugin::reading-time.reading').count()
      const refused = await api.post('/api/stories', { data: { title: 'epic', text: words(20_000) } })
      t.match(refused.body.error, { status: 400, message: 'The text takes 100 minutes, but the limit is 60' })
      t.equal(await kernel.query('plugin::reading-time.reading').count(), before, 'the reading is rolled back')
      t.equal(await kernel.query('api::story.story').count({ filters: { title: 'epic' } }), 0, 'and so is the entry')
      t.equal(measured.length, 1, 'the hook is not called')
      await t.rejects(
        kernel.transaction(async () => {
          await kernel.query('api::story.story').create({ data: { title: 'undone', text: words(10) } })
          throw new Error('changed my mind')
        }),
        /changed my mind/,
      )
      t.equal(await kernel.query('api::story.story').count({ filters: { title: 'undone' } }), 0)
      t.equal(measured.length, 1, 'nor of a transaction that does not commit')
      await api.delete(`/api/stories/${id}`)
    },
  )

  t.test('a refusal before the transaction (preWrite)', async t => {
    statements.length = 0
    const refused = await api.post('/api/stories', { data: { title: 'filler', text: 'Lorem ipsum dolor' } })
    t.match(refused.body.error, { status: 400, message: 'The text contains lorem ipsum' })
    t.same(
      statements.filter(text => /begin/i.test(text)),
      [],
    )
  })

  t.test('a rule on what is written and linked (stage, via link), a refusal of what was sent (write.sent)', async t => {
    const [id] = await api.create('stories', { title: 'mine', text: words(150) })
    const patient = { 'x-patience': '3' }
    const data = { text: words(900) }
    t.equal((await api.put(`/api/stories/${id}`, { data }, patient)).status, 403, 'it would leave the rule')
    t.equal((await api.post('/api/stories', { data: { title: 'x', ...data } }, patient)).status, 403)
    t.match((await api.get(`/api/stories/${id}`)).body, { data: { attributes: { readingMinutes: 1 } } })
    t.equal((await api.put(`/api/stories/${id}`, { data })).status, 200)
    t.equal((await api.put(`/api/stories/${id}`, { data: { title: 'y' } }, patient)).status, 404, 'it is out of it')
    t.equal((await api.put(`/api/stories/${id}`, { data: { teaser: 'read me' } })).status, 403)
    t.equal((await api.delete(`/api/stories/${id}`)).status, 200)
  })

  t.test('a way to authenticate', async t => {
    const reader = { authorization: 'Reader ann' }
    t.equal((await api.get('/api/stories', reader)).status, 200)
    t.equal((await api.post('/api/stories', { data: { title: 'x' } }, reader)).status, 403, 'who may only read')
    t.equal((await api.get('/api/stories', { authorization: 'Reader ' })).status, 401)
    t.equal((await api.get('/api/stories', { authorization: 'Bearer x' })).status, 401, 'a stranger’s credentials')
    t.equal((await api.post('/api/stories', { data: { title: 'by anybody' } })).status, 200)
  })
})

t.test('its attribute type in a schema of the application', async t => {
  const shelf = { info: info('shelf', 'shelves'), attributes: { pause: { type: 'minutes', required: true } } }
  const app = await boot(t, { dir: undefined, contentTypes: [shelf], plugins: { rest: true, 'reading-time': true } })
  const api = client(app)
  await api.create('shelves', { pause: 5 })
  t.equal((await api.list('/api/shelves?filters[pause][$gte]=5&sort=pause'))[0]?.attributes.pause, 5)
  const refused = await api.post('/api/shelves', { data: { pause: 1.5 } })
  t.match(refused.body.error, { status: 400, message: 'pause must be a whole number of minutes' })
})

t.test('its configuration is checked, and its package is found by name', async t => {
  const opening = (plugins: Record<string, never | object>) => boot(t, { dir: undefined, contentTypes, plugins })
  await t.rejects(opening({ 'reading-time': { config: { wordsPerMinute: 0, shrt: 1 } } }), {
    name: 'PluginConfigError',
    message: /shrt[\s\S]*wordsPerMinute/,
  })
  await t.rejects(opening({ 'reading-tame': {} }), {
    name: 'PluginNotFoundError',
    message: /plinth-plugin-reading-tame/,
  })
})

t.test('an error of a hook names the plugin and the hook', async t => {
  const { kernel } = await start(t)
  const failing = kernel.query('api::story.story').create({ data: { title: 'x', text: 'lorem ipsum' } })
  await t.rejects(failing, { name: 'ValidationError', plugin: 'reading-time', hook: 'preWrite' } as unknown as Error)
})
