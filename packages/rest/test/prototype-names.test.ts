// Names of Object.prototype are refused like other unknown attributes, and never dropped (B-2.6).

import t from 'tap'
import { start } from './fixtures/boot.ts'

t.test('names of Object.prototype are refused like unknown ones', async t => {
  const { app, of } = await start(t)
  await of('tag').create({ data: { label: 'a' } })
  const names = Object.getOwnPropertyNames(Object.prototype)
  for (const name of names) {
    const isPrototype = name === '__proto__' || name === 'constructor'
    for (const [query, path] of [
      [`filters[${name}]=1`, `filters.${name}`],
      [`filters%5B${name}%5D[$eq]=1`, `filters.${name}`],
      [`filters[$or][0][${name}]=1`, `filters.$or.0.${name}`],
      [`filters[label][${name}]=1`, `filters.label.${name}`],
      [`populate[${name}]=*`, `populate.${name}`],
      [`sort[${name}]=asc`, `sort.${name}`],
      [`filters[${encodeURIComponent(name).replace('t', '%74')}]=1`, `filters.${name}`],
    ] as const) {
      const answer = await app.inject(`/api/tags?${query}`)
      t.equal(answer.statusCode, isPrototype ? 200 : 400, query)
      if (!isPrototype) t.match(answer.json().error, { message: `Invalid parameter ${path}`, details: { path } })
    }
    t.equal((await app.inject(`/api/tags?${name}=1`)).statusCode, 200, 'unknown parameters are ignored')
  }
  t.equal((await app.inject('/api/tags?filters[label]=[toString]')).statusCode, 200, 'values may be anything')
})

t.test('the limit of depth applies behind an equals sign', async t => {
  const { app } = await start(t)
  const answer = await app.inject(`/api/tags?filters[a=b]${'[a]'.repeat(25)}=1`)
  t.match(answer.json().error, { status: 400, message: /nested more than 20 levels/ })
})
