// Executed operations that are compiled stay in memory, so only some of ever new ones are.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { Compilations } from '../src/execution/compilations.ts'
import { start } from './fixtures/extended.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

t.test('what may be compiled', async t => {
  let now = 0
  const compilations = new Compilations({ burst: 2, perMinute: 6 }, () => now)
  const [first, second, third] = [{}, {}, {}]
  const twice = (document: object) => [compilations.allows(document), compilations.allows(document)]
  t.same(
    [twice(first), twice(second)],
    [
      [true, true],
      [true, true],
    ],
  )
  t.same(twice(third), [true, false], 'the first execution compiles nothing')
  t.ok(compilations.allows(first), 'what is compiled stays so')
  now = 9000
  t.notOk(compilations.allows(third))
  now = 10_001
  t.ok(compilations.allows(third))
  now += 3_600_000
  t.same(
    [{}, {}, {}].map(twice).map(([, again]) => again),
    [true, true, false],
    'no more than the burst',
  )
})

t.test('500 large texts that are executed', async t => {
  const { send } = await start(t, {
    extend: extension =>
      extension.use({
        typeDefs: 'extend type Query { own: String }',
        resolvers: { Query: { own: () => 'x' } },
        resolversConfig: { 'Query.own': { auth: false } },
      }),
  })
  const textOf = (n: number) => `{ ${Array.from({ length: 40 }, (_, i) => `a${n}_${i}: own`).join(' ')} }`
  const used = () => {
    for (let i = 0; i < 3; i++) collect()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const run = async (from: number, to: number) => {
    for (let n = from; n < to; n++)
      for (let time = 0; time < 2; time++) {
        const { data, errors } = await send(textOf(n))
        if (errors !== undefined || data[`a${n}_39`] !== 'x') throw new Error(JSON.stringify({ data, errors }))
      }
  }
  await run(0, 20)
  const before = used()
  await run(20, 520)
  const grown = used() - before
  t.ok(grown < 75, `the heap has grown by ${Math.round(grown)} MiB`)
})
