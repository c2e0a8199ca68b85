/** What the fixture plugin adds to queries arrives in GraphQL as arguments, which neither of the two packages names. */

import graphql from '@plinth/graphql'
import t from 'tap'
import { start, words } from './stories.ts'

t.test('parameters of the plugin as arguments', async t => {
  const { api } = await start(t, { config: { short: 2 }, plugins: { graphql: { plugin: graphql } } })
  await api.create('shelves', { label: 'left' })
  await api.create(
    'stories',
    { title: 'short', text: words(100), shelf: 1 },
    { title: 'long', text: words(900), shelf: 1 },
    { title: 'none' },
  )
  const ask = async (query: string, variables: object = {}) => {
    const { body } = await api.post('/graphql', { query, variables })
    return body as unknown as { readonly data: Record<string, never> | null; readonly errors?: unknown }
  }
  const titles = async (args: string, variables: object = {}, head = '') => {
    const { data, errors } = await ask(`${head} { stories${args} { data { attributes { title } } } }`, variables)
    if (errors !== undefined) throw new Error(JSON.stringify(errors))
    const { stories } = data as unknown as { stories: { data: { attributes: { title: string } }[] } }
    return stories.data.map(({ attributes }) => attributes.title)
  }
  const restTitles = async (search: string) =>
    (await api.list(`/api/stories?${search}`)).map(({ attributes }) => attributes.title)

  t.same(await titles('(readingTime: SHORT)'), ['short'], 'a value of an enumeration')
  t.same(await titles('(readingTime: LONG)'), ['long'])
  t.same(await titles('(readingTime: LONG)'), await restTitles('readingTime=long'))
  t.same(await titles('(readingTime: $length)', { length: 'SHORT' }, 'query ($length: ReadingTime)'), ['short'])
  t.same(await titles(''), await restTitles(''), 'the same entries without it')
  t.match((await ask('{ stories(readingTime: ENDLESS) { data { id } } }')).errors, [{ message: /"ENDLESS" does not/ }])

  t.same(await titles('(maxMinutes: "4")'), ['short'], 'a scalar with the name that the plugin gives it')
  t.same(await titles('(maxMinutes: $most)', { most: '5' }, 'query ($most: Minutes)'), ['short', 'long'])
  t.match((await ask('{ stories(maxMinutes: "2000") { data { id } } }')).errors, [{ message: /No day has so many/ }])
  t.match(await ask('query ($most: Minutes) { stories(maxMinutes: $most) { data { id } } }', { most: 'soon' }), {
    data: { stories: null },
    errors: [{ message: 'maxMinutes must be a number of minutes', extensions: { error: { name: 'ValidationError' } } }],
  })

  t.same(await titles('(measured: NO)'), ['none'])
  t.match(
    (await ask('{ shelves { data { attributes { stories(maxMinutes: "4") { data { attributes { title } } } } } } }'))
      .data,
    { shelves: { data: [{ attributes: { stories: { data: [{ attributes: { title: 'short' } }] } } }] } },
    'of a list below an entry',
  )
  t.match(
    (await ask('{ shelves(maxMinutes: "4") { data { id } } }')).errors,
    [{ message: /Unknown argument "maxMinutes"/ }],
    'not of types that it does not concern',
  )
  // The plugin offers it for one entry too, on which it does not act, as in REST.
  t.match((await ask('{ story(id: 2, readingTime: LONG) { data { id } } }')).data, { story: { data: { id: '2' } } })
})
