// Prepared statements that servers keep for a connection: no more than its share, and none if the server takes no more.

import { createKernel } from '@plinth/kernel'
import type { Bound, Rows } from '@plinth/kernel/database'
import { databases, freshDatabase } from '@plinth/test-tools/databases'
import { type } from '@plinth/test-tools/fixtures'
import { createConnection } from 'mysql2'
import t from 'tap'
import { Blocks } from '../src/blocks.ts'
import { shareOf } from '../src/driver.ts'
import { withLiterals } from '../src/lists.ts'
import { MysqlSession } from '../src/session.ts'

t.test("a connection may keep a share of the server's prepared statements", async t => {
  t.equal(shareOf(16_382, 10), 102)
  t.equal(shareOf(16_382, 40), 50, 'not less than this')
  t.equal(shareOf(1_048_576, 10), 500, 'not more')
  t.equal(shareOf(0, 10), 50)
  t.ok(8 * 10 * shareOf(16_382, 10) <= 16_382 / 2, '8 processes take half of what there is')
})

t.test('values are written as literals', async t => {
  const write = (value: unknown) => JSON.stringify(value)
  t.equal(
    withLiterals("a = ? AND '?' = `?` LIMIT ? OFFSET ?", ['x', '3', '4'], write),
    `a = "x" AND '?' = \`?\` LIMIT 3 OFFSET 4`,
  )
  t.equal(withLiterals('limit ? ', ['1; DROP'], write), 'limit "1; DROP" ')
  t.equal(withLiterals('a = ?', [5n], write), 'a = "5"')
})

t.test('MariaDB and MySQL', async t => {
  if (!(await databases()).includes('mysql')) return t.comment('no server')
  const database = await freshDatabase('mysql')
  t.teardown(() => database.drop())

  t.test('a connection keeps no more than its share', async t => {
    const kernel = await createKernel({
      database: { ...database.config, pool: { max: 1 } },
      contentTypes: [type('page', {})],
    })
    t.teardown(() => kernel.close())
    const { database: own } = kernel
    const count = async () => {
      const text = `SELECT SUM(IF(variable_name = 'COM_STMT_PREPARE', variable_value, -variable_value))
        FROM information_schema.session_status WHERE variable_name IN ('COM_STMT_PREPARE', 'COM_STMT_CLOSE')`
      return Number((await own.read(session => session.all(text, [])))[0]![0])
    }
    const [[most]] = (await own.read(session => session.all('SELECT @@max_prepared_stmt_count', []))) as [[number]]
    const share = shareOf(Number(most), 1)
    for (let i = 0; i < share + 100; i++) await own.read(session => session.all(`SELECT ${i}`, []))
    const kept = await count()
    t.ok(kept > 20 && kept <= share + 1, `${kept} of ${share}`)
  })

  /** A session whose server refuses to prepare anything `refusals` times. */
  async function startSession(refusals: number, { hasBlocks = true, takesSnapshots = false } = {}) {
    const connection = createConnection({
      ...(database.config.connection as object),
      timezone: 'Z',
      dateStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
      jsonStrings: true,
      charset: 'utf8mb4',
    } as never)
    t.teardown(() => connection.destroy())
    const blocks = new Blocks()
    if (hasBlocks) blocks.admit(50)
    const session = new MysqlSession(connection, blocks, { maxPrepared: 50, takesSnapshots })
    const execute = connection.execute.bind(connection) as (...args: unknown[]) => unknown
    let left = refusals
    ;(connection as { execute: unknown }).execute = (statement: unknown, done: (error: unknown) => void) => {
      if (left-- <= 0) return execute(statement, done)
      const full = { errno: 1461, code: 'ER_MAX_PREPARED_STMT_COUNT_REACHED' }
      setImmediate(() => done(Object.assign(new Error(`Can't create more`), full)))
    }
    return session
  }

  const columns =
    'id INT PRIMARY KEY AUTO_INCREMENT, whole INT, big BIGINT, ratio DOUBLE, amount DECIMAL(10,2), name VARCHAR(50), flag TINYINT(1), at DATETIME(6), clock TIME(3), data JSON, bytes BLOB'
  const row: Bound[] = [
    7,
    '9007199254740993',
    0.1,
    '12.50',
    `O'Neil \\ ? "😀"`,
    true,
    '2024-01-31 12:34:56.789',
    '01:02:03.004',
    '{"a":"\\n"}',
    Buffer.from([0, 39, 255]),
  ]

  t.test('reads have snapshots also without blocks, as on MySQL, and as text', async t => {
    for (const [refusals, hasBlocks] of [
      [0, false],
      [0, true],
      [1000, true],
    ] as const) {
      const session = await startSession(refusals, { hasBlocks, takesSnapshots: true })
      t.equal(session.canBatch, hasBlocks)
      await session.run('DROP TABLE IF EXISTS seen', [])
      await session.run('CREATE TABLE seen (id INT PRIMARY KEY AUTO_INCREMENT)', [])
      const other = await database.open()
      const count = { text: 'SELECT COUNT(*) FROM seen', values: [] }
      for (let i = 0; i < 3; i++) {
        session.beginSnapshot()
        t.same(await session.all(count.text, []), [[i]])
        await other.run('INSERT INTO seen VALUES ()')
        t.same(await session.batch([count, count], true), [[[i]], [[i]]], 'in the snapshot')
        t.equal(session.endSnapshot(), undefined, 'its end was sent with the last statements')
        t.same(await session.all(count.text, []), [[i + 1]])
      }
      session.beginSnapshot()
      await t.rejects(session.all('SELECT nothing', []), { code: 'ER_BAD_FIELD_ERROR' })
      await session.endSnapshot()
      t.same(await session.all(count.text, []), [[3]])
      await session.run('INSERT INTO seen VALUES ()', [])
      t.same(await other.all('SELECT COUNT(*) AS n FROM seen'), [{ n: 4 }], 'no transaction is open')
      await other.close()
    }
  })

  t.test('answers are the same if the server prepares no more statements', async t => {
    const answers: (readonly Rows[])[] = []
    for (const refusals of [0, 1, 1000]) {
      const session = await startSession(refusals)
      const all = async (text: string, values: readonly Bound[]) => session.all(text, values)
      await session.run('DROP TABLE IF EXISTS kept', [])
      await session.run(`CREATE TABLE kept (${columns})`, [])
      for (let i = 0; i < 3; i++) {
        await session.begin(false)
        const text =
          'INSERT INTO kept (whole, big, ratio, amount, name, flag, at, clock, data, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
        await session.run(text, row)
        await session.enqueue('UPDATE kept SET whole = ? WHERE id = ?', [i, i])
        await session.commit()
      }
      const found: Rows[] = []
      found.push(
        await all('SELECT * FROM kept WHERE name = ? AND whole IN (?) ORDER BY id LIMIT ? OFFSET ?', [
          row[4]!,
          [1, 2, 7],
          2,
          1,
        ]),
      )
      found.push(
        await all('SELECT COUNT(*) FROM kept WHERE bytes = ? AND amount = CAST(? AS DECIMAL(65, 20))', [
          row[9]!,
          '12.5',
        ]),
      )
      for (let i = 0; i < 3; i++)
        found.push(
          ...(await session.batch([
            { text: 'SELECT id FROM kept WHERE id > ?', values: [1] },
            { text: 'SELECT name FROM kept LIMIT ?', values: [1] },
          ])),
        )
      answers.push(found.map(rows => rows.map(one => one.map(plain))))
      await t.rejects(async () => session.all('SELECT nothing', []), { code: 'ER_BAD_FIELD_ERROR' })
    }
    t.equal(answers[0]!.length, 8)
    t.same(answers[1], answers[0], 'after it made room')
    t.same(answers[2], answers[0], 'as text')
  })
})

/** Fractions of seconds that are 0 stand in one form and not in the other. */
const plain = (value: unknown) => (typeof value === 'string' ? value.replace(/(\.\d*?)0+$/, '$1') : value)
