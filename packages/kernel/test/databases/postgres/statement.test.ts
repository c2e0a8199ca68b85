// Statements on PostgreSQL: values arrive as they are sent, and a statement that failed can run again.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t from 'tap'
import { createKernel } from '../../../src/index.ts'
import { type } from '../../fixtures/boot.ts'

const contentTypes = [type('page', { title: { type: 'string', unique: true } })]

t.test('values are sent as they are, and failed statements run again', async t => {
  if (!(await databases()).includes('postgres')) return t.comment('no server')
  const database = await freshDatabase('postgres')
  const kernel = await createKernel({ database: database.config, contentTypes })
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  await kernel.transaction(async tx => {
    const text = `SELECT $1::bytea = '\\x00ff5c'::bytea, $2::text, $3::text, $4::bigint, $5::boolean, $6::int[], $7::text[]`
    const bytes = Buffer.from([0, 255, 92])
    const words = ['a"b\\c', 'NULL', '', 'ä,{}', null]
    const values = [bytes, 'ä "\\ $1', null, 9_007_199_254_740_993n, true, [1, null, -3], words]
    for (const turn of ['described', 'known']) {
      const [row] = await tx.all(text, values)
      const list = '{"a\\"b\\\\c","NULL","","ä,{}",NULL}'
      t.same(row, [true, 'ä "\\ $1', null, '9007199254740993', true, '{1,NULL,-3}', list], turn)
    }
    t.same(await tx.all('SELECT 1.5::float8, 2::int2, NULL::int, false', []), [[1.5, 2, null, false]])
    t.same(await tx.all('SELECT 1 WHERE false', []), [])
  })
  const half = (by: number) => kernel.database.read(session => session.all('SELECT 1 / $1::int', [by]))
  await t.rejects(async () => half(0), { name: 'ValidationError' })
  t.same(await half(1), [[1]], 'prepared before it failed')
  t.same(await half(1), [[1]])
  await t.rejects(async () => half('x' as never), { name: 'ValidationError' })
  const odd = () => kernel.database.read(session => session.all('SELECT no_such_column', []))
  await t.rejects(async () => odd(), { code: '42703' })
  await t.rejects(async () => odd(), { code: '42703' }, 'never prepared')
  for (let i = 0; i < 1010; i++) await kernel.database.read(session => session.all(`SELECT ${i}`, []))
  t.same(await kernel.database.read(session => session.all('SELECT $1::int', [7])), [[7]], 'beyond what is kept')
})
