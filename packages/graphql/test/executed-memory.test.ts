// What is kept of executed operations is bounded, however many different ones there are.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { start } from './fixtures/extended.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

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
