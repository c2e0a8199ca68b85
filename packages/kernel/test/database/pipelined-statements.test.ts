// Statements that nobody waits for: they go to PostgreSQL and MariaDB with the next one, in their order, and what they do wrong
// shows there.

import t, { type Test } from 'tap'
import { databases, freshDatabase } from '@plinth/testing/databases'
import { createKernel, type Kernel, type Transaction } from '../../src/index.ts'
import { repositories, type } from '../fixtures/boot.ts'

type Server = 'postgres' | 'mysql'

/** The same statements in both dialects. */
const statements = {
  postgres: {
    insert: 'INSERT INTO pages (title) VALUES ($1)',
    append: 'UPDATE pages SET title = title || $1',
    retitle: 'UPDATE pages SET title = $1',
    refused: 'INSERT INTO pages (id) SELECT 1 / $1::int',
  },
  mysql: {
    insert: 'INSERT INTO pages (title) VALUES (?)',
    append: 'UPDATE pages SET title = CONCAT(title, ?)',
    retitle: 'UPDATE pages SET title = ?',
    refused: 'INSERT INTO pages (created_at) VALUES (?)',
  },
}

async function start(
  t: Test,
  server: Server,
  model: object = { contentTypes: [type('page', { title: { type: 'string' } })] },
) {
  const database = await freshDatabase(server)
  const kernel = await createKernel({
    database: { ...database.config, pool: { min: 0, max: 1 } },
    ...model,
  })
  t.teardown(async () => {
    await kernel.close()
    await database.drop()
  })
  const titles = async () => {
    const pages = await repositories(kernel)('page').findMany({ sort: ['id'] })
    return pages.map(page => page.title)
  }
  return { kernel, titles }
}

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

async function isMariadb(kernel: Kernel) {
  return kernel.transaction(async tx => String(await tx.all('SELECT VERSION()', [])).includes('MariaDB'))
}

const answering = await databases()
for (const server of ['postgres', 'mysql'] as const) {
  if (!answering.includes(server)) continue
  const { insert, append, retitle, refused } = statements[server]

  t.test(`${server}: what is sent is done in its order`, async t => {
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

  t.test(`${server}: what is sent last goes with COMMIT`, async t => {
    const { kernel, titles } = await start(t, server)
    await kernel.transaction(async tx => void (await tx.enqueue(insert, ['a'])))
    t.same(await titles(), ['a'])
    await t.rejects(kernel.transaction(async tx => void (await tx.enqueue('INSERT INTO nowhere VALUES (1)', []))))
    t.same(await titles(), ['a'])
  })

  t.test(`${server}: what a sent statement does wrong is the error of the next one, and nothing stays`, async t => {
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

  t.test(`${server}: what was sent alone and not done is not forgotten either`, async t => {
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
      await t.rejects(quiet, { code: /ER_NO_SUCH_TABLE|42P01|25P02/ })
    }
  })

  t.test(`${server}: a transaction of knex finds what was sent within it, and takes it back`, async t => {
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

  t.test(`${server}: a transaction of which nothing was sent is taken back without a word`, async t => {
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

  t.test(`${server}: parts take back what was sent in them`, async t => {
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

  t.test(`${server}: what is asked together is answered apart, behind what was sent`, async t => {
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

  t.test(`${server}: what runs side by side is done once, and comes before its COMMIT or not at all`, async t => {
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
    t.equal(await late, 'the transaction has ended')
    await kernel.transaction(async tx => tx.all('SELECT 1', []))
    t.same(await titles(), ['xyxyxy'])
  })

  t.test(`${server}: knex finds what was sent`, async t => {
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

if (answering.includes('postgres')) {
  const { insert } = statements.postgres

  t.test('postgres: a COMMIT of what failed before is no success', async t => {
    const { kernel, titles } = await start(t, 'postgres')
    const quiet = kernel.transaction(async tx => {
      await tx.run(insert, ['a'])
      await Promise.resolve(tx.run('SELECT 1 / 0', [])).catch(() => {})
    })
    await t.rejects(quiet, { message: 'The transaction had failed before its COMMIT' })
    t.same(await titles(), [])
  })
}

if (answering.includes('postgres')) {
  t.test('postgres: a text without a statement is a step like others', async t => {
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

if (answering.includes('mysql')) {
  const { insert, append } = statements.mysql

  t.test('mysql: what cannot stand in a block runs behind what was sent', async t => {
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

  t.test('mysql: a change tells its own rows and id, whatever was sent before it', async t => {
    const { kernel, titles } = await start(t, 'mysql')
    const [first] = await kernel.transaction(async tx => [await tx.run(insert, ['a'])])
    t.match(first, { changes: 1, id: 1 })
    const told = await kernel.transaction(async tx => {
      const changed = await tx.run(append, ['!'])
      await tx.enqueue(insert, ['b'])
      await tx.enqueue(insert, ['c'])
      const again = await tx.run(append, ['?'])
      await tx.enqueue(insert, ['d'])
      return [changed.changes, again.changes, (await tx.run(insert, ['e'])).id]
    })
    t.same(told, [1, 3, 5])
    t.same(await titles(), ['a!?', 'b?', 'c?', 'd', 'e'])
    t.equal((await kernel.transaction(async tx => tx.run(append, ['+']))).changes, 5)
  })

  t.test('mysql: many statements and long lists are sent', async t => {
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

  t.test('mysql: what was sent and not done is not forgotten where its error is', async t => {
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

  t.test('mysql: knex beside a first statement that is wrong is in the transaction', async t => {
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

  t.test('mysql: what is asked as if nothing ran beside it is no matter of the next transaction', async t => {
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

  t.test('mysql: a block does not keep columns that were, texts in quotes, or locks', async t => {
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

  t.test(
    'mysql: shapes that do not come again are not prepared, and what is too much for one is sent apart',
    async t => {
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
    },
  )

  t.test('mysql: the first statement may be wrong, and what follows is in the transaction', async t => {
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

  t.test('mysql: a part in which something sent is wrong can fail alone', async t => {
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

  t.test('mysql: a create with relations is two round trips, and so is a list', async t => {
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
t.pass('runs where servers do')
