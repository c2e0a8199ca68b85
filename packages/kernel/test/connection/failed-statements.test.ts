// A statement of a transaction fails, and the code that ran it goes on: what each database makes of the transaction.

import { fresh, onEach } from '@plinth/test-tools/on-each'
import { createKernel, type Transaction } from '../../src/index.ts'
import { type, uid } from '../fixtures/boot.ts'

const contentTypes = [type('page', { title: { type: 'string' }, slug: { type: 'string', unique: true } })]
const insert = `INSERT INTO pages (slug) VALUES ('x')`

/** Statements that fail, and whose errors the caller receives at once. */
const failures: Readonly<Record<string, (tx: Transaction) => unknown>> = {
  'a read': tx => tx.all('SELECT nothing FROM nowhere', []),
  'a change': tx => tx.run('UPDATE nowhere SET nothing = 1', []),
  'an index': tx => tx.run(insert, []),
  'a read of knex': async tx => void (await tx.knex('nowhere').select('nothing')),
  'a change of knex': async tx => void (await tx.knex('pages').insert({ slug: 'x' })),
}

/** Whether `work` failed. */
async function fails(work: () => unknown): Promise<boolean> {
  try {
    await work()
    return false
  } catch {
    return true
  }
}

await onEach('an error that the code of a transaction ignores', async (t, client) => {
  const { config } = await fresh(t)
  const kernel = await createKernel({ database: config, contentTypes })
  t.teardown(() => kernel.close())
  const pages = kernel.query(uid('page'))
  await pages.create({ data: { slug: 'x' } })
  const failed = { name: 'UsageError', code: 'PLINTH_TRANSACTION_FAILED' }

  for (const [name, fail] of Object.entries(failures)) {
    const before = await pages.count()
    const ends = () =>
      kernel.transaction(async tx => {
        await pages.create({ data: { title: name } })
        t.equal(await fails(() => fail(tx)), true, name)
      })
    const goesOn = () =>
      kernel.transaction(async tx => {
        t.equal(await fails(() => fail(tx)), true, name)
        await pages.create({ data: { title: name } })
      })
    if (client === 'postgres') {
      await t.rejects(ends(), failed, `${name}: COMMIT`)
      await t.rejects(goesOn(), failed, `${name}: the next statement`)
      t.equal(await pages.count(), before, `${name}: nothing is kept`)
    } else {
      await t.resolves(ends(), `${name}: COMMIT`)
      await t.resolves(goesOn(), `${name}: the next statement`)
      t.equal(await pages.count(), before + 2, `${name}: the rest is kept`)
    }
    await kernel.transaction(async () => {
      t.equal(await fails(() => kernel.transaction(async tx => fail(tx))), true, name)
      await pages.create({ data: { title: name } })
    })
    t.equal(await pages.count(), before + (client === 'postgres' ? 1 : 3), `${name}: a transaction of its own`)
  }
})

await onEach('a refused write of kernel.query takes back itself alone', async t => {
  const { config } = await fresh(t)
  const kernel = await createKernel({ database: config, contentTypes })
  t.teardown(() => kernel.close())
  const pages = kernel.query(uid('page'))
  await kernel.transaction(async () => {
    await pages.create({ data: { slug: 'x' } })
    t.equal(await fails(() => pages.create({ data: { slug: 'x' } })), true)
    await pages.create({ data: { slug: 'y' } })
  })
  t.equal(await pages.count(), 2)
})

await onEach('a pipelined statement that fails ends the transaction', async t => {
  const { config } = await fresh(t)
  const kernel = await createKernel({ database: config, contentTypes })
  t.teardown(() => kernel.close())
  const pages = kernel.query(uid('page'))
  await pages.create({ data: { slug: 'x' } })
  const work = kernel.transaction(async tx => {
    await pages.create({ data: { slug: 'y' } })
    await tx.enqueue(insert, [])
  })
  await t.rejects(work)
  t.equal(await pages.count(), 1)
})
