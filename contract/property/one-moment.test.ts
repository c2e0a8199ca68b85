// Property: with `consistentReads`, an answer shows one state of the database: its entries, what is populated at each level
// and the total are of the same transaction, although another process writes. Without it they are not, or the test would
// show nothing.

import { Worker } from 'node:worker_threads'
import { type Client, databases, freshDatabase } from '@plinth/test-tools/databases'
import { component, type } from '@plinth/test-tools/fixtures'
import t, { type Test } from 'tap'
import { start } from '../../packages/graphql/test/fixtures/boot.ts'

const number = { type: 'integer' }
const link = (target: string, many = false) => ({
  type: 'relation',
  relation: many ? 'manyToMany' : 'manyToOne',
  target: `api::${target}.${target}`,
})
const contentTypes = [
  type('book', {
    number,
    author: link('person'),
    tags: link('tag', true),
    parts: { type: 'component', component: 'book.part', repeatable: true },
    zone: { type: 'dynamiczone', components: ['book.part'] },
  }),
  type('person', { number, town: link('tag') }),
  type('tag', { number }),
]
const components = { 'book.part': component('book.part', { number, tag: link('tag') }) }

/** Books of a page; there are one or two more. */
const size = 3

/** Every transaction sets all numbers to the same one. If it is odd, there is one book more. */
const sets = ['books', 'persons', 'tags', 'components_book_parts']
  .map(table => `UPDATE ${table} SET number = #;`)
  .join(' ')
const transactions = [
  `BEGIN; ${sets} DELETE FROM books WHERE id = 100; COMMIT`,
  `BEGIN; ${sets} INSERT INTO books (id, number) VALUES (100, #); COMMIT`,
]

const populate = {
  list: `/api/books?pagination[pageSize]=${size}&sort=id&populate[author][populate]=town&populate[tags]=true&populate[parts][populate]=tag&populate[zone][populate]=*`,
  'flat list': `/api/books?pagination[pageSize]=${size}&sort=id`,
  'list with pages of tags': `/api/books?pagination[pageSize]=${size}&sort=id&populate[tags][limit]=1&populate[author]=true`,
  'one entry': '/api/books/1?populate[author][populate]=town&populate[tags]=true&populate[parts]=true',
}
const operation = `{ books(pagination: { pageSize: ${size} }, sort: "id") {
  data { attributes { number
    author { data { attributes { number town { data { attributes { number } } } } } }
    tags { data { attributes { number } } }
    parts { number tag { data { attributes { number } } } }
  } }
  meta { pagination { total } }
} }`

/** The numbers in an answer, at any depth, and the total. */
function readAnswer(answer: unknown, contents = { numbers: new Set<unknown>(), total: null as number | null }) {
  if (typeof answer !== 'object' || answer === null) return contents
  for (const [key, value] of Object.entries(answer)) {
    if (key === 'number') contents.numbers.add(value)
    else if (key === 'total') contents.total = value
    else readAnswer(value, contents)
  }
  return contents
}

function isTorn(answer: unknown): boolean {
  const { numbers, total } = readAnswer(answer)
  const [shown] = numbers
  return numbers.size !== 1 || (total !== null && total !== size + 1 + (Number(shown) % 2))
}

type Ask = () => Promise<unknown>

/** A server, what is asked of it, and a thread that writes. */
async function race(t: Test, client: Client, consistentReads: boolean | undefined) {
  const database = await freshDatabase(client)
  t.teardown(() => database.drop())
  const { config } = database
  const settings = { ...config, statementTimeout: 120_000, ...(consistentReads !== undefined && { consistentReads }) }
  const { app, ask, of } = await start(t, { contentTypes, components, database: settings })
  const data = { number: 0 }
  for (let i = 0; i < 2; i++) await of('tag').create({ data })
  await of('person').create({ data: { ...data, town: 1 } })
  const parts = [{ ...data, tag: 1 }, data]
  const zone = parts.map(part => ({ __component: 'book.part', ...part }))
  for (let i = 0; i <= size; i++) await of('book').create({ data: { ...data, author: 1, tags: [1, 2], parts, zone } })
  const workerData = { client, connection: config.connection, transactions }
  const worker = new Worker(new URL('./writing-thread.ts', import.meta.url), { workerData })
  const ended = new Promise<void>((resolve, reject) => {
    worker.once('exit', () => resolve())
    worker.once('error', reject)
  })
  const asks: Record<string, Ask> = { GraphQL: async () => (await ask(operation)).body }
  for (const [name, url] of Object.entries(populate)) asks[name] = async () => (await app.inject(url)).json()
  const stop = async () => {
    worker.postMessage('end')
    await ended
  }
  return { asks, stop }
}

/** Asks until so many answers are there, or one is torn and `isEnough`; eight at a time, which share what they can. */
async function countTorn(ask: Ask, answers: number, isEnough = false) {
  const result = { answers: 0, torn: 0, example: null as unknown }
  const one = async () => {
    while (result.answers < answers && !(isEnough && result.torn > 0)) {
      const answer = await ask()
      result.answers++
      if (!isTorn(answer)) continue
      result.torn++
      result.example ??= answer
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return result
}

for (const client of await databases()) {
  t.test(`${client}: answers are torn without consistentReads`, async t => {
    const { asks, stop } = await race(t, client, false)
    for (const [name, ask] of Object.entries(asks)) {
      const { torn, answers } = await countTorn(ask, 20_000, true)
      t.ok(torn > 0, `${name}: ${torn} of ${answers}`)
    }
    await stop()
  })

  t.test(`${client}: no answer is torn with consistentReads`, async t => {
    const { asks, stop } = await race(t, client, client === 'sqlite' ? undefined : true)
    for (const [name, ask] of Object.entries(asks)) {
      const { torn, example } = await countTorn(ask, 400)
      t.equal(torn, 0, name)
      if (torn > 0) t.comment(JSON.stringify(example))
    }
    await stop()
  })
}
