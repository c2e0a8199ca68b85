// Pipelined statements on PostgreSQL and MariaDB: they are sent with the next one, in order, and their errors reject
// the next awaited one.

import { databases } from '@plinth/test-tools/databases'
import t from 'tap'
import type { Transaction } from '../../src/index.ts'
import { isMariadb, start, statements } from '../fixtures/pipelined.ts'

const answering = await databases()
for (const server of ['postgres', 'mysql'] as const) {
  if (!answering.includes(server)) continue
  const { insert, append, retitle, refused } = statements[server]

  t.test(`${server}: pipelined statements run in order`, async t => {
    const { kernel, titles } = await start(t, server)
    const seen = await kernel.transaction(async tx => {
      await tx.enqueue(insert, ['a'])
      await tx.enqueue(insert, ['b'])
      const { changes } = await tx.run(append, ['!'])
      await tx.enqueue(insert, ['c'])
      return [changes, (await tx.all('SELECT title FROM pages ORDER BY id', [])).flat()]
    })
    t.same(seen, [2, ['a!', 'b!', 'c']])
    t.same(await titles(), ['a!', 'b!', 'c'])
  })

  t.test(`${server}: the last pipelined statement is sent with COMMIT`, async t => {
    const { kernel, titles } = await start(t, server)
    await kernel.transaction(async tx => void (await tx.enqueue(insert, ['a'])))
    t.same(await titles(), ['a'])
    await t.rejects(kernel.transaction(async tx => void (await tx.enqueue('INSERT INTO nowhere VALUES (1)', []))))
    t.same(await titles(), ['a'])
  })

  t.test(`${server}: the error of a pipelined statement rejects the next awaited one`, async t => {
    const { kernel, titles } = await start(t, server)
    for (let time = 0; time < 3; time++) {
      const wrong = kernel.transaction(async tx => {
        await tx.enqueue(insert, ['a'])
        await tx.enqueue(refused, [0])
        await tx.run(retitle, [`time ${time}`])
      })
      await t.rejects(wrong, { name: 'ValidationError' })
      t.same(await titles(), [])
    }
    // Statements that came so far, or not, in a run that failed are prepared all the same.
    await kernel.transaction(async tx => {
      await tx.enqueue(insert, ['a'])
      await tx.run(retitle, ['b'])
    })
    t.same(await titles(), ['b'])
  })

  t.test(`${server}: a caught error of a pipelined statement still fails the transaction`, async t => {
    const { kernel } = await start(t, server)
    if (server === 'mysql' && !(await isMariadb(kernel))) return
    for (const ask of [(tx: Transaction) => tx.flush(), (tx: Transaction) => tx.knex('pages').select()]) {
      const quiet = kernel.transaction(async tx => {
        await tx.run(insert, ['a'])
        const sent = async () => {
          await tx.enqueue('INSERT INTO nowhere VALUES (1)', [])
          await ask(tx)
        }
        await sent().catch(() => {})
        await tx.run(insert, ['c'])
      })
      await t.rejects(quiet, { code: /ER_NO_SUCH_TABLE|42P01|PLINTH_TRANSACTION_FAILED/ })
    }
  })

  t.test(`${server}: a nested transaction of knex contains pipelined statements`, async t => {
    const { kernel, titles } = await start(t, server)
    const found = await kernel.transaction(tx =>
      tx.knex.transaction(async trx => {
        await tx.enqueue(insert, ['a'])
        return trx('pages').select('title')
      }),
    )
    t.same(found, [{ title: 'a' }])
    await kernel.transaction(async tx => {
      const inner = tx.knex.transaction(async trx => {
        await trx('pages').insert({ title: 'b' })
        await tx.enqueue(insert, ['c'])
        throw new Error('no')
      })
      await t.rejects(inner, { message: 'no' })
    })
    t.same(await titles(), ['a'])
  })

  t.test(`${server}: a transaction that failed before anything was sent is rolled back`, async t => {
    const { kernel, titles } = await start(t, server)
    const wrong = kernel.transaction(async tx => {
      await tx.enqueue(insert, ['a'])
      throw new Error('no')
    })
    await t.rejects(wrong, { message: 'no' })
    t.same(await titles(), [])
    await kernel.transaction(async () => {})
    t.same(await kernel.transaction(tx => Promise.resolve(tx.all('SELECT 1', []))), [[1]])
  })

  t.test(`${server}: a savepoint rolls back the statements pipelined in it`, async t => {
    const { kernel, titles } = await start(t, server)
    await kernel.transaction(async tx => {
      await tx.enqueue(insert, ['a'])
      const part = kernel.transaction(async inner => {
        await inner.enqueue(insert, ['b'])
        throw new Error('no')
      })
      await t.rejects(part, { message: 'no' })
      await tx.enqueue(insert, ['c'])
    })
    t.same(await titles(), ['a', 'c'])
  })

  t.test(`${server}: a batch runs after pipelined statements and has one result per statement`, async t => {
    const { kernel, titles } = await start(t, server)
    const [place, other] = server === 'postgres' ? ['$1', '$1'] : ['?', '?']
    const steps = [
      { text: `SELECT title FROM pages WHERE title = ${place}`, values: ['b'] },
      { text: `SELECT title, id FROM pages WHERE title <> ${other} ORDER BY id`, values: ['b'] },
      { text: `SELECT id FROM pages WHERE title = ${place}`, values: ['nobody'] },
    ]
    for (let time = 0; time < 2; time++) {
      const seen = await kernel.transaction(async tx => {
        await tx.enqueue('DELETE FROM pages', [])
        for (const [i, name] of ['a', 'b', 'c'].entries())
          await tx.enqueue(`INSERT INTO pages (id, title) VALUES (${i + 1}, '${name}')`, [])
        return tx.batch(steps)
      })
      t.same(seen, [
        [['b']],
        [
          ['a', 1],
          ['c', 3],
        ],
        [],
      ])
      const again = await kernel.transaction(async tx => [
        await tx.batch(steps),
        await tx.batch(steps.slice(0, 1)),
        await tx.batch([]),
      ])
      t.same(again, [seen, seen.slice(0, 1), []])
    }
    const wrong = kernel.transaction(async tx => {
      await tx.enqueue('DELETE FROM pages', [])
      await tx.batch([steps[0]!, { text: 'SELECT nothing FROM pages', values: [] }])
    })
    await t.rejects(wrong, { message: /nothing/ })
    t.same(await titles(), ['a', 'b', 'c'])
  })

  t.test(`${server}: concurrent statements run once, and before COMMIT or not at all`, async t => {
    const { kernel, titles } = await start(t, server)
    await kernel.transaction(async tx => void (await tx.run(insert, [''])))
    for (let time = 0; time < 3; time++) {
      const reads = (tx: Transaction) => [
        tx.all('SELECT 1', []),
        tx.all('SELECT 2', []),
        tx.batch([{ text: 'SELECT 3', values: [] }]),
      ]
      await kernel.transaction(tx =>
        Promise.all([...reads(tx), tx.enqueue(append, ['x']), ...reads(tx), tx.run(append, ['y'])]),
      )
    }
    t.same(await titles(), ['xyxyxy'])
    const sleep = server === 'postgres' ? 'SELECT pg_sleep(0.1)' : 'SELECT SLEEP(0.1)'
    let late: unknown
    await kernel.transaction(async tx => {
      void tx.all(sleep, [])
      setTimeout(() => {
        late = Promise.resolve()
          .then(() => tx.enqueue(append, ['late']))
          .catch((error: Error) => error.message)
      }, 30)
    })
    t.equal(await late, 'The transaction has ended; await all of its work inside its callback')
    await kernel.transaction(async tx => tx.all('SELECT 1', []))
    t.same(await titles(), ['xyxyxy'])
  })

  t.test(`${server}: queries of knex run after pipelined statements`, async t => {
    const { kernel } = await start(t, server)
    const found = await kernel.transaction(async tx => {
      await tx.enqueue(insert, ['a'])
      void tx.all('SELECT 1', [])
      await tx.enqueue(insert, ['b'])
      void tx.all('SELECT 1', [])
      return tx.knex('pages').select('title')
    })
    t.same(found, [{ title: 'a' }, { title: 'b' }])
  })
}
t.pass('runs where servers do')
