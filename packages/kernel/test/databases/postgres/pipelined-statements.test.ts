// Pipelined statements on PostgreSQL: what a failure before COMMIT means, and texts without a statement.

import { databases } from '@plinth/test-tools/databases'
import t from 'tap'
import { start, statements } from '../../fixtures/pipelined.ts'

const answering = await databases()
if (answering.includes('postgres')) {
  const { insert } = statements.postgres

  t.test('postgres: COMMIT of a failed transaction is an error', async t => {
    const { kernel, titles } = await start(t, 'postgres')
    const quiet = kernel.transaction(async tx => {
      await tx.run(insert, ['a'])
      await Promise.resolve(tx.run('SELECT 1 / 0', [])).catch(() => {})
    })
    await t.rejects(quiet, {
      message: 'A statement of the transaction failed before its COMMIT, so it was rolled back',
    })
    t.same(await titles(), [])
  })

  t.test('postgres: a text without a statement can be pipelined', async t => {
    const { kernel } = await start(t, 'postgres')
    for (let time = 0; time < 2; time++) {
      await kernel.transaction(async tx => {
        await tx.enqueue('-- nothing', [])
        t.same(await tx.all('SELECT 7', []), [[7]])
        const steps = [
          { text: '-- nothing', values: [] },
          { text: 'SELECT 7', values: [] },
        ]
        t.same(await tx.batch(steps), [[], [[7]]])
      })
    }
  })
}
t.pass('runs where PostgreSQL does')
