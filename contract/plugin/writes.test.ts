/** What the fixture plugin does in writes: completeness, the entry before and after, and concurrent writes. */

import t from 'tap'
import { start, words } from './stories.ts'

t.test('a stub may be incomplete (completeness) until it has a text (before)', async t => {
  const { api } = await start(t)
  const put = (data: object) => api.put('/api/stories/1', { data })
  t.equal((await api.post('/api/stories', { data: {} })).status, 400)
  t.match((await api.post('/api/stories', { data: { text: '' } })).body.data, { id: 1, attributes: { title: null } })
  t.equal((await put({ title: null })).status, 200, 'is still a stub')
  const refused = await put({ text: words(10) })
  t.match(refused.body.error, { status: 400, details: { errors: [{ path: ['title'] }] } })
  t.equal((await put({ text: words(10), title: 'done' })).status, 200)
  t.equal((await put({ title: null })).status, 400, 'is none any more')
})

t.test('values in components are changed and refused (visit)', async t => {
  const { api } = await start(t)
  const pauses = [{ after: 1, tip: ' stretch  ' }, { after: 2 }]
  const made = await api.post('/api/stories?populate=pauses', { data: { title: 'x', pauses } })
  t.match(made.body.data, { attributes: { pauses: [{ tip: 'stretch' }, { tip: null }] } })
  const lorem = { data: { pauses: [{ after: 1, tip: 'Lorem ipsum' }] } }
  t.match((await api.put('/api/stories/1', lorem)).body.error, { status: 400, message: 'A tip contains lorem ipsum' })
  t.match((await api.get('/api/stories/1?populate=pauses')).body.data, {
    attributes: { pauses: [{ tip: 'stretch' }, {}] },
  })
})

t.test('the entry before the write (before) and after it (after)', async t => {
  const { api, measured } = await start(t)
  const story = { uid: 'api::story.story', id: 1 }
  await api.create('stories', { title: 'x', text: words(100) })
  await api.put('/api/stories/1', { data: { text: words(500) } })
  await api.put('/api/stories/1', { data: { text: words(501) } })
  await api.put('/api/stories/1', { data: { title: 'y' } })
  await api.put('/api/stories/1', { data: { text: words(100) } })
  t.same(measured, [
    { ...story, minutes: 1, before: null },
    { ...story, minutes: 3, before: 1 },
    { ...story, minutes: 1, before: 3 },
  ])
  const readings = await api.list('/api/readings?sort=id')
  t.match(readings, [{ attributes: { minutes: 1 } }, { attributes: { minutes: 3 } }], 'each length once')
  t.equal(readings.length, 2)
})

t.test('a budget that only two writes together exceed (serializable, tx)', async t => {
  const { api, kernel } = await start(t, { config: { budget: 15 } })
  for (let round = 1; round <= 5; round++) {
    const post = (title: string) => api.post('/api/stories', { data: { title, text: words(2000) } })
    const answers = await Promise.all([post('one'), post('two'), post('three')])
    t.same(answers.map(({ status }) => status).sort(), [200, 400, 400], `round ${round}: one fits`)
    const refused = answers.find(({ status }) => status === 400)
    t.equal(refused?.body.error?.message, 'All stories together take more than 15 minutes')
    const [kept] = await api.list('/api/stories')
    t.equal(await kernel.query('plugin::reading-time.reading').count(), round, 'readings of the refused are gone, too')
    await api.delete(`/api/stories/${kept!.id}`)
  }
})
