// Writes that arrive together: on SQLite they share one COMMIT, and on every database each can fail alone.

import t from 'tap'
import type { Kernel } from '../../src/index.ts'
import { full, hasOneWriter, start } from '../fixtures/articles.ts'
import { raw } from '../fixtures/boot.ts'

if (hasOneWriter) {
  t.test('updates that arrive together share one COMMIT', async t => {
    const received: string[] = []
    const { of } = await start(t, kernel => kernel.hooks.on('onStatement', text => received.push(text)))
    for (let i = 0; i < 8; i++) await of('article').create({ data: { title: `a${i}`, readTime: 0 } })
    received.length = 0
    const ids = [1, 2, 3, 4, 99, 5, 6, 7, 8]
    const ends = await Promise.allSettled(ids.map(id => of('article').update(id, { data: { readTime: id } })))
    t.equal(received.filter(text => text === 'COMMIT').length, 1)
    t.same(
      ends.map(one => one.status === 'fulfilled' && one.value !== null),
      ids.map(id => id !== 99),
    )
    const rows = await of('article').findMany()
    t.same(
      rows.map(one => one.readTime),
      rows.map(one => one.id),
    )
  })
}

// Without a listener, writes that arrive together need no asynchronous context.
for (const [name, listen] of [
  ['without a listener', undefined],
  ['with a listener', (kernel: Kernel) => kernel.hooks.on('onStatement', () => {})],
] as const) {
  t.test(`writes that arrive together fail alone, ${name}`, async t => {
    const { kernel, of } = await start(t, listen)
    for (const label of ['x', 'y']) await of('tag').create({ data: { label } })
    const made = (title: string, tags: number[]) => of('article').create({ data: { ...full(title), tags } })
    const ends = await Promise.allSettled([made('a', [1, 2]), made('b', [2, 77]), made('c', [2]), made('d', [77])])
    t.same(
      ends.map(one => one.status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    )
    const articles = await of('article').findMany({ populate: '*', sort: 'title' })
    t.match(articles, [
      { title: 'a', seo: { title: 'a' }, tags: [{ id: 1 }, { id: 2 }], author: { id: 1 } },
      { title: 'c', seo: { title: 'c' }, tags: [{ id: 2 }], author: { id: 1 } },
    ])
    t.equal((await raw(kernel, 'SELECT id FROM components_a_seos')).length, 2, 'nothing of the others is left')
    const [tag] = await of('tag').findMany({ filters: { id: 2 }, populate: 'articles' })
    const linked = (tag!.articles as { title: string }[]).map(one => one.title)
    // Where many write at a time, either may be the first.
    t.same(hasOneWriter ? linked : linked.toSorted(), ['a', 'c'], 'new links go behind the others of their target')
    const ids = articles.map(one => one.id as number)
    const changed = await Promise.allSettled([
      of('article').update(ids[0]!, { data: { readTime: 1 } }),
      of('article').update(9999, { data: { readTime: 2 } }),
      of('article').update(ids[1]!, { data: { readTime: 'no number' } }),
      of('article').update(ids[1]!, { data: { readTime: 3, title: 'c!' } }),
      of('article').update(ids[1]!, { data: { tags: [77] } }),
    ])
    t.same(
      changed.map(one => one.status === 'fulfilled' && one.value !== null),
      [true, false, false, true, false],
    )
    t.match(await of('article').findMany({ populate: 'tags', sort: 'title' }), [
      { readTime: 1, title: 'a' },
      { readTime: 3, title: 'c!', tags: [{ id: 2 }] },
    ])
  })
}
