// Prepared statements that servers keep for a connection: no more than its share, and none if the server takes no more.

import { createKernel } from '@plinth/kernel'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'

t.test('PostgreSQL keeps a bounded number and length of statements', async t => {
  if (!(await databases()).includes('postgres')) return t.comment('no server')
  const database = await freshDatabase('postgres')
  const kernel = await createKernel({ database: { ...database.config, pool: { max: 1 } }, contentTypes: [] })
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  const all = async (text: string) => kernel.database.read(session => session.all(text, []))
  const kept = async () => {
    const [row] = await all(
      `SELECT COUNT(*), SUM(LENGTH(statement)), MAX(statement) FILTER (WHERE statement = 'SELECT 1') FROM pg_prepared_statements`,
    )
    return row as [string, string, string | null]
  }
  for (let i = 0; i < 1200; i++) await all(`SELECT ${i}`)
  await all('SELECT 1')
  t.equal(Number((await kept())[0]) <= 1001, true, 'a thousand')
  const long = 'x'.repeat(100_000)
  for (let i = 0; i < 20; i++) {
    t.same(await all(`SELECT ${i} /* ${long} */`), [[i]])
    t.same(await all('SELECT 1'), [[1]])
  }
  const [, letters, own] = await kept()
  t.ok(Number(letters) < 1_200_000, `${letters} letters`)
  t.equal(own, 'SELECT 1', 'one that is used all the time is prepared again')
  await all(`SELECT 5 /* ${'x'.repeat(2_000_000)} */`)
  const works = Array.from({ length: 30 }, (_, i) => all(`SELECT ${i} /* ${i % 2} ${long} */`))
  t.same(
    await Promise.all(works),
    Array.from({ length: 30 }, (_, i) => [[i]]),
    'at once',
  )
  await kernel.transaction(async tx => {
    for (let i = 0; i < 30; i++) await tx.enqueue(`SELECT ${i} /* sent ${long} */`, [])
    t.same(await tx.all('SELECT 1', []), [[1]])
  })
})
