// Operations that are answered without execution keep no syntax tree; it is parsed again when something needs it.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { start } from './fixtures/boot.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

t.test('operations after their first answer', async t => {
  const { send, of } = await start(t)
  await of('tag').create({ data: { label: 'News' } })
  await of('tag').create({ data: { label: 'Sport' } })
  const query = `query Other { articles { data { id } } }
    query Tags($more: Boolean!, $id: ID, $only: String) {
      tag(id: $id) { data { id attributes { label @include(if: $more) } } }
      tags(filters: { label: { eq: $only } }) { data { ...Part } }
    }
    fragment Part on TagEntity { attributes { label @skip(if: $more) } }`
  const ask = async (variables: object, operationName = 'Tags') => {
    const { body } = await send('/graphql', { query, variables, operationName })
    return body
  }
  const full = { tag: { data: { id: '1', attributes: { label: 'News' } } }, tags: { data: [{ attributes: {} }] } }
  const short = { tag: { data: { id: '1', attributes: {} } }, tags: { data: [{ attributes: { label: 'Sport' } }] } }
  for (let time = 0; time < 2; time++) {
    t.strictSame(await ask({ more: true, id: 1, only: 'Sport' }), { data: full })
    t.strictSame(await ask({ more: false, id: 1, only: 'Sport' }), { data: short }, 'another selection')
    t.strictSame(await ask({}, 'Other'), { data: { articles: { data: [] } } })
  }
  t.match(
    await ask({ more: false, id: 'one', only: 'Sport' }),
    { data: { tags: short.tags } },
    'an id that no entry has',
  )
  t.match(await ask({ id: 1 }), { errors: [{ locations: [{ line: 2, column: 16 }] }] }, 'the place of a variable')
})

t.test('1,000 operations', async t => {
  const { send, of } = await start(t)
  await of('tag').create({ data: { label: 'News' } })
  const textOf = (n: number) =>
    `{ tag(id: 1) { data { ${Array.from({ length: 10 }, (_, i) => `a${n}_${i}: attributes { label }`).join(' ')} } } }`
  const used = () => {
    for (let i = 0; i < 3; i++) collect()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const run = async (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const { text } = await send('/graphql', { query: textOf(n) })
      if (!text.includes(`"a${n}_9":{"label":"News"}`)) throw new Error(text)
    }
  }
  await run(0, 20)
  const before = used()
  await run(20, 1020)
  const grown = used() - before
  t.ok(grown < 15, `the heap has grown by ${grown.toFixed(1)} MiB`)
})
