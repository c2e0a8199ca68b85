/** Law: a plan depends only on shape and access, not on values. */

import t from 'tap'
import { boot, client } from '../boot.ts'

t.test('plans', async t => {
  const app = await boot(t)
  const api = client(app)
  const { plans } = app.kernel.engine
  await api.create('tags', { label: 'News' }, { label: 'Art' })
  await api.create('articles', { title: 'One', tags: [1] })

  /** The number of plans that these requests added. */
  const added = async (urls: readonly string[]) => {
    const before = plans.size
    for (const url of urls) await api.list(`/api/articles?${url}`)
    return plans.size - before
  }
  const times = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i))

  t.test('hundreds of values, one plan', async t => {
    const forms: Record<string, (i: number) => string> = {
      equality: i => `filters[title]=t${i}`,
      operators: i => `filters[readingMinutes][$gt]=${i}&filters[title][$containsi]=x${i}`,
      'lists of every length': i =>
        times(i % 60, j => `filters[id][$in][${j}]=${j + i}`).join('&') || 'filters[id][$in]=1',
      between: i => `filters[readingMinutes][$between][0]=${i}&filters[readingMinutes][$between][1]=${2 * i}`,
      'deep values': i => `filters[tags][label]=t${i}&populate[author][filters][fullName]=n${i}`,
      pages: i => `pagination[page]=${i + 1}&pagination[pageSize]=${1 + (i % 100)}`,
      'rows of a populate': i => `populate[tags][start]=${i}&populate[tags][limit]=${i + 1}`,
      dates: i => `filters[createdAt][$lt]=${new Date(1e12 + i * 1e8).toISOString()}`,
      search: i => `_q=word${i}`,
    }
    for (const [name, form] of Object.entries(forms)) t.equal(await added(times(300, form)), 1, name)
  })

  t.test('requests for hundreds of ids share one plan', async t => {
    const before = plans.size
    for (let id = 1; id <= 300; id++) await api.get(`/api/articles/${id}`)
    t.equal(plans.size - before, 1)
  })

  t.test('repeated requests add no plan', async t => {
    const urls = ['sort=title', 'populate=*', 'filters[title]=x', 'fields=title&pagination[limit]=3']
    await added(urls)
    t.equal(await added(times(400, i => urls[i % urls.length]!)), 0)
  })

  t.test('another condition or sort key has a plan of its own', async t => {
    t.equal(
      await added(['sort=title:desc', 'sort=code', 'filters[code]=x', 'filters[code][$ne]=x', 'filters[code]']),
      5,
    )
  })

  t.test('writes use cached plans too', async t => {
    const [id] = await api.create('tags', { label: 'x' })
    await api.put(`/api/tags/${id}`, { data: { label: 'y' } })
    const before = plans.size
    for (let i = 0; i < 50; i++) {
      const [made] = await api.create('tags', { label: `t${i}` })
      await api.put(`/api/tags/${made}`, { data: { label: `u${i}` } })
    }
    t.equal(plans.size, before)
  })

  t.test('two callers with the same key share plans, others do not', async t => {
    const access = (key: string) => app.kernel.context({ key, user: null, can: () => true })
    const ask = (key: string) => app.kernel.query('api::tag.tag', access(key)).findMany({ filters: { label: 'x' } })
    await ask('a')
    const before = plans.size
    await ask('a')
    t.equal(plans.size, before)
    await ask('b')
    t.equal(plans.size, before + 1)
  })
})
