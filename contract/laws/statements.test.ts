/**
 * Law: the shape, not the rows, determines the number of statements of a read: at most one per populated branch and
 * level. Only while the lists of a branch with a page are found to be too long for being asked for plainly, there is one
 * more for this branch. Only where more rows are expected than the request may fetch, a branch takes its parents in
 * batches, whose number grows with the logarithm of the number of parents.
 */

import t from 'tap'
import { boot, client } from '../boot.ts'
import { observe } from './observed.ts'

t.test('statements', async t => {
  const statements: string[] = []
  const app = await boot(t, {
    configure: kernel => kernel.hooks.on('onStatement', text => void statements.push(text)),
  })
  const api = client(app)

  const blocks = [
    { __component: 'blocks.quote', text: 'q' },
    { __component: 'blocks.gallery', caption: 'c', links: [{ label: 'l' }] },
    { __component: 'blocks.spotlight', heading: 'h', products: [1], person: 1, cta: { label: 'go' } },
  ]
  const seo = { metaTitle: 'm', social: [{ label: 's' }] }
  await api.create('tags', { label: 'a' }, { label: 'b' })
  await api.create('people', { fullName: 'Ann', interests: [1] }, { fullName: 'Bob', partner: 1, interests: [2] })
  await api.create('people', { fullName: 'Cy', partner: 2, interests: [1, 2] })
  await api.create('categories', { name: 'Top', slug: 'top' }, { name: 'Sub', slug: 'sub', parent: 1 })
  await api.create('products', {
    name: 'Lamp',
    price: 1,
    dimension: { width: 1 },
    variants: [{ name: 'v', dimension: { width: 2 } }],
  })
  const article = { author: 3, coAuthors: [2, 3], category: 2, tags: [1, 2], seo, blocks }

  /**
   * The number of statements of a read, without PRAGMAs; the page always contains all entries, so no total is counted.
   */
  const count = async (query: string) => {
    const own = await observe(statements, () => api.list(`/api/articles?pagination[limit]=100${query}`))
    return own.length
  }
  const forms: [name: string, query: string, most: number][] = [
    ['entries', '', 1],
    ['a filter through relations', '&filters[author][interests][label]=a&filters[tags][label]=b', 1],
    ['a sort through a relation', '&sort=author.fullName', 1],
    ['a relation to one', '&populate=author', 2],
    ['a relation to many', '&populate=tags', 2],
    ['three relations', '&populate=author,tags,coAuthors', 4],
    ['nested relations', '&populate[author][populate][partner][populate][interests]=*', 4],
    ['there and back', '&populate[tags][populate][articles][populate]=category', 4],
    [
      'filtered, sorted and cut for each parent',
      '&populate[tags][filters][label][$ne]=x&populate[tags][sort]=label&populate[tags][limit]=1',
      2,
    ],
    ['cut for each parent, at two levels', '&populate[tags][limit]=1&populate[tags][populate][articles][limit]=1', 3],
    ['components', '&populate[seo][populate]=social', 3],
    ['a zone', '&populate=blocks', 4],
    ['a zone and what is in it', '&populate[blocks][populate]=*', 8],
    ['a zone deeper', '&populate[blocks][populate][products][populate][variants][populate]=dimension', 7],
  ]

  await api.create('articles', { title: 'first', ...article })
  /** The number of statements once the branches know whether their lists come whole. */
  const learned = async ([name, query, most]: (typeof forms)[number]) => {
    const pages = query.split('[limit]').length - 1
    const learning = await count(query)
    t.ok(learning <= most + pages, `${name}: at most one more for each page, at first`, { learning })
    return count(query)
  }
  const one: number[] = []
  for (const form of forms) one.push(await learned(form))
  await api.create('articles', ...Array.from({ length: 49 }, (_, i) => ({ title: `t${i}`, ...article })))
  t.equal((await api.list('/api/articles?pagination[limit]=100')).length, 50)

  for (const [i, form] of forms.entries()) {
    const [name, , most] = form
    const fifty = await learned(form)
    t.equal(fifty, one[i], `${name}: as many for 50 rows as for one`)
    t.ok(fifty <= most, `${name}: at most ${most}`, { fifty })
  }

  t.test('the total takes one more statement, whatever the filters', async t => {
    t.ok((await count('')) <= 1)
    const own = await observe(statements, () => api.list('/api/articles?pagination[pageSize]=2&filters[tags][label]=a'))
    t.equal(own.filter(text => /\bcount\b/i.test(text)).length, 1)
    t.equal(own.length, 2)
  })

  t.test('one entry takes no more statements than a list', async t => {
    const own = await observe(statements, () =>
      api.get('/api/articles/1?populate[author][populate]=interests&populate=tags'),
    )
    t.ok(own.length <= 4, 'entry, author, interests, tags')
  })
})

t.test('statements where more rows are expected than the request may fetch', async t => {
  const statements: string[] = []
  const app = await boot(t, {
    maxRows: 110,
    configure: kernel => kernel.hooks.on('onStatement', text => void statements.push(text)),
  })
  const api = client(app)
  await api.create('tags', { label: 'a' })
  await api.create('articles', ...Array.from({ length: 100 }, (_, i) => ({ title: `t${i}`, tags: i < 9 ? [1] : [] })))
  const count = async (query: string) =>
    (await observe(statements, () => api.list(`/api/articles?${query}`))).filter(text => !/\bcount\b/i.test(text))
      .length
  t.equal(await count('pagination[limit]=4&populate=tags'), 2, 'few parents have room')
  const most = 1 + Math.ceil(Math.log2(100)) + 1
  for (const query of ['populate=tags', 'populate[tags][limit]=9', 'populate[blocks][populate]=*'])
    t.ok((await count(`pagination[limit]=100&${query}`)) <= most * 3, query)
  const batches = await count('pagination[limit]=100&populate=tags')
  t.ok(batches > 2 && batches <= most, `${batches} statements for 100 parents`)
})
