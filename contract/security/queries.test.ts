/** Query strings that abuse the grammar (security.md rows 25 to 34) are refused with the path, and never find more. */

import t from 'tap'
import { boot, client } from '../boot.ts'
import { refused } from './refusal.ts'

t.test('query strings', async t => {
  const api = client(await boot(t))
  await api.create('people', { fullName: 'Ann' }, { fullName: 'Bob' })
  await api.create('tags', { label: 'News' }, { label: 'Art' })
  await api.create(
    'articles',
    { title: 'One', author: 1, tags: [1], readingMinutes: 5 },
    { title: 'Two', readingMinutes: 7 },
  )
  await api.create('specimens', { short: 'a', whole: 1, big: '1', ratio: 1, amount: 1 })

  t.test('security.md row 25: prototypes (CVE-2022-24999)', async t => {
    const before = Object.getOwnPropertyNames(Object.prototype).sort()
    const plain = await api.get('/api/articles')
    const keys = [
      'filters[__proto__][x]=1',
      'filters[constructor][prototype][x]=1',
      'filters[constructor]=1',
      'populate[__proto__]=*',
      'populate[constructor][prototype]=*',
      'populate=__proto__.tags',
      'populate[0]=constructor.prototype.tags',
      '__proto__[filters][id]=1',
      'constructor[prototype][filters][id]=1',
      'pagination[__proto__][pageSize]=1',
    ]
    for (const key of keys) t.same((await api.get(`/api/articles?${key}`)).body, plain.body, `${key} is as if absent`)
    // Values with dots are not changed by the parser of query strings.
    for (const populate of ['populate=author.__proto__.tags', 'populate[author][populate]=articles.__proto__.x']) {
      t.equal((await api.get(`/api/articles?${populate}`)).status, 200, populate)
      t.equal((await api.get(`/api/people?${populate}`)).status, 200, `and after ${populate}`)
    }
    t.same(Object.getOwnPropertyNames(Object.prototype).sort(), before)
    t.notOk('x' in {})
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      refused(t, await api.get(`/api/articles?sort=${name}`), 400, name)
      refused(t, await api.get(`/api/articles?fields[0]=${name}`), 400, name)
      t.same((await api.get(`/api/articles?populate=${name}`)).body, plain.body, `populate=${name} is dropped`)
    }
    for (const key of [
      'filters[toString]=1',
      'filters[title][constructor]=1',
      'filters[title][toString]=1',
      'sort[constructor]=asc',
    ]) {
      t.ok((await api.get(`/api/articles?${key}`)).status < 500, key)
    }
  })

  t.test('security.md row 27: indexes beyond the parser’s limit', async t => {
    const [article] = await api.list('/api/articles?populate[999999]=author&filters[id][$in][101]=1')
    t.match(article, { id: 1, attributes: { author: { data: { id: 1 } } } })
    const many = Array.from({ length: 300 }, (_, i) => `filters[id][$in][${i}]=${i + 2}`).join('&')
    t.same(
      (await api.list(`/api/articles?${many}`)).map(({ id }) => id),
      [2],
    )
  })

  t.test('security.md row 27: lists are bounded, however they are written (CVE-2025-15284, CVE-2026-2391)', async t => {
    const many = Array.from({ length: 400 }, (_, i) => i + 1)
    const plain = await api.get('/api/articles')
    const commas = await api.get(`/api/articles?filters[title][$in]=${many.join(',')}`)
    t.equal(commas.body.meta?.pagination?.total, 0, 'text with commas is one value, not a list')
    t.same((await api.get(`/api/articles?pagination[pageSize]=1,2`)).status, 400)
    for (const group of ['$or', '$and']) {
      const branches = many.map((id, i) => `filters[${group}][${i}][id]=${id}`)
      refused(t, await api.get(`/api/articles?${branches.join('&')}`), 400, 'alternatives')
    }
    const merged = many.slice(1).map(id => `filters[$or][][id]=${id}`)
    t.same(
      (await api.list(`/api/articles?${merged.join('&')}`)).map(({ id }) => id),
      [2],
      'as the parser reads them, they are one list',
    )
    refused(t, await api.get(`/api/articles?${many.map(id => `a[]=${id}&a[]=${id}&a[]=${id}`).join('&')}`), 400)
    t.same((await api.get(`/api/articles?${many.map(id => `a[]=${id}`).join('&')}`)).body, plain.body)
    t.equal((await api.get('/api/articles?a[999999999]=1&filters[id][$in][999999999]=1')).status, 200)
  })

  t.test('security.md row 28: too many parameters', async t => {
    const query = (length: number) => Array.from({ length }, () => 'x').join('&')
    t.equal((await api.get(`/api/articles?${query(1000)}`)).status, 200, '1000 are as many as may be')
    refused(t, await api.get(`/api/articles?${query(1001)}`), 400, /too many parameters/i)
    refused(t, await api.get(`/api/articles?${query(1100)}&filters[id]=1`), 400, /too many parameters/i)
  })

  t.test('security.md row 29: depth', async t => {
    const nest = (key: string, times: number) => Array.from({ length: times }, () => key).join('')
    refused(t, await api.get(`/api/articles?filters${nest('[$and][0]', 12)}[title]=One`), 400)
    refused(t, await api.get(`/api/articles?filters${nest('[author][articles]', 11)}[title]=One`), 400)
    refused(t, await api.get(`/api/articles?filters${nest('[a]', 5000)}=1`), 400)
    refused(t, await api.get(`/api/articles?populate${nest('[author][populate][articles][populate]', 6)}=*`), 400)
    const path = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? 'author' : 'articles')).join('.')
    refused(t, await api.get(`/api/articles?populate=${path}`), 400)
    refused(t, await api.get(`/api/people?sort=${Array.from({ length: 12 }, () => 'partner').join('.')}.fullName`), 400)
    t.equal(
      (await api.get(`/api/articles?filters${nest('[author][articles]', 4)}[title]=One`)).status,
      200,
      'eight levels are fine',
    )
  })

  t.test('security.md row 31: clauses of the wrong kind', async t => {
    const bad = [
      'filters=1',
      'filters=',
      'filters[]=1',
      'filters[0][title]=One',
      'filters[$or]=1',
      'filters[$and]=x',
      'filters[$or]=',
    ]
    for (const query of [...bad, 'filters[$or][title]=One', 'filters[$or][0]=x', 'filters[$not]=x', 'filters[$eq]=1']) {
      refused(t, await api.get(`/api/articles?${query}`), 400)
    }
    refused(t, await api.get('/api/articles?populate[tags][filters]=1'), 400, 'tags')
    refused(t, await api.get('/api/articles?filters={"title":"One"}'), 400)
    for (const fields of ['fields=', 'fields[a]=title', 'fields[0][a]=title'])
      refused(t, await api.get(`/api/articles?${fields}`), 400)
  })

  t.test('security.md row 32: operands of the wrong number or kind', async t => {
    const bad = [
      '[$between][0]=A',
      '[$between]=A',
      '[$between][0]=A&filters[title][$between][1]=B&filters[title][$between][2]=C',
    ]
    for (const test of [...bad, '[$in][a]=1', '[$eq][a]=1', '[$contains][a][b]=1', '[$in][0][a]=1']) {
      refused(t, await api.get(`/api/articles?filters[title]${test}`), 400, 'title')
    }
    const nothing = await api.get('/api/articles?filters[readingMinutes][$notIn][0]')
    if (nothing.status === 200) t.same(nothing.body.data, [], 'NOT IN (NULL) finds nothing, it does not find all')
    else refused(t, nothing, 400)
  })

  t.test('B-2.102: lists and objects as flags are true', async t => {
    const ids = async (query: string) => (await api.list(`/api/articles?sort=id&${query}`)).map(({ id }) => id)
    const [isNull, isNotNull] = await Promise.all(
      ['$null', '$notNull'].map(name => ids(`filters[author][id][${name}]=true`)),
    )
    t.same([isNull, isNotNull], [[2], [1]])
    for (const flag of ['[anything]=anything', '[a][b]=false', '[0]=false', '[0]=0&FILTER[1]=false', '[]=']) {
      const of = (name: string) => {
        const filter = `filters[author][id][${name}]`
        return ids(`${filter}${flag.replace('FILTER', filter)}`)
      }
      t.same([await of('$null'), await of('$notNull')], [isNull, isNotNull], flag)
    }
  })

  t.test('B-2.104: a list as an item of a list means all of its conditions', async t => {
    const ids = async (query: string) => (await api.list(`/api/articles?sort=id&${query}`)).map(({ id }) => id)
    const pair = (key: string, minutes: number) =>
      `filters[${key}][1][0][readingMinutes][$gt]=1&filters[${key}][1][1][readingMinutes]=${minutes}`
    t.same(await ids(`filters[$or][0][title]=One&${pair('$or', 7)}`), [1, 2])
    t.same(await ids(`filters[$or][0][title]=One&${pair('$or', 8)}`), [1], 'both conditions must hold')
    t.same(await ids(`filters[$and][0][title]=Two&${pair('$and', 7)}`), [2])
    t.same(await ids(`filters[$and][0][title]=Two&${pair('$and', 5)}`), [])
    t.same(await ids(`filters[$not][0][title]=Two&${pair('$not', 7)}`), [1])
    t.same(await ids(`filters[$not][0][title]=Two&${pair('$not', 5)}`), [1, 2])
    t.same(await ids('filters[$or][0][0][0][title]=One'), [1])
    t.same(await ids('filters[author][$or][0][0][fullName]=Ann&filters[author][$or][0][1][id]=1'), [1])
    t.same(await ids('filters[author][$or][0][0][fullName]=Ann&filters[author][$or][0][1][id]=2'), [])
    const long = Array.from({ length: 110 }, (_, i) => `filters[$or][0][${i}][readingMinutes][$gt]=${i % 5}`).join('&')
    t.same(await ids(long), [1, 2], 'a long list')
    refused(t, await api.get('/api/articles?filters[0][title]=One'), 400)
    refused(t, await api.get('/api/articles?filters[$or][0][0]=x'), 400)
    refused(t, await api.get('/api/articles?filters[$or][0][0][password]=x'), 400)
    refused(t, await api.get(`/api/articles?filters[$or]${'[0]'.repeat(40)}[title]=One`), 400)
    const many = Array.from({ length: 201 }, (_, i) => `filters[$or][0][${i}][title]=a`).join('&')
    refused(t, await api.get(`/api/articles?${many}`), 400)
  })

  t.test('security.md row 33: an invalid number', async t => {
    for (const name of ['whole', 'ratio', 'amount']) {
      for (const test of [
        '[$gt]=abc',
        '=abc',
        '[$in][0]=1&filters[NAME][$in][1]=abc',
        '[$between][0]=1&filters[NAME][$between][1]=x',
        '[$not][$lt]=abc',
      ]) {
        refused(t, await api.get(`/api/specimens?filters[${name}]${test.replace('NAME', name)}`), 400, name)
      }
    }
    t.same(await api.list('/api/specimens?filters[id][$eq]=abc'), [], 'an id that is no number finds nothing')
    t.same(await api.list('/api/specimens?filters[big][$gt]=abc'), [], 'nor does a big one')
    t.same(await api.list('/api/articles?filters[author]=abc'), [])
  })

  t.test('comparisons with an invalid number find nothing, negated or not', async t => {
    for (const name of ['id', 'big', 'related'])
      for (const test of [
        '[$lt]=abc',
        '[$lte]=',
        '[$gte]=-Infinity',
        '[$not][$lt]=abc',
        '[$between][0]=0&$[$between][1]=x',
      ]) {
        const query = `filters[${name}]${test.replace('$[', `filters[${name}][`)}`
        t.same(
          await api.list(
            `/api/${name === 'related' ? 'articles' : 'specimens'}?${query.replaceAll('related', 'author')}`,
          ),
          [],
          query,
        )
      }
  })

  t.test('a sort by more keys than a database accepts', async t => {
    refused(t, await api.get(`/api/tags?sort=${Array(2000).fill('id').join()}`), 400, 'sort')
    refused(
      t,
      await api.get(`/api/articles?populate[tags][sort]=${Array(2001).fill('id').join()}`),
      400,
      'populate.tags.sort',
    )
  })

  t.test('filters apply to updates and deletions of a single type', async t => {
    const path = '/api/site-setting'
    t.equal((await api.put(path, { data: { siteName: 'One' } })).status, 200)
    t.equal((await api.delete(`${path}?filters[siteName]=zzz`)).status, 404)
    refused(
      t,
      await api.put(`${path}?filters[siteName]=zzz`, { data: { siteName: 'Two' } }),
      400,
      'singleType.alreadyExists',
    )
    t.match((await api.get(path)).body, { data: { attributes: { siteName: 'One' } } })
    t.equal((await api.delete(`${path}?filters[siteName]=One`)).status, 200)
    t.equal((await api.get(path)).status, 404)
  })

  t.test('security.md row 34: unknown operators', async t => {
    const wide = [
      '[$nope]=1',
      '[$notBetween][0]=1',
      '[$EQ]=One',
      '[eq]=One',
      '[foo]=1',
      '[$like]=O',
      '[$not][$nope]=1',
      '[$]=1',
    ]
    for (const test of wide) refused(t, await api.get(`/api/articles?filters[title]${test}`), 400)
    refused(t, await api.get('/api/articles?filters[title][$nope]=1'), 400, /unknown operator.*\$nope/i)
    refused(t, await api.get('/api/articles?filters[title][$nope]=1'), 400, 'filters.title')
    refused(t, await api.get('/api/articles?filters[author][fullName][$nope]=1'), 400, 'filters.author.fullName')
    refused(t, await api.get('/api/articles?filters[author][$nope]=1'), 400, '$nope')
    refused(t, await api.get('/api/articles?filters[$nope][0][title]=One'), 400, '$nope')
    refused(t, await api.get('/api/articles?populate[tags][filters][label][$nope]=1'), 400, '$nope')
  })
})
