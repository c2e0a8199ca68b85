// Form bodies keep everything that was sent, or are refused (security.md rows 26 to 29, 41, 42).

import t from 'tap'
import { start, tags, type } from './fixtures/boot.ts'

const posts = type('post', {
  label: { type: 'string' },
  payload: { type: 'json' },
  tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
})

t.test('forms', async t => {
  const { app, of } = await start(t, { contentTypes: [...tags, posts] })
  for (let i = 0; i < 150; i++) await of('tag').create({ data: { label: `t${i}` } })
  const send = (payload: string | Buffer) =>
    app.inject({
      method: 'POST',
      url: '/api/posts?populate=tags',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    })
  const refused = async (payload: string | Buffer, words: RegExp) => {
    const answer = await send(payload)
    t.equal(answer.statusCode, 400, String(payload).slice(0, 60))
    t.match(answer.json(), { data: null, error: { status: 400, name: 'ValidationError' } })
    t.match(answer.payload, words)
  }
  const ids = Array.from({ length: 150 }, (_, i) => i + 1)

  t.test('form bodies keep lists of any length', async t => {
    for (const name of [() => '', (i: number) => String(i)]) {
      const answer = await send(ids.map((id, i) => `data[tags][${name(i)}]=${id}`).join('&'))
      t.equal(answer.statusCode, 200)
      t.equal(answer.json().data.attributes.tags.data.length, 150)
    }
    const encoded = await send(`data%5Blabel%5D=a+b%26c&data[payload][a=b][]=${encodeURIComponent('ü😀')}`)
    t.match(encoded.json().data.attributes, { label: 'a b&c', payload: { 'a=b': ['ü😀'] } })
    const years = await send('data[payload][2024]=x')
    t.same(years.json().data.attributes.payload, { 2024: 'x' }, 'numbers may be names')
  })

  t.test('refused', async () => {
    const before = await of('post').count()
    await refused(`${'a=1&'.repeat(1000)}data[label]=x`, /Too many parameters: 1001/)
    await refused('data[label]=%ff', /escape sequence/)
    await refused('data[%ff]=x', /escape sequence/)
    await refused(Buffer.from('data[label]=\xff', 'latin1'), /UTF-8/)
    await refused('data[label]=a%00b', /data\.label.*NUL/)
    await refused('data[payload][a%00]=b', /NUL/)
    await refused('data[payload][a][]=a\0b', /data\.payload\.a\.0.*NUL/)
    await refused(`data[payload]${'[a]'.repeat(25)}=1`, /nested more than 20/)
    await refused(`data[payload][x=1]${'[a]'.repeat(25)}=1`, /nested more than 20/)
    for (const name of ['toString', '__proto__', 'constructor', 'hasOwnProperty'])
      await refused(`data[label]=x&data[payload][${name}]=1`, new RegExp(`data\\.payload\\.${name}`))
    t.equal(await of('post').count(), before, 'nothing was written')
  })
})
