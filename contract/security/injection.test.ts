/** Injection (security.md B2): names are taken from the registry, values are bound, and text stays text. */

import { createKernel } from '@plinth/kernel'
import t from 'tap'
import { boot, client, fresh } from '../boot.ts'
import { refused } from './refusal.ts'

t.test('injection', async t => {
  const app = await boot(t)
  const api = client(app)
  const labels = ['50%', 'a_b', 'axb', 'back\\slash', "it's"]
  await api.create('tags', ...labels.map(label => ({ label })))
  await api.create('specimens', { short: 'one', payload: { a: 1 } }, { short: 'two' })
  const labelsOf = async (query: string) =>
    (await api.list(`/api/tags?${query}`)).map(({ attributes }) => attributes.label)

  t.test('security.md row 16: sort', async t => {
    const bad = [
      'id;drop table tags',
      'label:sideways',
      'label asc, id',
      '(select 1)',
      'label:asc:desc',
      '1',
      'tags.label',
    ]
    for (const sort of bad) refused(t, await api.get(`/api/tags?sort=${encodeURIComponent(sort)}`), 400)
    refused(t, await api.get('/api/tags?sort[label]=sideways'), 400, 'label')
    refused(t, await api.get('/api/tags?sort[0][label]=desc;drop'), 400, 'label')
    t.equal((await api.list('/api/tags')).length, labels.length, 'the table is still there')
  })

  t.test('security.md row 17: identifiers', async t => {
    const names = [
      "label'--",
      '"label"',
      '`label`',
      'label"',
      'tags.label',
      'label;',
      'id)or(1=1',
      'label ',
      'created_at)',
    ]
    for (const name of names) {
      const key = encodeURIComponent(name)
      refused(t, await api.get(`/api/tags?filters[${key}][$eq]=1`), 400, `Invalid parameter ${name}`)
      refused(t, await api.get(`/api/tags?fields[0]=${key}`), 400, `Invalid parameter ${name}`)
      refused(t, await api.get(`/api/tags?sort=${key}`), 400)
      t.equal(
        (await api.get(`/api/tags?populate=${key}`)).status,
        200,
        'unknown names in populate are dropped (B-2.12)',
      )
    }
    refused(t, await api.get(`/api/articles?filters[author][${encodeURIComponent("fullName'--")}]=1`), 400)
  })

  t.test('security.md row 18: paths below a JSON attribute', async t => {
    for (const path of ["a'b", "a')) or 1=1 --", '$.a', 'a']) {
      const answer = await api.get(`/api/specimens?filters[payload][${encodeURIComponent(path)}]=nothing`)
      if (answer.status === 200) t.same(answer.body.data, [], `${path} finds nothing`)
      else refused(t, answer, 400)
    }
  })

  t.test('security.md row 19: wildcards are characters', async t => {
    const found: [query: string, labels: string[]][] = [
      ['filters[label][$contains]=%25', ['50%']],
      ['filters[label][$contains]=_', ['a_b']],
      ['filters[label][$contains]=\\', ['back\\slash']],
      ['filters[label][$containsi]=A_B', ['a_b']],
      ['filters[label][$startsWith]=a_', ['a_b']],
      ['filters[label][$endsWith]=%25', ['50%']],
      ['filters[label][$endsWithi]=_B', ['a_b']],
      ['filters[label][$eqi]=A_B', ['a_b']],
      ['filters[label][$eqi]=%25', []],
      ['filters[label][$nei]=%25', labels],
      ['filters[label][$notContains]=_', ['50%', 'axb', 'back\\slash', "it's"]],
      ['filters[label][$notContainsi]=%25', ['a_b', 'axb', 'back\\slash', "it's"]],
      ["filters[label][$contains]='", ["it's"]],
      ['_q=%25', ['50%']],
      ['_q=_', ['a_b']],
    ]
    for (const [query, expected] of found) t.same(await labelsOf(query), expected, query)
  })

  t.test('security.md row 22: line breaks reach no header', async t => {
    const urls = [
      '/api/tags%0d%0ax-injected:%201',
      '/api/tags?a=%0d%0ax-injected:%201',
      '/api/tags/1%0d%0ax-injected:1',
    ]
    for (const url of urls) {
      const { status, headers } = await api.get(url, { origin: 'http://a%0d%0ax-injected: 1' })
      t.ok(status < 500, url)
      t.notOk(Object.hasOwn(headers, 'x-injected'))
      for (const value of Object.values(headers)) t.notMatch(String(value), /[\r\n]/)
    }
  })

  t.test('security.md row 24: numbers of 400 digits', async t => {
    const digits = '9'.repeat(400)
    t.same(await api.list(`/api/tags?filters[id][$eq]=${digits}`), [], 'no such id')
    t.equal((await api.get(`/api/tags/${digits}`)).status, 404)
    for (const name of ['whole', 'big', 'ratio', 'amount']) {
      const answer = await api.get(`/api/specimens?filters[${name}][$lt]=-${digits}`)
      if (answer.status === 200) t.same(answer.body.data, [], name)
      else refused(t, answer, 400, name)
      const written = await api.post('/api/specimens', `{"data":{"${name}":${digits}}}`)
      t.ok(written.status < 500, `${name} is written or refused`, { text: written.text })
    }
  })
})

t.test('security.md row 20: a default of the schema is data, never SQL (CVE-2026-22599)', async t => {
  const hostile = "x'); drop table things; --"
  const attributes = {
    label: { type: 'string', default: hostile },
    now: { type: 'string', default: 'CURRENT_TIMESTAMP' },
    raw: {
      type: 'string',
      column: { type: `text default (${hostile})`, args: ['; drop table things'], defaultTo: hostile },
    },
  }
  const info = { singularName: 'thing', pluralName: 'things', displayName: 'Thing' }
  const kernel = await createKernel({
    database: (await fresh(t)).config,
    contentTypes: [{ kind: 'collectionType', collectionName: 'things', info, attributes }],
  })
  t.teardown(() => kernel.close())
  const made = await kernel.query('api::thing.thing').create({ data: {} })
  t.match(made, { id: 1, label: hostile, now: 'CURRENT_TIMESTAMP' })
  t.equal(await kernel.query('api::thing.thing').count(), 1)
})

t.test('security.md row 23: an invalid locale does not widen a result', async t => {
  const plugins = { rest: true, 'draft-publish': true, i18n: { config: { locales: ['en', 'fr'] } } }
  const api = client(await boot(t, { plugins }))
  await api.create('articles', { title: 'one' })
  await api.create('tags', { label: 'one' })
  t.equal((await api.put('/api/site-setting', { data: { siteName: 'one' } })).status, 200)
  const words = ['locale=../../x', 'locale[]=', 'locale=', 'locale=en&locale=../../x', 'locale=all&locale=en']
  const objects = ['locale[$ne]=x', 'locale[0][a]=b', 'locale[0][$ne]=x']

  t.test('types that are localized', async t => {
    for (const path of ['articles', 'site-setting']) {
      t.equal((await api.get(`/api/${path}?locale=en`)).status, 200, 'one that is known finds')
      for (const query of [...words, ...objects]) {
        const answer = await api.get(`/api/${path}?${query}`)
        t.comment(`${path}?${query}`)
        refused(t, answer, 400, 'locale')
        t.match(answer.body.error, { name: 'ValidationError', details: { path: /^locale$/ } })
      }
    }
  })

  t.test('writes', async t => {
    const answer = await api.put('/api/site-setting?locale=../../x', { data: { siteName: 'two' } })
    refused(t, answer, 400, 'locale')
    refused(t, await api.post('/api/articles', { data: { title: 'two', locale: '../../x' } }), 400, 'locale')
    t.equal((await api.list('/api/articles?locale=all')).length, 1)
    t.equal((await api.list('/api/site-setting?locale=all')).length, 1)
  })

  t.test('types that are not localized ignore a text (B-7.16) and refuse an object', async t => {
    const plain = await api.list('/api/tags')
    t.equal(plain.length, 1)
    for (const query of words) t.same(await api.list(`/api/tags?${query}`), plain, query)
    for (const query of objects) {
      const answer = await api.get(`/api/tags?${query}`)
      refused(t, answer, 400, 'locale')
      t.match(answer.body.error, { details: { path: /^locale$/ } }, query)
    }
  })
})
