// Shared attributes for all interleavings of writes to translations, on each database, with two servers that stand for
// two processes.

import type { Kernel } from '@plinth/kernel'
import { type Client, databases, freshDatabase } from '@plinth/test-tools/databases'
import t, { type Test } from 'tap'
import { type Started, start } from './fixtures/boot.ts'

const begins: string[] = []

/** Notes every beginning of a transaction of its own. */
function listen(kernel: Kernel): void {
  kernel.hooks.on('onStatement', text => void (/^(BEGIN|START TRANSACTION)/.test(text) && begins.push(text)))
}

async function pair(t: Test, client: Client): Promise<readonly [Started, Started]> {
  const fresh = await freshDatabase(client)
  const one = await start(t, { database: fresh.config, configure: listen })
  const two = await start(t, { database: fresh.config, configure: listen })
  t.teardown(async () => {
    await one.close()
    await two.close()
    await fresh.drop()
  })
  return [one, two]
}

/** A page in two locales; gives the ids. */
async function family({ post, send }: Started, title: string): Promise<readonly [number, number]> {
  const source = (await post('pages', { title, rank: 0, seo: { text: 'a' } })).body.data.id
  const { body } = await send(`pages/${source}/localizations`, { locale: 'fr', title })
  return [source, body.id]
}

const shared = async ({ get }: Started, id: number) => {
  const { rank, seo } = (await get(`pages/${id}?populate=seo`)).body.data.attributes
  return { rank, seo: seo?.text }
}

for (const client of await databases()) {
  t.test(`${client}: a translation is made while its source changes`, async t => {
    const servers = await pair(t, client)
    for (let round = 0; round < 12; round++) {
      const [source] = await family(servers[0], `a${round}`)
      const answers = await Promise.all(
        Array.from({ length: 9 }, (_, i) => {
          const { put, send } = servers[i % 2]!
          if (i === 4) return send(`pages/${source}/localizations`, { locale: 'de', title: 'de' })
          return put(`pages/${source}`, i % 3 === 0 ? { seo: { text: `b${i}` } } : { rank: i })
        }),
      )
      t.same(new Set(answers.map(one => one.status)), new Set([200]))
      const translation = answers[4]!.body.id
      t.same(
        await shared(servers[0], translation),
        await shared(servers[0], source),
        'both have the same shared values',
      )
    }
  })

  t.test(`${client}: translations of one family are changed at once`, async t => {
    const servers = await pair(t, client)
    const ids = await family(servers[0], 'a')
    begins.length = 0
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(ids.map((id, i) => servers[i]!.put(`pages/${id}`, { rank: 2 * round + i })))
      t.same(
        answers.map(one => one.status),
        [200, 200],
      )
      t.same(await shared(servers[0], ids[0]), await shared(servers[0], ids[1]))
    }
    // A deadlock ends one of two transactions, which begins again: PostgreSQL looks for one after a second.
    if (client !== 'sqlite') t.equal(begins.length, 20, 'no transaction was run again')
  })

  t.test(`${client}: a translation is made or changed while others are deleted`, async t => {
    const servers = await pair(t, client)
    for (let round = 0; round < 8; round++) {
      const [source, other] = await family(servers[0], `a${round}`)
      const answers = await Promise.all([
        servers[0].put(`pages/${source}`, { rank: 1 }),
        servers[1].delete(`pages/${other}`),
        servers[0].send(`pages/${source}/localizations`, { locale: 'de', title: 'de' }),
        servers[1].send(`pages/${other}/localizations`, { locale: 'de', title: 'de' }),
      ])
      t.same(
        answers.slice(0, 2).map(one => one.status),
        [200, 200],
      )
      for (const { status } of answers.slice(2)) t.ok([200, 400, 404].includes(status), String(status))
    }
  })
}
