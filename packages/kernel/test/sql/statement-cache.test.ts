// The bounded cache of the texts of statements.

import t from 'tap'
import { boot, repositories, type } from '../fixtures/boot.ts'

t.test('statements are cached up to a limit, and compiled again beyond it', async t => {
  const names = Array.from({ length: 11 }, (_, i) => `n${i}`)
  const attributes = Object.fromEntries(names.map(name => [name, { type: 'integer' as const }]))
  const kernel = await boot(t, { contentTypes: [type('wide', attributes)] })
  const of = repositories(kernel)('wide')
  await of.create({ data: {} })
  for (let set = 1; set < 2 ** names.length; set++) {
    const sent = Object.fromEntries(names.flatMap((name, i) => ((set >> i) & 1 ? [[name, set]] : [])))
    const answer = await of.update(1, { data: sent, fields: Object.keys(sent) })
    if (!Object.keys(sent).every(name => answer?.[name] === set)) t.same(answer, sent)
  }
  t.match(await of.create({ data: { n3: 5 }, fields: ['n3'] }), { n3: 5 })
  t.match(await of.findOne(1), { n10: 2 ** names.length - 1, n0: 2 ** names.length - 1 })
})
