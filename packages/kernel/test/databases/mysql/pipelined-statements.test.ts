// Pipelined statements on MariaDB and MySQL: which of them stand in a block, and what becomes of the others.

import { databases, freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { createKernel, type Kernel } from '../../../src/index.ts'
import { repositories, type } from '../../fixtures/boot.ts'
import { isMariadb, start, statements } from '../../fixtures/pipelined.ts'

/** MySQL sends at once, and the callback ends there. */
async function leavesNoLock(t: Test, kernel: Kernel) {
  const wrong = kernel.transaction(async tx => {
    await tx.all(`SELECT GET_LOCK('plinth_sent', 1)`, [])
    await tx.enqueue('INSERT INTO nowhere VALUES (1)', [])
    await tx.all(`SELECT RELEASE_LOCK('plinth_sent')`, [])
  })
  await t.rejects(wrong, { code: 'ER_NO_SUCH_TABLE' })
  t.same(await kernel.transaction(async tx => tx.all(`SELECT IS_USED_LOCK('plinth_sent')`, [])), [[null]])
}

const answering = await databases()
if (answering.includes('mysql')) {
  const { insert, append } = statements.mysql

  t.test('mysql: a statement that cannot be in a block runs after it', async t => {
    const { kernel, titles } = await start(t, 'mysql')
    const ended = 'SELECT title FROM pages; '
    const remarked = 'SELECT COUNT(*) FROM pages -- all of them'
    const seen = await kernel.transaction(async tx => {
      await tx.enqueue(insert, ['a'])
      const ofEnded = await tx.all(ended, [])
      await tx.enqueue('SET @seen = (SELECT COUNT(*) FROM pages)', [])
      await tx.enqueue(insert, ['b'])
      const ofRemarked = await tx.all(remarked, [])
      await tx.enqueue(insert, ['c'])
      await tx.all('SHOW TABLES', [])
      return [ofEnded, ofRemarked, await tx.all('SELECT @seen', [])]
    })
    t.same(seen, [[['a']], [[2]], [[1]]])
    t.same(await titles(), ['a', 'b', 'c'])
  })

  t.test('mysql: a change returns its own count and id, whatever was pipelined before it', async t => {
    const { kernel, titles } = await start(t, 'mysql')
    const [first] = await kernel.transaction(async tx => [await tx.run(insert, ['a'])])
    t.match(first, { changes: 1, id: 1 })
    const ids = await kernel.transaction(async tx => {
      const changed = await tx.run(append, ['!'])
      await tx.enqueue(insert, ['b'])
      await tx.enqueue(insert, ['c'])
      const again = await tx.run(append, ['?'])
      await tx.enqueue(insert, ['d'])
      return [changed.changes, again.changes, (await tx.run(insert, ['e'])).id]
    })
    t.same(ids, [1, 3, 5])
    t.same(await titles(), ['a!?', 'b?', 'c?', 'd', 'e'])
    t.equal((await kernel.transaction(async tx => tx.run(append, ['+']))).changes, 5)
  })

  t.test('mysql: many statements and long lists can be pipelined', async t => {
    const { kernel, titles } = await start(t, 'mysql')
    const many = {
      text: 'SELECT COUNT(*) FROM pages WHERE id IN (?)',
      values: [Array.from({ length: 4000 }, (_, i) => i)],
    }
    t.same(await kernel.transaction(async tx => tx.batch(Array(20).fill(many))), Array(20).fill([[0]]))
    const names = Array.from({ length: 50 }, (_, i) => `t${i}`)
    const ids = Array.from({ length: 5000 }, (_, i) => i)
    const kept = await kernel.transaction(async tx => {
      for (const name of names) await tx.enqueue(insert, [name])
      await tx.enqueue('DELETE FROM pages WHERE id IN (?) AND title <> ?', [ids, 't7'])
      return tx.all('SELECT title FROM pages WHERE title IN (?)', [names])
    })
    t.same(kept, [['t7']])
    t.same(await titles(), ['t7'])
  })

  t.test('mysql: the error of a pipelined statement fails the transaction even if caught', async t => {
    const { kernel, titles } = await start(t, 'mysql')
    const wrong = kernel.transaction(async tx => {
      await tx.enqueue(insert, ['a'])
      await tx.enqueue('INSERT INTO nowhere VALUES (1)', [])
    })
    await t.rejects(wrong, { code: 'ER_NO_SUCH_TABLE' })
    for (const refused of ['SELECT nothing FROM pages', 'SELECT FROM WHERE', 'SHOW NOTHING']) {
      const quiet = kernel.transaction(async tx => {
        await tx.run(insert, ['b'])
        await tx.enqueue('INSERT INTO nowhere VALUES (1)', [])
        await Promise.resolve(tx.all(refused, [])).catch(() => {})
        await tx.run(insert, ['c'])
      })
      await t.rejects(quiet, { code: /^ER_(NO_SUCH_TABLE|PARSE_ERROR)$/ })
    }
    t.same(await titles(), [])
  })

  t.test('mysql: knex runs in the transaction although its first statement fails', async t => {
    const { kernel, titles } = await start(t, 'mysql')
    for (const refused of ['SELECT nothing FROM pages', 'SELECT FROM WHERE']) {
      for (let time = 0; time < 3; time++) {
        const wrong = kernel.transaction(async tx => {
          await Promise.allSettled([tx.all(refused, []), tx.knex('pages').insert({ title: 'knex' })])
          throw new Error('no')
        })
        await t.rejects(wrong, { message: 'no' })
      }
    }
    t.same(await titles(), [])
  })

  t.test('mysql: the isolation level of one transaction does not apply to the next', async t => {
    const parts = { component: 'shared.part', type: 'component', repeatable: true }
    const { kernel } = await start(t, 'mysql', {
      components: {
        'shared.part': {
          collectionName: 'parts',
          info: { displayName: 'p' },
          attributes: { code: { type: 'string', unique: true } },
        },
      },
      contentTypes: [type('page', { title: { type: 'string' }, day: { type: 'datetime' }, parts })],
    })
    const levels = `SELECT trx_isolation_level FROM information_schema.innodb_trx WHERE trx_mysql_thread_id = CONNECTION_ID()`
    for (let time = 0; time < 3; time++) {
      const pages = repositories(kernel)('page')
      const refused = pages.create({ data: { day: '+012000-01-01T00:00:00.000Z', parts: [{ code: 'a' }] } })
      await t.rejects(refused, { name: 'ValidationError' })
      const level = await kernel.transaction(async tx => {
        await tx.all('SELECT title FROM pages FOR UPDATE', [])
        return tx.all(levels, [])
      })
      t.same(level, [['READ COMMITTED']])
    }
  })

  t.test('mysql: a block keeps neither columns nor quoted texts nor locks of an earlier run', async t => {
    const { kernel, titles } = await start(t, 'mysql')
    const all = async () => kernel.transaction(async tx => (await tx.all('SELECT * FROM pages LIMIT 1', []))[0]!.length)
    await kernel.transaction(async tx => void (await tx.run(insert, ['a'])))
    const columns = [await all(), await all(), await all()]
    t.equal(new Set(columns).size, 1)
    await kernel.transaction(async tx => tx.knex.raw('ALTER TABLE pages ADD COLUMN extra INT'))
    t.equal(await all(), columns[0]! + 1)
    await kernel.transaction(async tx => void (await tx.run('DELETE FROM pages', [])))

    const asked = 'SELECT title FROM pages WHERE title LIKE ? AND title IN (?) ORDER BY id'
    for (let time = 0; time < 3; time++) {
      const seen = await kernel.transaction(async tx => {
        await tx.enqueue(`INSERT INTO pages (title) VALUES (CONCAT("it's ", ?))`, ['v'])
        await tx.enqueue("INSERT INTO pages (title) VALUES (?) -- it's", ['w'])
        await tx.enqueue('INSERT INTO pages (title) VALUES (CONCAT("a?", ?))', ['v'])
        const found = await tx.all(asked, ['%v', ["it's v", 'a?v', 'w']])
        await tx.run('DELETE FROM pages', [])
        return found
      })
      t.same(seen, [["it's v"], ['a?v']])
      if (await isMariadb(kernel)) await leavesNoLock(t, kernel)
    }
    t.same(await titles(), [])
  })

  t.test('mysql: blocks that do not recur are not prepared, and too large ones are divided', async t => {
    const { kernel, titles } = await start(t, 'mysql')
    const status = async () =>
      Number((await kernel.transaction(async tx => tx.all("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'", [])))[0]![1])
    await status()
    const before = await status()
    for (let shape = 0; shape < 60; shape++) {
      await kernel.transaction(async tx => {
        for (let bit = 0; bit < 6; bit++) await tx.enqueue(shape & (1 << bit) ? insert : append, ['x'])
      })
    }
    t.ok((await status()) - before <= 4, 'as many as there are statements')
    await kernel.transaction(async tx => void (await tx.run('DELETE FROM pages', [])))
    for (let time = 0; time < 3; time++) {
      await kernel.transaction(async tx => {
        for (let i = 0; i < 3; i++)
          await tx.enqueue('INSERT INTO pages (title) VALUES (LEFT(?, 1))', ['y'.repeat(6_000_000)])
      })
    }
    t.same(await titles(), Array(9).fill('y'))
  })

  t.test('mysql: statements after a failed first one are in the transaction', async t => {
    const { kernel, titles } = await start(t, 'mysql')
    for (const refused of ['SELECT nothing FROM pages', 'SELECT FROM WHERE', 'UPDATE nowhere SET a = 1']) {
      const part = async () =>
        kernel.transaction(async tx => {
          await Promise.resolve(tx.all(refused, [])).catch(() => {})
          await Promise.all([tx.enqueue(insert, ['a']), tx.run(insert, ['b'])])
          throw new Error('no')
        })
      await t.rejects(part(), { message: 'no' })
      t.same(await titles(), [])
    }
    await kernel.transaction(async tx => {
      await Promise.resolve(tx.run('UPDATE nowhere SET a = 1', [])).catch(() => {})
      await tx.enqueue(insert, ['a'])
    })
    t.same(await titles(), ['a'])
  })

  t.test('mysql: a savepoint in which a pipelined statement fails can fail alone', async t => {
    const { kernel, titles } = await start(t, 'mysql')
    await kernel.transaction(async tx => {
      await tx.enqueue(insert, ['a'])
      const part = kernel.transaction(async inner => {
        await inner.enqueue(insert, ['b'])
        await inner.enqueue('INSERT INTO nowhere VALUES (1)', [])
        await inner.all('SELECT 1', [])
      })
      await t.rejects(part, { code: 'ER_NO_SUCH_TABLE' })
      await tx.enqueue(insert, ['c'])
    })
    t.same(await titles(), ['a', 'c'])
  })

  t.test('mysql: a creation with relations takes two round trips, and so does a list', async t => {
    const database = await freshDatabase('mysql')
    const kernel = await createKernel({
      database: { ...database.config, pool: { min: 0, max: 1 } },
      contentTypes: [
        type('tag', { name: { type: 'string' } }),
        type('page', {
          title: { type: 'string' },
          main: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
          tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        }),
      ],
    })
    t.teardown(async () => {
      await kernel.close()
      await database.drop()
    })
    const asked = async () => {
      const rows = await kernel.transaction(async tx => tx.all("SHOW SESSION STATUS LIKE 'Questions'", []))
      return Number(rows[0]![1])
    }
    const hasBlocks = await isMariadb(kernel)
    const repository = repositories(kernel)
    await repository('tag').create({ data: { name: 'a' } })
    const data = { title: 'x', main: 1, tags: [1] }
    const list = async () => repository('page').findMany({ populate: ['main', 'tags'] })
    // A block is made for what comes again.
    await repository('page').create({ data })
    await repository('page').create({ data })
    const alone = await asked()
    const none = (await asked()) - alone
    await repository('page').create({ data })
    const made = await asked()
    t.equal(made - alone - 2 * none, hasBlocks ? 2 : 6)
    await list()
    const before = await asked()
    const [entry] = await list()
    t.same((entry!.tags as unknown[]).length, 1)
    t.equal((await asked()) - before - none, hasBlocks ? 2 : 3, 'the entries, and all that hangs on them')
  })
}
t.pass('runs where MariaDB or MySQL does')
