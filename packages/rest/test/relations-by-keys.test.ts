// A relation under another name (`under`) is for code: no query string and no JSON body makes one, and where code of an
// application makes one, the answer has its key.

import { under } from '@plinth/kernel'
import t from 'tap'
import { start, type } from './fixtures/boot.ts'

const contentTypes = [
  type('tag', { label: { type: 'string' } }),
  type('post', {
    title: { type: 'string' },
    tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
  }),
]

t.test('clients cannot name a relation otherwise', async t => {
  const { app, of } = await start(t, { contentTypes })
  await of('tag').create({ data: { label: 'a' } })
  await of('post').create({ data: { title: 'One', tags: [1] } })
  const spellings = [
    'populate[a][name]=tags',
    'populate[a][name]=tags&populate[a][options][limit]=1',
    'populate[a][key]=a&populate[a][name]=tags',
    'populate[a]=tags',
    'populate[a][under]=tags',
    'populate=a:tags',
    'populate=under(tags)',
    `populate=${encodeURIComponent(JSON.stringify({ a: under('tags') }))}`,
    'populate[a][constructor][name]=Under&populate[a][name]=tags',
  ]
  for (const query of spellings) {
    const answer = await app.inject(`/api/posts/1?${query}`)
    t.equal(answer.statusCode, 200, query)
    t.same(Object.keys(answer.json().data.attributes), ['title', 'createdAt', 'updatedAt'], query)
  }
  const payload = { data: { title: 'Two', tags: [1] }, populate: { a: under('tags') } }
  const created = await app.inject({ method: 'POST', url: '/api/posts?populate[a][name]=tags', payload })
  t.equal(created.statusCode, 200)
  t.same(Object.keys(created.json().data.attributes), ['title', 'createdAt', 'updatedAt'])
})

t.test('keys that lifecycles choose are those of the answer', async t => {
  const { app, of } = await start(t, {
    contentTypes,
    configure: kernel =>
      kernel.lifecycles.subscribe(['api::post.post'], {
        beforeFindOne: ({ params }: { params: { populate: unknown } }) => {
          params.populate = { first: under('tags', { limit: 1 }), tags: true }
        },
      }),
  })
  for (const label of ['a', 'b']) await of('tag').create({ data: { label } })
  await of('post').create({ data: { title: 'One', tags: [1, 2] } })
  const { attributes } = (await app.inject('/api/posts/1')).json().data
  t.same([attributes.first.data.length, attributes.tags.data.length], [1, 2])
})
