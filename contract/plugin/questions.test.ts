/** Parameters, conditions and rules of the fixture plugin. */

import t from 'tap'
import type { Entry } from '../boot.ts'
import { start, titles, words } from './stories.ts'

const minutes = (entries: readonly Entry[]) => entries.map(({ attributes }) => attributes.minutes)

t.test('a fallback', async t => {
  const { api, kernel } = await start(t, { config: { shown: 'short', least: 2 } })
  await api.create('stories', { title: 'short', text: words(100) }, { title: 'long', text: words(900) })
  await api.create('stories', { title: 'medium', text: words(500) })

  t.test('has a shape of its own', async t => {
    t.same(titles(await api.list('/api/stories')), ['short', 'medium'])
    t.same(titles(await api.list('/api/stories?readingTime=long')), ['long'])
    t.same(titles(await api.list('/api/stories?readingTime=all')), ['short', 'long', 'medium'])
  })

  t.test('has a value that is bound, without a plan of its own', async t => {
    t.same(minutes(await api.list('/api/readings')), [5, 3])
    t.same(minutes(await api.list('/api/readings?minMinutes=1')), [1, 5, 3])
    t.same(minutes(await api.list('/api/readings?minMinutes=5')), [5])
    t.equal(await kernel.query('plugin::reading-time.reading').count(), 2, 'for code, too')
    t.equal((await api.get('/api/readings?minMinutes=few')).body.error?.message, 'Invalid parameter minMinutes')
  })
})

t.test('a fixed fallback is bound once, a per-request value for each request', async t => {
  const bound: unknown[] = []
  const { api } = await start(t, {
    configure: ({ hooks }) =>
      hooks.on('preExecute', { actions: ['find'] }, execution => void bound.push(execution.bound)),
  })
  const isBoundOnce = async (url: string) => {
    bound.length = 0
    await api.list(url)
    await api.list(url)
    t.equal(bound.length, 2)
    return bound[0] === bound[1]
  }
  t.equal(await isBoundOnce('/api/readings'), true)
  t.equal(await isBoundOnce('/api/stories'), false)
})

t.test('conditions', async t => {
  const { api } = await start(t, { config: { shown: 'short' } })
  await api.create('shelves', { label: 'left' })
  await api.create('stories', { title: 'read', text: words(100), shelf: 1 }, { title: 'unread', shelf: 1 })

  t.test('a condition on links, and a parameter that reads another one', async t => {
    t.same(titles(await api.list('/api/stories?measured=yes')), ['read'])
    t.same(titles(await api.list('/api/stories?measured=no')), ['unread'], 'is neither short nor long')
  })

  t.test('a value is checked only if something is compared with it', async t => {
    const refused = await api.get('/api/stories?maxMinutes=2000')
    t.match(refused.body.error, {
      status: 400,
      message: 'Invalid number of minutes: it is greater than 1440, which is a day',
    })
    t.equal((await api.get('/api/shelves?maxMinutes=2000')).status, 200, 'shelves take no time')
    t.equal((await api.get('/api/shelves?maxMinutes=2000&populate=stories')).status, 400)
    t.equal((await api.get('/api/readings?minMinutes=2000')).status, 400)
  })
})

t.test('rules for a caller with few rights', async t => {
  const { api } = await start(t)
  await api.create('stories', { title: 'read', text: words(100) })
  const reader = { authorization: 'Reader ann' }
  const one = async (url: string, headers = {}) => ((await api.get(url, headers)).body.data as Entry[])[0]
  const url = '/api/stories?populate=readings'
  t.match(await one(url), { attributes: { readings: { data: [{ attributes: { minutes: 1 } }] } } })
  t.notOk(Object.hasOwn((await one(url, reader))!.attributes, 'readings'), 'is dropped from what is populated')
  t.match(await one('/api/stories'), { meta: { readings: [1] } })
  t.same(Object.entries((await one('/api/stories', reader)) ?? {}).at(-1), ['meta', {}], 'and from the meta of entries')
  const filtered = '/api/stories?filters[readings][minutes]=1'
  t.match(await one(filtered), { attributes: { title: 'read' } })
  t.equal(await one(filtered, reader), undefined, 'and finds nothing')
  const sorted = await api.get('/api/stories?sort=readings.minutes', reader)
  t.match(sorted.body.error, { status: 400, message: 'Invalid parameter readings' })
  t.same(titles(await api.list('/api/stories?measured=yes')), ['read'])
  t.equal(await one('/api/stories?measured=yes', reader), undefined, 'nor by a parameter')
  t.equal((await api.get('/api/readings', reader)).status, 403)
})

t.test('tips for pauses are an attribute that readers do not know of', async t => {
  const { api } = await start(t)
  const reader = { authorization: 'Reader ann' }
  const pauses = [{ after: 3, tip: 'Stretch' }]
  const made = await api.post('/api/stories?populate=pauses', { data: { title: 'read', pauses } })
  t.match(made.body.data, { attributes: { pauses: [{ after: 3, tip: 'Stretch' }] } })
  const pausesOf = async (headers = {}) =>
    ((await api.get('/api/stories?populate=pauses', headers)).body.data as Entry[])[0]!.attributes.pauses
  t.same(await pausesOf(), [{ id: 1, after: 3, tip: 'Stretch' }])
  t.same(await pausesOf(reader), [{ id: 1, after: 3 }])
  const refused = async (query: string, name = 'tip') => {
    const answer = await api.get(`/api/stories?${query}`, reader)
    return { status: answer.status, message: answer.body.error?.message?.replace(name, 'tip') }
  }
  for (const query of [
    'filters[pauses][tip]=Stretch',
    'filters[$not][pauses][tip][$contains]=S',
    'sort=pauses.tip',
    'populate[pauses][fields][0]=tip',
    'populate[pauses][filters][tip]=Stretch',
    'populate[pauses][sort]=tip',
  ]) {
    const unknown = await refused(query.replaceAll('tip', 'hint'), 'hint')
    t.same(await refused(query), unknown, query)
    t.equal(unknown.status, 400)
    t.equal((await api.get(`/api/stories?${query}`)).status, 200, 'others may ask')
  }
})

t.test('a single type with two entries', async t => {
  const { api } = await start(t)
  const put = async (query: string, title: string, count: number) =>
    (await api.put(`/api/editorial${query}`, { data: { title, text: words(count) } })).body
  t.match(await put('', 'in short', 100), { data: { id: 1 } })
  t.match(await put('?readingTime=long', 'at length', 900), { data: { id: 2 } }, 'is not alone')
  t.match(await put('?readingTime=long', 'at more length', 1000), { data: { id: 2 } })
  t.match((await api.get('/api/editorial')).body.data, { id: 1 })
  t.match((await api.get('/api/editorial?readingTime=long')).body.data, { attributes: { title: 'at more length' } })
  t.same(
    titles(await api.list('/api/editorial?readingTime=all')),
    ['in short', 'at more length'],
    'are answered as a list',
  )
  t.match(await put('?readingTime=long', 'no longer', 100), { error: { message: 'A short entry already exists' } })
  t.match((await api.get('/api/editorial?readingTime=long')).body.data, { attributes: { title: 'at more length' } })
})
