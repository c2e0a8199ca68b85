// Parameters that v4 ignores without a word (B-2.4, B-2.12, B-2.71). A front end of v4 may send them, so they are no
// errors, and they change nothing.

import t from 'tap'
import { start, type } from './fixtures/boot.ts'

t.test('B-2.4, B-2.12, B-2.71: misspelled parameters change nothing', async t => {
  const { app, kernel } = await start(t, {
    contentTypes: [
      type('tag', { label: { type: 'string' } }),
      type('post', {
        title: { type: 'string' },
        tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
      }),
    ],
  })
  const tag = await kernel.query('api::tag.tag').create({ data: { label: 'a' } })
  for (const title of ['one', 'two', 'three'])
    await kernel.query('api::post.post').create({ data: { title, tags: title === 'one' ? [tag.id] : [] } })
  const bodyOf = async (query: string) => {
    const { statusCode, body } = await app.inject(`/api/posts?${query}`)
    return { statusCode, body }
  }
  const plain = await bodyOf('')
  t.equal(plain.statusCode, 200)
  const ignored = [
    'filter[title]=one',
    'Filters[title]=one',
    'fitlers[title][$eq]=one',
    'populate=childrn',
    'populate[tgas]=*',
    'populate=title',
    'populate=**',
    'populate=true',
    'field=title',
    'sorting=title:desc',
    'pagination[pagesize]=1',
    'pagination[PageSize]=1',
    'pagination=5',
    'title=one',
  ]
  for (const query of ignored) t.strictSame(await bodyOf(query), plain, query)
  const taken = [
    'filters[title]=one',
    'populate=tags',
    'populate=*',
    'fields=title',
    'sort=title',
    'pagination[pageSize]=1',
  ]
  for (const query of taken) t.not((await bodyOf(query)).body, plain.body, `${query} is no other word for nothing`)
})
