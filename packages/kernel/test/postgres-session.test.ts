// Statements that nobody waits for: they go to PostgreSQL with the next one, in their order, and what they do wrong shows there.

import t, { type Test } from 'tap'
import { databases, freshDatabase } from '../../../contract/databases.ts'
import { createKernel } from '../src/index.ts'
import { repositories, type } from './fixtures/boot.ts'

const insert = 'INSERT INTO pages (title) VALUES ($1)'

async function start(t: Test) {
  const database = await freshDatabase('postgres')
  const kernel = await createKernel({
    database: { ...database.config, pool: { min: 0, max: 1 } },
    contentTypes: [type('page', { title: { type: 'string' } })],
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

if ((await databases()).includes('postgres')) {
  t.test('what is sent is done in its order', async t => {
    const { kernel, titles } = await start(t)
    const seen = await kernel.transaction(async tx => {
      await tx.send(insert, ['a'])
      await tx.send(insert, ['b'])
      const { changes } = await tx.run('UPDATE pages SET title = title || $1', ['!'])
      await tx.send(insert, ['c'])
      return [changes, (await tx.all('SELECT title FROM pages ORDER BY id', [])).flat()]
    })
    t.same(seen, [2, ['a!', 'b!', 'c']])
    t.same(await titles(), ['a!', 'b!', 'c'])
  })

  t.test('what is sent last goes with COMMIT', async t => {
    const { kernel, titles } = await start(t)
    await kernel.transaction(async tx => void (await tx.send(insert, ['a'])))
    t.same(await titles(), ['a'])
    await t.rejects(kernel.transaction(async tx => void (await tx.send('INSERT INTO nowhere VALUES (1)', []))))
    t.same(await titles(), ['a'])
  })

  t.test('what a sent statement does wrong is the error of the next one, and nothing stays', async t => {
    const { kernel, titles } = await start(t)
    for (let time = 0; time < 3; time++) {
      const wrong = kernel.transaction(async tx => {
        await tx.send(insert, ['a'])
        await tx.send('INSERT INTO pages (id) SELECT 1 / $1::int', [0])
        await tx.run('UPDATE pages SET title = $1', [`time ${time}`])
      })
      await t.rejects(wrong, { name: 'ValidationError' })
      t.same(await titles(), [])
    }
    // Statements that came so far, or not, in a run that failed are prepared all the same.
    await kernel.transaction(async tx => {
      await tx.send(insert, ['a'])
      await tx.run('UPDATE pages SET title = $1', ['b'])
    })
    t.same(await titles(), ['b'])
  })

  t.test('a transaction of which nothing was sent is taken back without a word', async t => {
    const { kernel, titles } = await start(t)
    const wrong = kernel.transaction(async tx => {
      await tx.send(insert, ['a'])
      throw new Error('no')
    })
    await t.rejects(wrong, { message: 'no' })
    t.same(await titles(), [])
    await kernel.transaction(async () => {})
    t.same(await kernel.transaction(tx => Promise.resolve(tx.all('SELECT 1', []))), [[1]])
  })

  t.test('parts take back what was sent in them', async t => {
    const { kernel, titles } = await start(t)
    await kernel.transaction(async tx => {
      await tx.send(insert, ['a'])
      const part = kernel.transaction(async inner => {
        await inner.send(insert, ['b'])
        throw new Error('no')
      })
      await t.rejects(part, { message: 'no' })
      await tx.send(insert, ['c'])
    })
    t.same(await titles(), ['a', 'c'])
  })

  t.test('knex finds what was sent', async t => {
    const { kernel } = await start(t)
    const found = await kernel.transaction(async tx => {
      await tx.send(insert, ['a'])
      return tx.knex('pages').select('title')
    })
    t.same(found, [{ title: 'a' }])
  })

  t.test('a COMMIT of what failed before is no success', async t => {
    const { kernel, titles } = await start(t)
    const quiet = kernel.transaction(async tx => {
      await tx.run(insert, ['a'])
      await Promise.resolve(tx.run('SELECT 1 / 0', [])).catch(() => {})
    })
    await t.rejects(quiet, { message: 'The transaction had failed before its COMMIT' })
    t.same(await titles(), [])
  })
}
t.pass('runs where PostgreSQL does')
