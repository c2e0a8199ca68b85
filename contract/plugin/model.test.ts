/** What the fixture plugin adds to the model, and which models it refuses. */

import t from 'tap'
import { boot, client, type Entry, fresh } from '../boot.ts'
import { contentTypes, info, start, words } from './stories.ts'

const story = 'api::story.story'

t.test('the model', async t => {
  const { api, kernel } = await start(t)

  t.test('an attribute type that prepares what is stored', async t => {
    const { body } = await api.post('/api/stories', { data: { title: 'x', text: 'one two\nthree  four five six' } })
    t.equal((body.data as Entry).attributes.teaser, 'one two three four five', 'by the options of the attribute')
    t.equal((await api.list('/api/stories?_q=four+five')).length, 1, 'and is searched')
  })

  t.test('an attribute type of the kernel that is replaced', async t => {
    await api.create('shelves', { label: 'a', about: 'on the left  \n' })
    t.match((await api.list('/api/shelves')).at(-1), { attributes: { about: 'on the left' } })
  })

  t.test('an attribute type that is an alias for a component of the plugin', async t => {
    const pauses = [{ after: 5, tip: 'stretch' }, { after: 20 }]
    const [id] = await api.create('stories', { title: 'paused', pauses })
    const { body } = await api.get(`/api/stories/${id}?populate=pauses`)
    t.match(body.data, {
      attributes: {
        pauses: [
          { after: 5, tip: 'stretch' },
          { after: 20, tip: null },
        ],
      },
    })
    const refused = await api.post('/api/stories', { data: { title: 'x', pauses: [{ tip: 'now' }] } })
    t.match(refused.body.error, { status: 400, details: { errors: [{ path: ['pauses', '0', 'after'] }] } })
    t.equal((await api.list('/api/stories?filters[pauses][after]=20')).length, 1)
  })

  t.test('values that are unique together', async t => {
    const reading = { of: 'api::poem.poem', entry: 1 }
    await api.create('readings', { ...reading, minutes: 1 }, { ...reading, minutes: 2 })
    const refused = await api.post('/api/readings', { data: { ...reading, minutes: 2 } })
    t.match(refused.body.error, { status: 400, details: { errors: [{ path: ['of'] }] } })
  })

  t.test('the model contains the columns that rules test', async t => {
    t.same(kernel.contentTypes.require(story).scopes, ['readingMinutes'])
    t.same(kernel.contentTypes.require('api::shelf.shelf').scopes, [])
  })

  t.test('a lifecycle subscription', async t => {
    const [id] = await api.create('readings', { minutes: 7, of: 'x' })
    const refused = await api.put(`/api/readings/${id}`, { data: { minutes: 8 } })
    t.match(refused.body.error, { status: 400, message: 'A reading cannot be changed' })
    t.equal((await api.put('/api/stories/1', { data: { title: 'y' } })).status, 200, 'to one type only')
  })

  t.test('Objection models in a route of the plugin', async t => {
    await api.create('stories', { title: 'long', text: words(2000) })
    const { readings, longest, statements } = (await api.get('/reading-time')).body as never as Record<string, number>
    t.match(
      { readings, longest },
      { readings: await kernel.query('plugin::reading-time.reading').count(), longest: 10 },
    )
    t.ok((await api.get('/reading-time')).text !== '' && statements! > 10, 'statements are counted (onStatement)')
    t.equal((await api.get('/reading-time', { authorization: 'Reader ann' })).status, 403)
  })
})

t.test('an option of the plugin in pluginOptions', async t => {
  const poem = (pluginOptions: object) => ({
    info: info('poem', 'poems'),
    options: { readingTime: 'text' },
    pluginOptions: { 'reading-time': pluginOptions },
    attributes: { text: { type: 'text' } },
  })
  const open = async (pluginOptions: object) => {
    const { config } = await fresh(t)
    const plugins = { rest: true, 'reading-time': true }
    const types = [...contentTypes, poem(pluginOptions)]
    return boot(t, { dir: undefined, database: config, contentTypes: types, plugins })
  }
  const api = client(await open({ teaserWords: 2 }))
  const { body } = await api.post('/api/poems', { data: { text: 'one two three' } })
  t.equal((body.data as Entry).attributes.teaser, 'one two')
  await t.rejects(open({ teaserWord: 2 }), { message: /teaserWord: unknown option, did you mean "teaserWords"\?$/ })
  await t.rejects(open({ teaserWords: 0 }), {
    message: /pluginOptions\.reading-time\.teaserWords: must be at least 1$/,
  })
})

t.test('a type without its text attribute stops the start (onModel)', async t => {
  const options = { readingTime: 'txet' }
  const wrong = { info: info('poem', 'poems'), options, attributes: { text: { type: 'text' } } }
  const { config } = await fresh(t)
  const plugins = { rest: true, 'reading-time': true }
  const booted = boot(t, { dir: undefined, database: config, contentTypes: [...contentTypes, wrong], plugins })
  await t.rejects(booted, { name: 'InvalidSchemaError', message: /api::poem\.poem.*options\.readingTime.*"text"/ })
})

t.test('a plugin that it depends on must be enabled', async t => {
  const booted = boot(t, { dir: undefined, contentTypes, plugins: { 'reading-time': true } })
  await t.rejects(booted, { name: 'PluginConfigError', message: /reading-time: needs the plugin "rest"/ })
})
