// The place and the word of a fault (`at`, `word`) are for code: bodies of errors have what v4 sends and nothing else.

import t from 'tap'
import { start, type } from './fixtures/boot.ts'

t.test('bodies of errors have neither at nor word', async t => {
  const { app } = await start(t, {
    contentTypes: [
      type('tag', { label: { type: 'string' }, rank: { type: 'integer' } }),
      type('post', { tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' } }),
    ],
  })
  const rows: readonly (readonly [query: string, message: string, details: object])[] = [
    ['populate[tags][fields]=x', 'Invalid parameter x', {}],
    ['populate[tags][sort]=x', 'Invalid parameter x', {}],
    ['populate[tags][filters][x]=1', 'Invalid parameter x', {}],
    [
      'populate[tags][filters][rank]=x',
      'Invalid value for populate.tags.filters.rank: "x" is not a number',
      { path: 'populate.tags.filters.rank' },
    ],
    [
      'populate[tags][filters][label][x]=1',
      'Invalid parameter x: label is a scalar, which has no attributes',
      { path: 'populate.tags.filters.label.x' },
    ],
  ]
  for (const [query, message, details] of rows) {
    const { body } = await app.inject(`/api/posts?${query}`)
    t.equal(body, JSON.stringify({ data: null, error: { status: 400, name: 'ValidationError', message, details } }))
  }
})
