// SQLite prepares a statement with a bare `LIMIT ?` again each time a value is bound, so no list has one.

import { type, uid } from '@plinth/test-tools/fixtures'
import t from 'tap'
import { boot, repositories } from './fixtures/boot.ts'

const contentTypes = [
  type('tag', { label: { type: 'string' } }),
  type('article', {
    title: { type: 'string' },
    tags: { type: 'relation', relation: 'manyToMany', target: uid('tag') },
  }),
]

t.test('limits of lists and of populated lists', async t => {
  const texts: string[] = []
  const kernel = await boot(t, {
    contentTypes,
    configure: own => own.hooks.on('onStatement', text => void texts.push(text)),
  })
  const of = repositories(kernel)
  for (const label of ['a', 'b', 'c']) await of('tag').create({ data: { label } })
  for (const title of ['a', 'b', 'c']) await of('article').create({ data: { title, tags: [1, 2, 3] } })
  texts.length = 0
  const options = { populate: { tags: { limit: 2 } }, pagination: { start: 1, limit: 1 } } as const
  const entries = await of('article').findMany(options)
  t.match(entries, [{ title: 'b', tags: [{ label: 'a' }, { label: 'b' }] }])
  t.equal((entries[0] as unknown as { tags: unknown[] }).tags.length, 2)
  const limited = texts.filter(text => text.includes('LIMIT'))
  t.equal(limited.length, 3, 'both lists have a limit, and the populated one also by rank')
  for (const text of limited) t.notMatch(text, /(LIMIT|OFFSET) \?(?! \+ 0)/)
})
